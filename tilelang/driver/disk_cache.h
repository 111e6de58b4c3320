// Code in a directory that many processes share; see cache.h for the promises.
#pragma once

#include "core/function_ref.h"
#include "core/hash.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tessera {

/// A file descriptor that is closed in the end.
class FileHandle {
public:
  explicit FileHandle(int descriptor = -1) : descriptor(descriptor) {}
  ~FileHandle();
  FileHandle(FileHandle &&other) noexcept : descriptor(std::exchange(other.descriptor, -1)) {}
  FileHandle &operator=(FileHandle &&other) noexcept {
    std::swap(descriptor, other.descriptor);
    return *this;
  }
  int get() const { return descriptor; }
  explicit operator bool() const { return descriptor >= 0; }

private:
  int descriptor;
};

class DiskCache {
public:
  enum class Outcome : uint8_t { found, built, rebuilt };

  /// Opens the directory, making it if need be. Nothing where it cannot be made or written; throws Error where it is
  /// not safe to use.
  static std::optional<DiskCache> open(const std::string &path, int64_t maxBytes);

  /// The code of `key`, built and stored if there is none or it is damaged. While one caller builds, others with the
  /// same key wait, in this process and in others. What `build` throws goes to the caller and nothing is stored.
  std::pair<std::string, Outcome> findOrBuild(const Hash128 &key, FunctionRef<std::string()> build);

  /// The entry of `key` if it is there and whole; puts one there in the place of any other. False where it could not be
  /// written.
  std::optional<std::string> find(const Hash128 &key) const;
  bool store(const Hash128 &key, std::string_view content) const;

  /// Forgets one entry.
  void remove(const Hash128 &key);

private:
  enum class Finding : uint8_t { absent, damaged, found };

  std::string path;
  int64_t maxBytes;
  FileHandle directory;

  DiskCache(std::string path, int64_t maxBytes, FileHandle directory)
      : path(std::move(path)), maxBytes(maxBytes), directory(std::move(directory)) {}

  Finding read(const Hash128 &key, std::string &code) const;
  FileHandle lock(const Hash128 &key) const;
  bool publish(const Hash128 &key, std::string_view code) const;
  void limitSize(int64_t added) const;
};

} // namespace tessera
