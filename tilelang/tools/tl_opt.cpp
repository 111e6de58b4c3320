// tl-opt: runs any pass on any textual stage of a tile program, as mlir-opt does.
#include "tilelang/cpu/CpuPipeline.h"
#include "tilelang/cpu/Passes.h"
#include "tilelang/ir/Register.h"
#include "tilelang/passes/Passes.h"
#include "tilelang/passes/Pipeline.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tessera::tile::registerDialects(registry);
  tessera::cpu::registerCpuDialects(registry);
  mlir::registerTransformsPasses();
  tessera::registerTilePasses();
  mlir::PassPipelineRegistration<>("tile-checks", "the checks that every target runs first", tessera::addCheckPasses);
  tessera::cpu::registerCpuPasses();
  mlir::PassPipelineRegistration<>("cpu-pipeline", "from a tile program to LLVM for a baseline CPU",
                                   [](mlir::OpPassManager &manager) { tessera::cpu::buildCpuPipeline(manager, {}); });
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Tessera tile compiler, one pass at a time\n", registry));
}
