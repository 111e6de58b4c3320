// One slot for each key. The thread that fills a slot holds its lock, so that others with the same key wait.
#include "tilelang/driver/kernel_cache.h"

#include "core/error.h"
#include "tilelang/driver/cache.h"
#include "tilelang/driver/disk_cache.h"

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>

namespace tessera {
namespace {

struct Slot {
  std::mutex filling;
  LoadedCode code;
};

struct Statistics {
  std::atomic<int64_t> compilations{0}, memoryHits{0}, diskHits{0}, damaged{0};
} statistics;

class MemoryCache {
public:
  static MemoryCache &get() {
    static auto *cache = new MemoryCache; // never destroyed: kernels may be made while the process ends
    return *cache;
  }

  std::shared_ptr<Slot> slot(const Hash128 &key) {
    std::lock_guard guard(mutex);
    std::shared_ptr<Slot> &slot = slots[key];
    if (!slot) slot = std::make_shared<Slot>();
    return slot;
  }
  void clear() {
    std::lock_guard guard(mutex);
    slots.clear();
  }

private:
  std::mutex mutex;
  std::map<Hash128, std::shared_ptr<Slot>> slots;
};

std::string counted(FunctionRef<std::string()> build) {
  std::string code = build();
  ++statistics.compilations;
  return code;
}

LoadedCode loadThroughDisk(DiskCache &disk, const Hash128 &key, FunctionRef<std::string()> build) {
  auto countedBuild = [&] { return counted(build); };
  auto [code, outcome] = disk.findOrBuild(key, countedBuild);
  if (outcome == DiskCache::Outcome::rebuilt) ++statistics.damaged;
  if (outcome != DiskCache::Outcome::found) return cpu::loadObject(code);
  try {
    LoadedCode loaded = cpu::loadObject(code);
    ++statistics.diskHits;
    return loaded;
  } catch (const Error &) {
    // Whole, yet no use, as when a library it was linked with has changed.
    ++statistics.damaged;
    disk.remove(key);
    return cpu::loadObject(disk.findOrBuild(key, countedBuild).first);
  }
}

LoadedCode load(const Hash128 &key, const std::string &directory, FunctionRef<std::string()> build) {
  if (!directory.empty())
    if (std::optional<DiskCache> disk = DiskCache::open(directory, kMaxCacheBytes))
      return loadThroughDisk(*disk, key, build);
  return buildCode(build);
}

} // namespace

LoadedCode findOrBuildCode(const Hash128 &key, const std::string &directory, FunctionRef<std::string()> build) {
  std::shared_ptr<Slot> slot = MemoryCache::get().slot(key);
  std::lock_guard guard(slot->filling);
  if (slot->code)
    ++statistics.memoryHits;
  else
    slot->code = load(key, directory.empty() ? defaultCacheDirectory() : directory, build);
  return slot->code;
}

LoadedCode buildCode(FunctionRef<std::string()> build) { return cpu::loadObject(counted(build)); }

CacheStatistics cacheStatistics() {
  return {statistics.compilations, statistics.memoryHits, statistics.diskHits, statistics.damaged};
}

void clearMemoryCache() { MemoryCache::get().clear(); }

std::string defaultCacheDirectory() {
  if (const char *named = std::getenv("TESSERA_CACHE_DIR")) return named;
  if (const char *base = std::getenv("XDG_CACHE_HOME"); base && *base == '/') return std::string(base) + "/tessera";
  if (const char *home = std::getenv("HOME"); home && *home == '/') return std::string(home) + "/.cache/tessera";
  return "";
}

} // namespace tessera
