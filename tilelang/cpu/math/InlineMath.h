// Functions of f32 that are short enough to stand in the middle of a loop. They need fused multiply-add, and give the
// same bits on every instruction set that has it, in lanes and one by one. Error bounds: docs/numerics.md.
#pragma once

#include "tilelang/cpu/math/MathCode.h"

namespace tessera::cpu {

/// The code in place of an operation of the math dialect; null if it has none.
mlir::Value inlineMath(mlir::Operation *op, const CpuIsa &isa);

mlir::Value inlineExp(MathCode &m, mlir::Value x);
mlir::Value inlineExp2(MathCode &m, mlir::Value x);
mlir::Value inlineExp10(MathCode &m, mlir::Value x);
mlir::Value inlineLog(MathCode &m, mlir::Value x);
mlir::Value inlineLog2(MathCode &m, mlir::Value x);
mlir::Value inlineLog10(MathCode &m, mlir::Value x);
mlir::Value inlineErf(MathCode &m, mlir::Value x);
mlir::Value inlineTanh(MathCode &m, mlir::Value x);
/// 1 / (1 + exp(-x))
mlir::Value inlineSigmoid(MathCode &m, mlir::Value x);

} // namespace tessera::cpu
