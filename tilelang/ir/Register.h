// One call that makes a context know the tile dialect and the dialects that tile programs use for scalar code.
#pragma once

namespace mlir {
class DialectRegistry;
}

namespace tessera::tile {

/// Registers tile, func, arith, math and memref: all that a tile program may contain.
void registerDialects(mlir::DialectRegistry &registry);

} // namespace tessera::tile
