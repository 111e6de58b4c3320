// What an atomic update computes.
#pragma once

#include "core/dtype.h"
#include "tilelang/ir/Tile.h"

#include <cstdint>

namespace tessera::tile {

/// `old <kind> value` in the format of both.
uint64_t atomicUpdate(AtomicKind kind, DType type, uint64_t old, uint64_t value);

} // namespace tessera::tile
