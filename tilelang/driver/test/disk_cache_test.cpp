// The directory of compiled code: safety, damage, races between processes, processes that die.
#include "tilelang/driver/disk_cache.h"

#include "core/test/expect_error.h"
#include "core/test/random_source.h"
#include "tilelang/driver/cache_eviction.h"
#include "tilelang/driver/test/children.h"

#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>
#include <thread>

namespace tessera {
namespace {

namespace fs = std::filesystem;
using Outcome = DiskCache::Outcome;

constexpr int64_t kRoom = 1 << 30;

Hash128 keyOf(int n) { return hash128(fmt::format("key {}", n)); }

/// What the code of a key looks like: long, and different for every key.
std::string codeOf(int n, size_t bytes = 5000) {
  std::string code;
  while (code.size() < bytes) code += fmt::format("code of {} at {}; ", n, code.size());
  return code;
}

std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void writeFile(const std::string &path, std::string_view content) {
  std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

class DiskCacheTest : public testing::Test {
protected:
  TemporaryFolder folder;
  std::string directory = folder.path("cache"), log = folder.path("log");

  DiskCache openCache(int64_t maxBytes = kRoom) const { return DiskCache::open(directory, maxBytes).value(); }

  std::string entryPath(int n) const { return directory + "/" + keyOf(n).hex() + kEntrySuffix; }

  /// Finds or builds; every build leaves a line in the log.
  Outcome use(DiskCache &cache, int n, size_t bytes = 5000) const {
    auto [code, outcome] = cache.findOrBuild(keyOf(n), [&] {
      int file = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
      std::string line = fmt::format("{}\n", n);
      EXPECT_EQ(write(file, line.data(), line.size()), static_cast<ssize_t>(line.size()));
      close(file);
      return codeOf(n, bytes);
    });
    EXPECT_EQ(code, codeOf(n, bytes));
    return outcome;
  }

  int64_t builds() const {
    std::string lines = readFile(log);
    return std::count(lines.begin(), lines.end(), '\n');
  }
};

TEST_F(DiskCacheTest, BuildsOnceAndFindsAgain) {
  DiskCache cache = openCache();
  EXPECT_EQ(use(cache, 1), Outcome::built);
  EXPECT_EQ(use(cache, 1), Outcome::found);
  EXPECT_EQ(use(cache, 2), Outcome::built);
  DiskCache other = openCache();
  EXPECT_EQ(use(other, 1), Outcome::found);
  other.remove(keyOf(1));
  EXPECT_EQ(use(cache, 1), Outcome::built);
  EXPECT_EQ(builds(), 3);
}

TEST_F(DiskCacheTest, MakesAPrivateDirectoryWithItsParents) {
  directory = folder.path("a/b/c/cache/");
  DiskCache cache = openCache();
  struct stat status{};
  ASSERT_EQ(stat(directory.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700u);
  use(cache, 1);
  ASSERT_EQ(stat(entryPath(1).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
}

TEST_F(DiskCacheTest, RefusesASymbolicLink) {
  fs::create_directory(folder.path("elsewhere"));
  fs::create_directory_symlink(folder.path("elsewhere"), directory);
  EXPECT_ERROR(DiskCache::open(directory, kRoom), "kernel cache directory " + directory + " is a symbolic link");
  EXPECT_ERROR(DiskCache::open(directory + "/", kRoom), "is a symbolic link");
  fs::remove(directory);
  fs::create_directory_symlink(folder.path("nowhere"), directory);
  EXPECT_ERROR(DiskCache::open(directory, kRoom), "is a symbolic link");
}

TEST_F(DiskCacheTest, RefusesADirectoryThatOthersCanWrite) {
  for (mode_t mode : {0777, 0720, 0702}) {
    fs::create_directory(directory);
    ASSERT_EQ(chmod(directory.c_str(), mode), 0);
    EXPECT_ERROR(DiskCache::open(directory, kRoom),
                 fmt::format("kernel cache directory {} has mode {:04o}, so that others can write", directory, mode));
    fs::remove(directory);
  }
}

TEST_F(DiskCacheTest, RefusesTheDirectoryOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a directory away";
  fs::create_directory(directory);
  ASSERT_EQ(chown(directory.c_str(), 54321, 54321), 0);
  EXPECT_ERROR(DiskCache::open(directory, kRoom),
               "kernel cache directory " + directory + " belongs to user 54321, not to root");
}

TEST_F(DiskCacheTest, RefusesAFile) {
  writeFile(directory, "not a directory");
  EXPECT_ERROR(DiskCache::open(directory, kRoom), "kernel cache directory " + directory + " is not a directory");
}

TEST_F(DiskCacheTest, GoesWithoutADirectoryThatCannotBeMade) {
  writeFile(folder.path("file"), "");
  EXPECT_FALSE(DiskCache::open(folder.path("file/cache"), kRoom));
  EXPECT_FALSE(DiskCache::open("/proc/cache", kRoom));
}

TEST_F(DiskCacheTest, RebuildsWhatIsTruncatedAnywhere) {
  DiskCache cache = openCache();
  use(cache, 1, 40);
  const std::string whole = readFile(entryPath(1));
  for (size_t length = 0; length < whole.size(); length += 3) {
    writeFile(entryPath(1), whole.substr(0, length));
    ASSERT_EQ(use(cache, 1, 40), Outcome::rebuilt) << length;
    ASSERT_EQ(readFile(entryPath(1)), whole);
  }
}

TEST_F(DiskCacheTest, RebuildsWhereAnyByteIsChangedOrAdded) {
  DiskCache cache = openCache();
  use(cache, 1, 40);
  const std::string whole = readFile(entryPath(1));
  for (size_t at = 0; at < whole.size(); at += 3) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 1 << at % 8);
    writeFile(entryPath(1), changed);
    ASSERT_EQ(use(cache, 1, 40), Outcome::rebuilt) << at;
  }
  writeFile(entryPath(1), whole + "x");
  EXPECT_EQ(use(cache, 1, 40), Outcome::rebuilt);
}

TEST_F(DiskCacheTest, RebuildsWhatIsNotItsOwnEntry) {
  DiskCache cache = openCache();
  use(cache, 1);
  use(cache, 2);
  fs::copy_file(entryPath(1), entryPath(2), fs::copy_options::overwrite_existing);
  EXPECT_EQ(use(cache, 2), Outcome::rebuilt);
  fs::remove(entryPath(2));
  fs::create_symlink(entryPath(1), entryPath(2));
  EXPECT_EQ(use(cache, 2), Outcome::rebuilt);
  EXPECT_FALSE(fs::is_symlink(entryPath(2)));
  fs::remove(entryPath(2));
  ASSERT_EQ(mkfifo(entryPath(2).c_str(), 0600), 0);
  EXPECT_EQ(use(cache, 2), Outcome::rebuilt);
  EXPECT_EQ(use(cache, 2), Outcome::found);
}

TEST_F(DiskCacheTest, RebuildsTheEntryOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  DiskCache cache = openCache();
  use(cache, 1);
  ASSERT_EQ(chown(entryPath(1).c_str(), 54321, 54321), 0);
  EXPECT_EQ(use(cache, 1), Outcome::rebuilt);
  EXPECT_EQ(use(cache, 1), Outcome::found);
}

TEST_F(DiskCacheTest, StoresNothingWhereTheBuildFails) {
  DiskCache cache = openCache();
  auto failing = []() -> std::string { throw Error(Diagnostic{"no code today", {}, {}}); };
  EXPECT_ERROR(cache.findOrBuild(keyOf(1), failing), "no code today");
  EXPECT_EQ(use(cache, 1), Outcome::built);
}

TEST_F(DiskCacheTest, BuildsOnceForManyThreads) {
  DiskCache cache = openCache();
  std::vector<std::thread> threads(8);
  for (std::thread &thread : threads)
    thread = std::thread([&] {
      for (int n = 0; n < 10; ++n) use(cache, n);
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(builds(), 10);
}

TEST_F(DiskCacheTest, BuildsOnceForManyProcesses) {
  constexpr int kKeys = 40;
  std::vector<int> results = runInChildren(6, [&](int child) {
    DiskCache cache = openCache();
    for (int i = 0; i < kKeys; ++i) use(cache, (i + child) % kKeys);
    return HasFailure() ? 1 : 0;
  });
  EXPECT_EQ(results, std::vector<int>(6, 0));
  EXPECT_EQ(builds(), kKeys);
}

TEST_F(DiskCacheTest, GoesOnWhenTheProcessThatBuildsIsKilled) {
  DiskCache cache = openCache();
  std::string started = folder.path("started");
  pid_t child = startChild([&] {
    openCache().findOrBuild(keyOf(1), [&]() -> std::string {
      writeFile(started, "");
      pause();
      return "";
    });
    return 0;
  });
  while (!fs::exists(started)) usleep(1000);
  std::thread killer([&] {
    usleep(20000);
    kill(child, SIGKILL);
  });
  EXPECT_EQ(use(cache, 1), Outcome::built);
  killer.join();
  EXPECT_EQ(waitForChild(child), -1);
}

TEST_F(DiskCacheTest, SurvivesKillsAtAnyMoment) {
  constexpr int kKeys = 50;
  auto random = randomSource();
  for (int round = 0; round < 60; ++round) {
    pid_t child = startChild([&] {
      DiskCache cache = openCache(4 << 20); // small, so that entries are evicted as well
      for (int n = round;; ++n) use(cache, n % kKeys, 200000);
      return 0;
    });
    usleep(std::uniform_int_distribution<useconds_t>(0, 8000)(random));
    kill(child, SIGKILL);
    ASSERT_EQ(waitForChild(child), -1) << "the child ended by itself";
  }
  DiskCache cache = openCache();
  int damaged = 0;
  for (int n = 0; n < kKeys; ++n) damaged += use(cache, n, 200000) == Outcome::rebuilt;
  EXPECT_EQ(damaged, 0) << "an entry appeared before it was whole";
  for (int n = 0; n < kKeys; ++n) EXPECT_EQ(use(cache, n, 200000), Outcome::found);
}

int64_t entryBytes(const std::string &directory) {
  int64_t bytes = 0;
  for (const auto &item : fs::directory_iterator(directory))
    if (item.path().extension() == kEntrySuffix) bytes += static_cast<int64_t>(item.file_size());
  return bytes;
}

TEST_F(DiskCacheTest, StaysBelowItsSizeAndKeepsWhatIsUsed) {
  constexpr int64_t kMax = 200000;
  DiskCache cache = openCache(kMax);
  use(cache, 0);
  for (int n = 1; n < 200; ++n) {
    use(cache, n);
    ASSERT_EQ(use(cache, 0), Outcome::found) << n;
    ASSERT_LE(entryBytes(directory), kMax + kMax / 16 + 6000);
  }
  EXPECT_GT(entryBytes(directory), kMax / 2);
  EXPECT_EQ(use(cache, 199), Outcome::found);
  EXPECT_EQ(use(cache, 1), Outcome::built);
}

TEST_F(DiskCacheTest, RemovesOldFilesOfKilledWriters) {
  openCache();
  std::string old = directory + "/" + kTemporaryPrefix + "0123456789abcdef";
  std::string fresh = directory + "/" + kTemporaryPrefix + "fedcba9876543210";
  writeFile(old, "half an entry");
  writeFile(fresh, "half an entry");
  timespec times[2] = {{time(nullptr) - 7200, 0}, {time(nullptr) - 7200, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, old.c_str(), times, 0), 0);
  DiskCache cache = openCache();
  use(cache, 1);
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(fresh));
}

TEST_F(DiskCacheTest, LeavesFilesOfOthersAlone) {
  openCache();
  for (const char *name : {"main.o", "tmp-notes", "0123456789abcdef0123456789abcdeg.o"}) {
    writeFile(directory + "/" + name, "not ours");
    timespec times[2] = {{1000, 0}, {1000, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, (directory + "/" + name).c_str(), times, 0), 0);
  }
  DiskCache cache = openCache(20000);
  for (int n = 0; n < 30; ++n) use(cache, n);
  for (const char *name : {"main.o", "tmp-notes", "0123456789abcdef0123456789abcdeg.o"})
    EXPECT_TRUE(fs::exists(directory + "/" + name)) << name;
}

TEST_F(DiskCacheTest, GoesOnWhereTheDirectoryVanishes) {
  DiskCache cache = openCache();
  fs::remove_all(directory);
  EXPECT_EQ(use(cache, 1), Outcome::built);
  EXPECT_EQ(use(cache, 1), Outcome::built);
}

} // namespace
} // namespace tessera
