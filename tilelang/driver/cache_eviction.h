// Keeps a cache directory below its size.
#pragma once

#include <cstdint>

namespace tessera {

constexpr const char *kEntrySuffix = ".o";
constexpr const char *kTemporaryPrefix = "tmp-";

/// If the entries have more than `maxBytes` together, removes the least recently used ones until nine tenths of it are
/// left; also what processes that were killed while writing left behind an hour ago or longer. Entries may appear and
/// vanish meanwhile.
void evictEntries(int directory, int64_t maxBytes);

} // namespace tessera
