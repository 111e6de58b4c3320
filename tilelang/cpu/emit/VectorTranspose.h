// Transposes square blocks of registers.
#pragma once

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tessera::cpu {

/// The columns of a block given by its rows: as many vectors as each has elements, a power of two.
llvm::SmallVector<mlir::Value> transposeVectors(mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<mlir::Value> rows);

} // namespace tessera::cpu
