// The checks in the order in which they may rely on each other.
#include "tilelang/passes/Pipeline.h"

#include "tilelang/passes/Passes.h"

#include "mlir/Pass/PassManager.h"

namespace tessera {

void addCheckPasses(mlir::OpPassManager &manager) {
  manager.addPass(createTileCheckProgram());
  manager.addPass(createTileCheckUses());
  manager.addPass(createTileCheckParallel());
  manager.addPass(createTileCheckPipeline());
  manager.addPass(createTileCheckSync());
  manager.addPass(createTileCheckBlocks());
}

} // namespace tessera
