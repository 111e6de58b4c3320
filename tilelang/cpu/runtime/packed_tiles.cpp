// One workspace for each copy.
#include "tilelang/cpu/runtime/packed_tiles.h"

#include <limits>

namespace tessera::cpu {

Workspace *PackedTiles::workspace(int64_t copy, int64_t tiles, int64_t tileBytes) {
  std::lock_guard guard(mutex);
  std::unique_ptr<Workspace> &found = byCopy[copy];
  if (!found) found = Workspace::make(tiles, tileBytes, std::numeric_limits<int64_t>::max());
  return found.get();
}

} // namespace tessera::cpu
