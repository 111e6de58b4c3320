// What is known of the extents of a gemm and of windows before the program runs.
#pragma once

#include "tilelang/ir/TileInfo.h"

namespace tessera::cpu {

/// Upper bounds of the extents of a product: operands lie in buffers of static shape.
struct GemmExtents {
  int64_t m, n, k;
};
GemmExtents extentsOf(tile::GemmOp gemm);

bool isStaticShape(mlir::Value tile);
/// A whole buffer, or a window whose first element is known to lie inside its buffer.
bool hasStaticOffsets(mlir::Value tile);
/// A window of static shape that is known to lie inside a buffer.
bool isStaticWindow(mlir::Value tile);

} // namespace tessera::cpu
