// The reference interpreter on the function itself.
#pragma once

#include "tilelang/ir/interp/interpret.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ArrayRef.h"

namespace tessera {

/// Runs a verified function; the contract is that of `interpret` on a program. Reads the IR only.
void interpret(mlir::func::FuncOp function, llvm::ArrayRef<Argument> arguments, const InterpreterOptions &options = {});

} // namespace tessera
