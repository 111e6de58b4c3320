// What the handlers of floating-point operations share.
#pragma once

#include "tilelang/ir/interp/frame.h"

namespace tessera::tile {

/// Fails unless the operand's format is one that programs compute with.
void requireArithmetic(mlir::Operation *op, const Frame &frame, mlir::Value operand);

} // namespace tessera::tile
