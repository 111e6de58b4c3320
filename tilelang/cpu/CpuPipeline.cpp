// The ordered list of passes from a tile program to LLVM.
#include "tilelang/cpu/CpuPipeline.h"
#include "tilelang/cpu/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tessera::cpu {

LogicalResult selectIsa(Operation *op, StringRef name, CpuOptions &options) {
  if (name.empty()) return success();
  if (!llvm::is_contained(isaNames(), std::string_view(name)))
    return op->emitError("unknown instruction set '") << name << "'; known are " << llvm::join(isaNames(), ", ");
  options.isa = cpuIsa(name);
  return success();
}

void buildPackingPipeline(OpPassManager &manager, const CpuOptions &options) {
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createCpuSplitSyncAll());
  manager.addPass(createPackOperandsPass(options));
}

void buildCpuPipeline(OpPassManager &manager, const CpuOptions &options) {
  buildPackingPipeline(manager, options);
  if (!options.trapOutOfBounds) manager.addPass(createCpuFuseLoops()); // else each access reports for its statement
  manager.addPass(createCpuPlanArena({options.isa.chip.arenaBytes, options.isa.chip.stackBytes}));
  manager.addPass(createEmitBlocksPass(options));
  manager.addPass(createExpandMathPass(options.isa));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(memref::createExpandStridedMetadataPass());
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createConvertMathToLLVMPass());
  // Atomic updates of memref have bodies, whose arithmetic comes first.
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
}

void registerCpuDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, scf::SCFDialect, memref::MemRefDialect, vector::VectorDialect, math::MathDialect,
                  LLVM::LLVMDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

} // namespace tessera::cpu
