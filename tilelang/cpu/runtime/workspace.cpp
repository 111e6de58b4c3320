// Memory of workspaces is kept between calls: mapping pages afresh takes longer than packing them.
#include "tilelang/cpu/runtime/workspace.h"

#include "core/error.h"
#include "tilelang/cpu/runtime/arena.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace tessera::cpu {
namespace {

constexpr int64_t kMostTiles = int64_t(1) << 20, kMostKeptBytes = int64_t(1) << 28;

struct Memory {
  char *data;
  int64_t bytes;
};

class Pool {
public:
  /// The smallest piece that is large enough, but not one that is much larger.
  Memory take(int64_t bytes) {
    std::lock_guard guard(mutex);
    auto best = kept.end();
    for (auto it = kept.begin(); it != kept.end(); ++it)
      if (it->bytes >= bytes && it->bytes <= 4 * bytes && (best == kept.end() || it->bytes < best->bytes)) best = it;
    if (best == kept.end()) return {nullptr, 0};
    Memory memory = *best;
    kept.erase(best);
    keptBytes -= memory.bytes;
    return memory;
  }
  void give(Memory memory) {
    std::lock_guard guard(mutex);
    kept.push_back(memory);
    keptBytes += memory.bytes;
    while (keptBytes > kMostKeptBytes) { // the one that has waited longest
      keptBytes -= kept.front().bytes;
      unmapScratch(kept.front().data, static_cast<size_t>(kept.front().bytes));
      kept.erase(kept.begin());
    }
  }

private:
  std::mutex mutex;
  std::vector<Memory> kept;
  int64_t keptBytes = 0;
};

/// Never destroyed: a call may end while the process exits.
Pool &pool() {
  static Pool &instance = *new Pool;
  return instance;
}

} // namespace

std::unique_ptr<Workspace> Workspace::make(int64_t tiles, int64_t tileBytes, int64_t mostBytes) {
  if (tiles <= 0 || tiles > kMostTiles || tileBytes > mostBytes / tiles) return nullptr;
  int64_t bytes = tiles * tileBytes;
  Memory memory = pool().take(bytes);
  try {
    if (!memory.data) memory = {mapScratch(static_cast<size_t>(bytes)), bytes};
  } catch (const Error &) {
    return nullptr; // blocks pack for themselves
  }
  return std::unique_ptr<Workspace>(new Workspace(tiles, tileBytes, memory.data, memory.bytes));
}

Workspace::Workspace(int64_t tiles, int64_t tileBytes, char *memory, int64_t mappedBytes)
    : tileBytes(tileBytes), mappedBytes(mappedBytes), memory(memory),
      states(std::make_unique<std::atomic<uint8_t>[]>(static_cast<size_t>(tiles))) {}

Workspace::~Workspace() { pool().give({memory, mappedBytes}); }

int64_t Workspace::claim(int64_t tile) {
  auto address = reinterpret_cast<int64_t>(memory + tile * tileBytes);
  std::atomic<uint8_t> &state = states[static_cast<size_t>(tile)];
  uint8_t seen = state.load(std::memory_order_acquire);
  if (seen == empty && state.compare_exchange_strong(seen, claimed, std::memory_order_acquire)) return address + 1;
  return seen == ready ? address : 0;
}

void Workspace::done(int64_t tile) { states[static_cast<size_t>(tile)].store(ready, std::memory_order_release); }

} // namespace tessera::cpu
