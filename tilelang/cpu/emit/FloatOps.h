// Floating-point arithmetic of tile programs: one rounding for each operation in each type.
//
// f16 and bf16 are computed in f32, whose results round to them as the exact ones do; where that does not hold, in f64.
#pragma once

#include "tilelang/cpu/CpuIsa.h"
#include "tilelang/cpu/emit/LaneBuilder.h"

namespace tessera::cpu {

/// An operation of arith, math or tile on floating-point values that isn't a conversion, on emitted operands; null if
/// `op` is none. What of it is transcendental comes out as operations of math on f32 or f64, for cpu-expand-math.
mlir::Value emitFloatOp(LaneBuilder &l, const CpuIsa &isa, mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands);

} // namespace tessera::cpu
