// Scratch memory straight from the system, one cached mapping per thread.
#include "tilelang/cpu/runtime/arena.h"

#include "core/error.h"

#include <fmt/format.h>

#include <cstdint>
#include <sys/mman.h>

namespace tessera::cpu {
namespace {

constexpr size_t kPage = 4096, kHugePage = size_t{2} << 20;

size_t roundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

/// The bytes that `map` reserves for a request.
size_t mappedBytes(size_t bytes) { return roundUp(bytes, bytes < kHugePage ? kPage : kHugePage); }

[[noreturn]] void refuse(size_t bytes) {
  throw Error(Diagnostic{fmt::format("no memory for the on-chip buffers of a block: {} bytes", bytes),
                         {},
                         "use smaller tiles or fewer threads"});
}

char *mapPages(size_t bytes) {
  void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? nullptr : static_cast<char *>(at);
}

/// Maps mappedBytes(bytes); large mappings start at a huge page's boundary.
char *map(size_t bytes) {
  if (bytes > SIZE_MAX / 4) refuse(bytes);
  size_t size = mappedBytes(bytes);
  if (size < kHugePage) {
    char *at = mapPages(size);
    return at ? at : (refuse(bytes), nullptr);
  }
  char *raw = mapPages(size + kHugePage);
  if (!raw) refuse(bytes);
  size_t head = roundUp(reinterpret_cast<uintptr_t>(raw), kHugePage) - reinterpret_cast<uintptr_t>(raw);
  if (head > 0) munmap(raw, head);
  munmap(raw + head + size, kHugePage - head);
  madvise(raw + head, size, MADV_HUGEPAGE); // only a wish
  return raw + head;
}

struct ThreadArena {
  char *memory = nullptr;
  size_t bytes = 0; // as mapped
  bool leased = false;

  ~ThreadArena() { release(); }
  void release() {
    if (memory) munmap(memory, bytes);
    memory = nullptr;
    bytes = 0;
  }
  char *reserve(size_t wanted) {
    if (wanted <= bytes) return memory;
    release();
    memory = map(wanted);
    bytes = mappedBytes(wanted);
    return memory;
  }
};

thread_local ThreadArena threadArena;

} // namespace

char *mapScratch(size_t bytes) { return map(bytes); }
void unmapScratch(char *memory, size_t bytes) { munmap(memory, mappedBytes(bytes)); }

ArenaLease::ArenaLease(size_t bytes) {
  if (bytes == 0) return;
  if (threadArena.leased) {
    memory = map(bytes);
    ownBytes = mappedBytes(bytes);
    return;
  }
  memory = threadArena.reserve(bytes);
  threadArena.leased = cached = true;
}

ArenaLease::~ArenaLease() {
  if (cached) threadArena.leased = false;
  if (ownBytes > 0) munmap(memory, ownBytes);
}

} // namespace tessera::cpu
