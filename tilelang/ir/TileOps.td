// All operations of the dialect, in the order a reader meets them.
include "tilelang/ir/TileBufferOps.td"
include "tilelang/ir/TileComputeOps.td"
include "tilelang/ir/TileControlOps.td"
include "tilelang/ir/TileSyncOps.td"
