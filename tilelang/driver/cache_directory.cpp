// Safety checks on the cache directory. They look at the open descriptor, so that nothing can be swapped in between.
#include "tilelang/driver/cache_directory.h"

#include "core/error.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace tessera {
namespace {

[[noreturn]] void refuse(const std::string &path, const std::string &why, const char *advice) {
  throw Error(Diagnostic{fmt::format("kernel cache directory {} {}", path, why), {}, advice});
}

std::string userName(uid_t id) {
  passwd entry{}, *found = nullptr;
  char buffer[1024];
  if (getpwuid_r(id, &entry, buffer, sizeof buffer, &found) == 0 && found) return found->pw_name;
  return fmt::format("user {}", id);
}

void requireSafe(const std::string &path, int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0) refuse(path, "cannot be examined", "name another one in TESSERA_CACHE_DIR");
  if (status.st_uid != geteuid())
    refuse(path, fmt::format("belongs to {}, not to {}", userName(status.st_uid), userName(geteuid())),
           "name one of your own in TESSERA_CACHE_DIR");
  if (status.st_mode & (S_IWGRP | S_IWOTH))
    refuse(path, fmt::format("has mode {:04o}, so that others can write code into it", status.st_mode & 07777),
           "make it private with chmod 700");
}

/// O_NOFOLLOW reports a link as no directory; tell them apart for the message.
void explainFailure(const std::string &path) {
  struct stat status{};
  if (lstat(path.c_str(), &status) != 0) return;
  if (S_ISLNK(status.st_mode)) refuse(path, "is a symbolic link", "name the directory itself in TESSERA_CACHE_DIR");
  if (!S_ISDIR(status.st_mode)) refuse(path, "is not a directory", "name another one in TESSERA_CACHE_DIR");
}

} // namespace

int openCacheDirectory(const std::string &given) {
  std::string path = given;
  while (path.size() > 1 && path.ends_with('/')) path.pop_back(); // a link with a slash behind it would be followed
  if (mkdir(path.c_str(), 0700) != 0 && errno == ENOENT) {
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    mkdir(path.c_str(), 0700);
  }
  int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) {
    explainFailure(path);
    return -1;
  }
  try {
    requireSafe(path, descriptor);
  } catch (...) {
    close(descriptor);
    throw;
  }
  if (faccessat(descriptor, ".", W_OK | X_OK, 0) == 0) return descriptor;
  close(descriptor);
  return -1;
}

} // namespace tessera
