// Entries: a header and the code in one file, written aside and renamed into place. Locks: one byte of one file for
// each key, so that nothing has to be cleaned up and a dead process holds nothing.
#include "tilelang/driver/disk_cache.h"

#include "tilelang/driver/cache_directory.h"
#include "tilelang/driver/cache_eviction.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <random>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace tessera {
namespace {

constexpr uint64_t kMagic = 0x31304b5241535354; // "TSSARK01"
constexpr const char *kLockName = "lock";

/// How long to wait for another process that compiles the same key, which may be stopped in a debugger. Then this one
/// compiles for itself.
constexpr auto kPatience = std::chrono::minutes(2);

struct Header {
  uint64_t magic = kMagic;
  Hash128 key;
  uint64_t size = 0;
  Hash128 checksum; // of key, size and code
};

Header makeHeader(const Hash128 &key, std::string_view code) {
  Header header;
  header.key = key;
  header.size = code.size();
  header.checksum = Hasher().add(key.high).add(key.low).add(code).finish();
  return header;
}

std::string entryName(const Hash128 &key) { return key.hex() + kEntrySuffix; }

bool readAll(int file, char *to, size_t bytes) {
  while (bytes > 0) {
    ssize_t got = ::read(file, to, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

bool writeAll(int file, const char *from, size_t bytes) {
  while (bytes > 0) {
    ssize_t put = ::write(file, from, bytes);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    from += put;
    bytes -= static_cast<size_t>(put);
  }
  return true;
}

/// Names are random, not numbered: processes of different containers may share the directory and their numbers.
std::string temporaryName() {
  std::random_device random;
  return fmt::format("{}{:08x}{:08x}", kTemporaryPrefix, random(), random());
}

} // namespace

FileHandle::~FileHandle() {
  if (descriptor >= 0) close(descriptor);
}

std::optional<DiskCache> DiskCache::open(const std::string &path, int64_t maxBytes) {
  int descriptor = openCacheDirectory(path);
  if (descriptor < 0) return std::nullopt;
  return DiskCache(path, maxBytes, FileHandle(descriptor));
}

std::pair<std::string, DiskCache::Outcome> DiskCache::findOrBuild(const Hash128 &key,
                                                                  FunctionRef<std::string()> build) {
  std::string code;
  if (read(key, code) == Finding::found) return {std::move(code), Outcome::found};
  FileHandle held = lock(key);
  Finding finding = read(key, code); // another one may have built it meanwhile
  if (finding == Finding::found) return {std::move(code), Outcome::found};
  code = build();
  publish(key, code);
  return {std::move(code), finding == Finding::damaged ? Outcome::rebuilt : Outcome::built};
}

std::optional<std::string> DiskCache::find(const Hash128 &key) const {
  std::string content;
  if (read(key, content) != Finding::found) return std::nullopt;
  return content;
}

bool DiskCache::store(const Hash128 &key, std::string_view content) const { return publish(key, content); }

void DiskCache::remove(const Hash128 &key) { unlinkat(directory.get(), entryName(key).c_str(), 0); }

DiskCache::Finding DiskCache::read(const Hash128 &key, std::string &code) const {
  FileHandle file(openat(directory.get(), entryName(key).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file) return errno == ENOENT ? Finding::absent : Finding::damaged;
  struct stat status{};
  if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid())
    return Finding::damaged;
  auto bytes = static_cast<size_t>(status.st_size);
  Header header;
  if (bytes < sizeof header || !readAll(file.get(), reinterpret_cast<char *>(&header), sizeof header))
    return Finding::damaged;
  if (header.magic != kMagic || header.size != bytes - sizeof header) return Finding::damaged;
  code.resize(bytes - sizeof header);
  if (!readAll(file.get(), code.data(), code.size())) return Finding::damaged;
  Header expected = makeHeader(key, code);
  if (header.key != key || header.checksum != expected.checksum) return Finding::damaged;
  futimens(file.get(), nullptr); // used now
  return Finding::found;
}

FileHandle DiskCache::lock(const Hash128 &key) const {
  FileHandle file(openat(directory.get(), kLockName, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return file;
  struct flock range{};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(key.low >> 2); // far from the largest offset
  range.l_len = 1;
  auto deadline = std::chrono::steady_clock::now() + kPatience;
  auto pause = std::chrono::microseconds(200);
  // A lock of the open file, not of the process: it serves threads as well.
  while (fcntl(file.get(), F_OFD_SETLK, &range) != 0) {
    bool busy = errno == EAGAIN || errno == EACCES || errno == EINTR;
    if (!busy || std::chrono::steady_clock::now() > deadline) break;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::microseconds(10000));
  }
  return file;
}

bool DiskCache::publish(const Hash128 &key, std::string_view code) const {
  std::string temporary = temporaryName();
  FileHandle file(
      openat(directory.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return false; // a full or read-only disk: go on without
  Header header = makeHeader(key, code);
  bool written = writeAll(file.get(), reinterpret_cast<const char *>(&header), sizeof header) &&
                 writeAll(file.get(), code.data(), code.size());
  if (written && renameat(directory.get(), temporary.c_str(), directory.get(), entryName(key).c_str()) == 0) {
    limitSize(static_cast<int64_t>(sizeof header + code.size()));
    return true;
  }
  unlinkat(directory.get(), temporary.c_str(), 0);
  return false;
}

/// Looks at the whole directory at first, and again whenever a good part of the limit has been added since.
void DiskCache::limitSize(int64_t added) const {
  static std::mutex mutex;
  static std::map<std::string, int64_t> addedSince;
  std::lock_guard guard(mutex);
  auto [known, isNew] = addedSince.try_emplace(path, 0);
  known->second += added;
  if (!isNew && known->second < maxBytes / 16) return;
  known->second = 0;
  evictEntries(directory.get(), maxBytes);
}

} // namespace tessera
