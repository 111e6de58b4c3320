// The road from a tile program to an LLVM-dialect module for a CPU.
#pragma once

#include "tilelang/cpu/CpuOptions.h"

namespace mlir {
class OpPassManager;
class DialectRegistry;
} // namespace mlir

namespace tessera::cpu {

/// Appends the passes, in order, to a manager of the module. The result has `tsr_entry(slots, context)` as entry.
void buildCpuPipeline(mlir::OpPassManager &manager, const CpuOptions &options);

/// Its first passes, up to the one that decides how operands of products are packed.
void buildPackingPipeline(mlir::OpPassManager &manager, const CpuOptions &options);

/// Registers the dialects that the pipeline produces and their conversions, and the translation to LLVM IR.
void registerCpuDialects(mlir::DialectRegistry &registry);

} // namespace tessera::cpu
