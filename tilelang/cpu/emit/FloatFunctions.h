// Functions put together from simpler operations, on f32 or f64 values unless said otherwise.
#pragma once

#include "core/dtype.h"
#include "tilelang/cpu/CpuIsa.h"
#include "tilelang/cpu/emit/LaneBuilder.h"

namespace tessera::cpu {

/// a * b + c of f32 values that hold f16 or bf16, as f64 rounded to odd: rounding that to the type is rounding once.
mlir::Value multiplyAddToOdd(LaneBuilder &l, mlir::Value a, mlir::Value b, mlir::Value c);

/// x * 2^n for i32 n. In f64: for f32 operands the exact product, for f64 operands rounded once.
mlir::Value ldexp(LaneBuilder &l, mlir::Value x, mlir::Value n);

/// The neighbour of x towards y, for emitted values of any arithmetic type.
mlir::Value nextAfter(LaneBuilder &l, const CpuIsa &isa, mlir::Value x, mlir::Value y, DType type);

mlir::Value reciprocalRoot(LaneBuilder &l, mlir::Value x);
/// x^n for integers n.
mlir::Value powerOfInteger(LaneBuilder &l, mlir::Value x, mlir::Value n);
/// x^exponent for exponents that take few products; null for any other.
mlir::Value powerOfConstant(LaneBuilder &l, mlir::Value x, double exponent);

// The library's functions give infinity too soon; these go on where the result is finite.
mlir::Value log1p(LaneBuilder &l, mlir::Value x);
mlir::Value sinh(LaneBuilder &l, mlir::Value x);
mlir::Value cosh(LaneBuilder &l, mlir::Value x);
mlir::Value asinh(LaneBuilder &l, mlir::Value x);
mlir::Value acosh(LaneBuilder &l, mlir::Value x);

mlir::Value sigmoid(LaneBuilder &l, const CpuIsa &isa, mlir::Value x);
mlir::Value exp10(LaneBuilder &l, mlir::Value x);
/// sqrt(x^2 + y^2) without undue overflow or underflow.
mlir::Value hypot(LaneBuilder &l, mlir::Value x, mlir::Value y);

} // namespace tessera::cpu
