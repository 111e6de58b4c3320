// The passes that every target runs before its own.
#pragma once

namespace mlir {
class OpPassManager;
}

namespace tessera {

/// Adds the checks of a tile program, in order. They change nothing; each reports all it finds, and the first that
/// finds an error ends the pipeline.
void addCheckPasses(mlir::OpPassManager &manager);

} // namespace tessera
