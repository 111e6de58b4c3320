// Which part of a product counts: at the edge of a tensor the rest is padding, or is written nowhere.
#pragma once

#include "tilelang/cpu/emit/Emitter.h"

namespace tessera::cpu {

/// Extents at run time, from which on nothing needs to be computed; null where all of an extent counts.
struct LiveExtents {
  mlir::Value m; ///< rows of C that are ever read
  mlir::Value n; ///< columns of C that are ever read
  mlir::Value k; ///< from here on both operands hold the zeros of padding
};

/// Emits what the extents follow from. They may exceed those of the product or lie below zero.
LiveExtents emitLiveExtents(Emitter &e, tile::GemmOp gemm);

} // namespace tessera::cpu
