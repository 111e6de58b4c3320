// Least recently used first, by modification time, which a hit renews.
#include "tilelang/driver/cache_eviction.h"

#include <algorithm>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <vector>

namespace tessera {
namespace {

constexpr time_t kTemporarySeconds = 3600;

struct Entry {
  std::string name;
  int64_t bytes = 0;
  timespec used{};

  bool operator<(const Entry &other) const {
    return std::tie(used.tv_sec, used.tv_nsec) < std::tie(other.used.tv_sec, other.used.tv_nsec);
  }
};

struct CloseDirectory {
  void operator()(DIR *directory) const { closedir(directory); }
};

/// The directory may hold files of others.
bool isNamedByUs(std::string_view name, std::string_view prefix, size_t digits, std::string_view suffix) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return false;
  if (name.size() != prefix.size() + digits + suffix.size()) return false;
  return name.substr(prefix.size(), digits).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Lists the entries and removes left-over temporary files on the way.
std::vector<Entry> listEntries(int directory) {
  std::vector<Entry> entries;
  // A descriptor of its own: reading a directory moves its offset.
  std::unique_ptr<DIR, CloseDirectory> listing(fdopendir(openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
  if (!listing) return entries;
  while (dirent *item = readdir(listing.get())) {
    std::string_view name = item->d_name;
    bool isTemporary = isNamedByUs(name, kTemporaryPrefix, 16, {});
    struct stat status{};
    if (!isTemporary && !isNamedByUs(name, {}, 32, kEntrySuffix)) continue;
    if (fstatat(directory, item->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!isTemporary)
      entries.push_back({std::string(name), static_cast<int64_t>(status.st_size), status.st_mtim});
    else if (status.st_mtim.tv_sec + kTemporarySeconds < time(nullptr))
      unlinkat(directory, item->d_name, 0);
  }
  return entries;
}

} // namespace

void evictEntries(int directory, int64_t maxBytes) {
  std::vector<Entry> entries = listEntries(directory);
  int64_t total = 0;
  for (const Entry &entry : entries) total += entry.bytes;
  if (total <= maxBytes) return;
  std::ranges::sort(entries, [](const Entry &a, const Entry &b) { return a < b; });
  for (const Entry &entry : entries) {
    if (total <= maxBytes / 10 * 9) return;
    unlinkat(directory, entry.name.c_str(), 0);
    total -= entry.bytes;
  }
}

} // namespace tessera
