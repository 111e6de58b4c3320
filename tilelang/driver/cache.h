// The kernel cache: compiled code by content, in memory and on disk.
//
// The key is a hash of the program's text, the target with its instruction set and chip description, the options that
// change code, and the compiler itself. Source lines belong to it only where the code holds them (assertions, bounds
// checks).
//
// On disk, code lies in $TESSERA_CACHE_DIR, else in $XDG_CACHE_HOME/tessera, else in ~/.cache/tessera; an empty
// TESSERA_CACHE_DIR turns the disk cache off. The directory is made with mode 0700. One that is a symbolic link,
// belongs to another user or can be written by others is refused with an Error, since its contents are run. Where it
// cannot be made or written, or there is no home, kernels are kept in memory only.
//
// Any number of processes share a directory. Entries appear whole or not at all, and only one process compiles a given
// key while others wait for it; the lock of a process that dies is gone with it. An entry that is damaged is compiled
// again. Beyond kMaxCacheBytes the least recently used entries are removed. Nothing is flushed to the medium: what a
// power failure damages is compiled again.
#pragma once

#include <cstdint>
#include <string>

namespace tessera {

constexpr int64_t kMaxCacheBytes = int64_t{1} << 30;

/// What happened in this process so far.
struct CacheStatistics {
  int64_t compilations = 0;
  int64_t memoryHits = 0;
  int64_t diskHits = 0;
  /// Entries found damaged on disk.
  int64_t damaged = 0;
};
CacheStatistics cacheStatistics();

/// Forgets the kernels kept in memory. Kernels that the program holds stay usable.
void clearMemoryCache();

/// The directory used unless a call names another one; empty where there is none.
std::string defaultCacheDirectory();

} // namespace tessera
