// Reads off a tile program what its calls must bring.
#pragma once

#include "tilelang/driver/signature.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tessera {

/// The signature of a function that has passed the checks of tilelang/passes. Arguments without a name are called arg0,
/// arg1 and so on; a tensor whose access is not stated counts as read and written.
Signature readSignature(mlir::func::FuncOp function);

} // namespace tessera
