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

namespace {

struct PipelineOptions : mlir::PassPipelineOptions<PipelineOptions> {
  Option<std::string> isa{*this, "isa", llvm::cl::desc("instruction set to compile for"), llvm::cl::init("native")};
};

} // namespace

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tessera::tile::registerDialects(registry);
  tessera::cpu::registerCpuDialects(registry);
  mlir::registerTransformsPasses();
  tessera::registerTilePasses();
  mlir::PassPipelineRegistration<>("tile-checks", "the checks that every target runs first", tessera::addCheckPasses);
  tessera::cpu::registerCpuPasses();
  mlir::PassPipelineRegistration<PipelineOptions>("cpu-pipeline", "from a tile program to LLVM for a CPU",
                                                  [](mlir::OpPassManager &manager, const PipelineOptions &options) {
                                                    tessera::cpu::buildCpuPipeline(
                                                        manager, {tessera::cpu::cpuIsa(options.isa.getValue())});
                                                  });
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Tessera tile compiler, one pass at a time\n", registry));
}
