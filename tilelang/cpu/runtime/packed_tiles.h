// The packed tiles of one tensor, kept from call to call.
#pragma once

#include "tilelang/cpu/runtime/workspace.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace tessera::cpu {

/// Each copy of a program that packs tiles of the tensor has a workspace of its own here, made by the first call that
/// gets there. Tiles are packed by whichever call needs them first. Any number of calls may use it at once.
class PackedTiles {
public:
  /// Null where the system has no memory left.
  Workspace *workspace(int64_t copy, int64_t tiles, int64_t tileBytes);

private:
  std::mutex mutex;
  std::map<int64_t, std::unique_ptr<Workspace>> byCopy;
};

} // namespace tessera::cpu
