// Which tiles an operation reads and writes.
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace tessera {

struct TileAccess {
  mlir::Value tile; ///< a buffer or region
  bool reads = false;
  bool writes = false;
};

/// The buffers and regions that the operation itself (not its body) reads or writes. A destination counts as read only
/// where its old contents matter: a gemm that may clear, or a reduction that does not accumulate, only writes.
llvm::SmallVector<TileAccess> tileAccesses(mlir::Operation *op);

} // namespace tessera
