// Stores that bypass the caches. A line that is stored whole need not be read first, and what a kernel writes and never
// reads would only push other data out. It pays off for tensors that no cache holds.
#pragma once

#include "tilelang/cpu/emit/Emitter.h"

namespace tessera::cpu {

/// When rows of `cols` elements that begin at `firstCol` of the tensor behind a window may be streamed by `op`: a
/// scalar i1 that is known where the block starts to run; null if never.
///
/// True promises that the kernel only writes the tensor, that it is larger than the last-level cache, and that the rows
/// consist of whole cache lines.
mlir::Value streamingCondition(Emitter &e, mlir::Operation *op, const View &window, mlir::Value firstCol,
                               mlir::Value cols);

/// Stores 16 lanes past the caches. They lie in one cache line, or in whole ones.
void storeStreamed(Emitter &e, mlir::Value row, mlir::Value memref, mlir::ValueRange at);

} // namespace tessera::cpu
