// Integer arithmetic of tile programs, which has no undefined operands: see the description of the tile dialect.
#pragma once

#include "tilelang/cpu/emit/LaneBuilder.h"

namespace tessera::cpu {

/// An operation of arith or math on integers or index, on emitted operands; null if `op` is none.
mlir::Value emitIntegerOp(LaneBuilder &l, mlir::Operation *op, llvm::ArrayRef<mlir::Value> operands);

} // namespace tessera::cpu
