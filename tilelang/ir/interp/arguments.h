// Binds the arguments of a call to the parameters of the function.
#pragma once

#include "tilelang/ir/interp/frame.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera::tile {

/// Gives the function's parameters their values. Throws Error for what does not fit: number, kind, element type, rank,
/// static extents, device, a read-only tensor for an output, a scalar outside its type. Shapes that only `tile.shape`
/// ties together are not compared.
void bindArguments(mlir::func::FuncOp function, llvm::ArrayRef<Argument> arguments, Frame &frame);

} // namespace tessera::tile
