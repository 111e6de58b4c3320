// Emits one product of packed operands: loops over register tiles around the micro-kernel's loop over k.
#pragma once

#include "tilelang/cpu/emit/Emitter.h"
#include "tilelang/cpu/gemm/MicroKernels.h"

namespace tessera::cpu {

/// Operands of a product as the micro-kernels take them (OperandLayout.h). Memrefs have rank 1 and static shape.
struct PackedProduct {
  mlir::Value a, b, c;            ///< units of A, elements of B (type `compute`), accumulators of C
  mlir::Value aBase, cBase;       ///< index of the first unit of A and of the first element of C
  int64_t aPitch, bPitch, cPitch; ///< from one row of A, panel of B, row of C to the next, in units, elements, elements
  mlir::Value m, n, kSteps;
  mlir::Value liveM, liveN; ///< rows and columns from here on need not be computed; null: all count
  mlir::Value clear;        ///< i1: ignore the old C; null: never
};

void emitProduct(Emitter &e, const MicroKernel &kernel, const PackedProduct &product);

} // namespace tessera::cpu
