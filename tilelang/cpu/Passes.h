// The passes of the cpu target.
#pragma once

#include "tilelang/cpu/CpuOptions.h"

#include "mlir/Pass/Pass.h"

namespace tessera::cpu {

/// Makes `options` those of the named instruction set; an empty name leaves them. Unknown names are an error at `op`.
mlir::LogicalResult selectIsa(mlir::Operation *op, llvm::StringRef name, CpuOptions &options);

std::unique_ptr<mlir::Pass> createPackOperandsPass(const CpuOptions &options);
std::unique_ptr<mlir::Pass> createEmitBlocksPass(const CpuOptions &options);
std::unique_ptr<mlir::Pass> createExpandMathPass(const CpuIsa &isa);

#define GEN_PASS_DECL
#include "tilelang/cpu/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "tilelang/cpu/Passes.h.inc"

} // namespace tessera::cpu
