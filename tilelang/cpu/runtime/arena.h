// The scratch memory of one thread's blocks: kept between launches, grown as needed, never cleared.
#pragma once

#include <cstddef>

namespace tessera::cpu {

/// Memory for the blocks that this thread runs while the lease lives. A lease taken while another one of the same
/// thread is alive has memory of its own. Throws Error if the system has no memory left.
class ArenaLease {
public:
  explicit ArenaLease(size_t bytes);
  ~ArenaLease();
  ArenaLease(const ArenaLease &) = delete;
  ArenaLease &operator=(const ArenaLease &) = delete;

  /// Aligned to a page, to a huge page from 2 MiB on; null for a lease of no bytes.
  char *data() const { return memory; }

private:
  char *memory = nullptr;
  size_t ownBytes = 0; // of a mapping that ends with the lease
  bool cached = false;
};

/// Fresh pages, aligned as those of a lease, and their return with the same number of bytes. Throws Error if the system
/// has no memory left.
char *mapScratch(size_t bytes);
void unmapScratch(char *memory, size_t bytes);

} // namespace tessera::cpu
