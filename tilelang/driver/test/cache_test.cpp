// The cache as `compile` uses it: directories, counts, and real processes that compile the same kernel.
#include "tilelang/driver/cache.h"
#include "tilelang/driver/compile.h"

#include "core/test/expect_error.h"
#include "tilelang/chips/chip_folder.h"
#include "tilelang/driver/test/children.h"
#include "tilelang/dsl/tl.h"

#include <fstream>

namespace tessera {
namespace {

using namespace tl;
namespace fs = std::filesystem;

Program doubleProgram(int64_t block = 64) {
  ProgramBuilder p("twice");
  Dim N = p.dim("N");
  Buffer x = p.input("x", f32, {N}), out = p.output("out", f32, {N});
  p.kernel({ceildiv(N, block)}, [&](Var b) {
    for (Var i : Parallel(block)) out(b * block + i) = x(b * block + i) * 2;
  });
  return p.build();
}

void expectDoubles(const Kernel &kernel) {
  Tensor x = Tensor::empty(DType::f32, {100}), out = Tensor::empty(DType::f32, {100});
  x.fillRandom(1, -1, 1);
  kernel(x, out);
  for (int64_t i = 0; i < 100; ++i) ASSERT_EQ(out.at({i}), 2 * x.at({i}));
}

class CacheTest : public testing::Test {
protected:
  TemporaryFolder folder;
  CompileOptions options;
  CacheStatistics before = cacheStatistics();

  CacheTest() {
    clearMemoryCache();
    options.cacheDirectory = folder.path("cache");
  }
  int64_t compilations() const { return cacheStatistics().compilations - before.compilations; }
  int64_t diskHits() const { return cacheStatistics().diskHits - before.diskHits; }
  int64_t damaged() const { return cacheStatistics().damaged - before.damaged; }

  std::vector<std::string> entries() const {
    std::vector<std::string> list;
    for (const auto &item : fs::directory_iterator(options.cacheDirectory))
      if (item.path().extension() == ".o") list.push_back(item.path());
    return list;
  }
};

TEST_F(CacheTest, FindsOnDiskWhatMemoryHasForgotten) {
  expectDoubles(compile(doubleProgram(), "cpu", options));
  clearMemoryCache();
  expectDoubles(compile(doubleProgram(), "cpu", options));
  EXPECT_EQ(compilations(), 1);
  EXPECT_EQ(diskHits(), 1);
  EXPECT_EQ(entries().size(), 1u);
}

TEST_F(CacheTest, KeepsNothingWhereItIsNotWanted) {
  options.useCache = false;
  expectDoubles(compile(doubleProgram(), "cpu", options));
  EXPECT_FALSE(fs::exists(options.cacheDirectory));
}

TEST_F(CacheTest, CompilesAgainWhatIsDamaged) {
  compile(doubleProgram(), "cpu", options);
  fs::resize_file(entries().at(0), 300);
  clearMemoryCache();
  expectDoubles(compile(doubleProgram(), "cpu", options));
  EXPECT_EQ(compilations(), 2);
  EXPECT_EQ(damaged(), 1);
}

TEST_F(CacheTest, RefusesAnUnsafeDirectoryAndSaysWhich) {
  fs::create_directory(options.cacheDirectory);
  fs::permissions(options.cacheDirectory, fs::perms::all);
  EXPECT_ERROR(compile(doubleProgram(), "cpu", options),
               "kernel cache directory " + options.cacheDirectory + " has mode 0777");
  fs::permissions(options.cacheDirectory, fs::perms::owner_all);
  EXPECT_NO_THROW(compile(doubleProgram(), "cpu", options));
}

TEST_F(CacheTest, GoesWithoutADirectoryThatCannotBeMade) {
  options.cacheDirectory = "/proc/no/cache";
  expectDoubles(compile(doubleProgram(), "cpu", options));
  EXPECT_EQ(compilations(), 1);
}

TEST_F(CacheTest, HasOneEntryForEachInstructionSet) {
  compile(doubleProgram(), "cpu", options);
  compile(doubleProgram(), "cpu:x86-64", options);
  compile(doubleProgram(32), "cpu", options);
  compile(doubleProgram(), "cpu", options);
  EXPECT_EQ(compilations(), 3);
  EXPECT_EQ(entries().size(), 3u);
}

/// A program that lies some lines further down in its file.
Program programAtLine(int line, bool asserting) {
  std::string text = std::string(static_cast<size_t>(line), '\n') + R"(
    func.func @k(%n: index) {
      tile.kernel (%b) in (%n) {
        %zero = arith.constant 0 : index
        %fine = arith.cmpi sge, %b, %zero : index
        )" + (asserting ? "tile.device_assert %fine, \"below zero\"" : "") +
                     "\n}\nreturn\n}";
  return Program::parse(text, "kernel.mlir");
}

TEST_F(CacheTest, HasOneEntryForEachChip) {
  compile(doubleProgram(), "cpu", options);
  options.chip = "x86-64";
  expectDoubles(compile(doubleProgram(), "cpu", options));
  std::string text, path = folder.path("mine.yaml");
  std::ifstream file(chips::cpuChipNamed("x86-64").path);
  text.assign(std::istreambuf_iterator<char>(file), {});
  text.replace(text.find("value: 256, unit: KiB"), 21, "value: 512, unit: KiB");
  std::ofstream(path) << text;
  options.chip = path;
  compile(doubleProgram(), "cpu", options);
  compile(doubleProgram(), "cpu", options);
  EXPECT_EQ(compilations(), 3);
}

TEST_F(CacheTest, CountsLinesOnlyWhereTheCodeHoldsThem) {
  compile(programAtLine(5, false), "cpu", options);
  compile(programAtLine(6, false), "cpu", options);
  EXPECT_EQ(compilations(), 1);
  compile(programAtLine(5, true), "cpu", options);
  compile(programAtLine(5, true), "cpu", options);
  EXPECT_EQ(compilations(), 2);
  compile(programAtLine(6, true), "cpu", options);
  EXPECT_EQ(compilations(), 3);
  options.trapOutOfBounds = true;
  compile(programAtLine(5, false), "cpu", options);
  compile(programAtLine(6, false), "cpu", options);
  EXPECT_EQ(compilations(), 5);
}

TEST_F(CacheTest, KeepsNoCodeOfAProgramThatDoesNotCompile) {
  ProgramBuilder p("bad");
  p.kernel({1}, [&](Var) { clear(allocShared({1 << 20, 1 << 10}, f32, "huge")); });
  Program bad = p.build();
  EXPECT_ERROR(compile(bad, "cpu", options), "cache_test.cpp:");
  EXPECT_ERROR(compile(bad, "cpu", options), "cache_test.cpp:");
  EXPECT_EQ(compilations(), 0);
}

TEST_F(CacheTest, CompilesOnceForManyProcesses) {
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the thread sanitizer refuses threads after a fork";
#endif
  std::vector<int> results = runInChildren(4, [&](int) {
    expectDoubles(compile(doubleProgram(), "cpu", options));
    return HasFailure() ? 50 : static_cast<int>(compilations());
  });
  EXPECT_EQ(std::count(results.begin(), results.end(), 1), 1);
  EXPECT_EQ(std::count(results.begin(), results.end(), 0), 3);
  expectDoubles(compile(doubleProgram(), "cpu", options));
  EXPECT_EQ(compilations(), 0);
}

TEST_F(CacheTest, SurvivesKilledCompilations) {
  for (useconds_t after = 0; after < 60000; after += 3000) {
    pid_t child = startChild([&] {
      for (int64_t block = 1;; ++block) compile(doubleProgram(block % 5 * 16 + 16), "cpu", options);
      return 0;
    });
    usleep(after);
    kill(child, SIGKILL);
    ASSERT_EQ(waitForChild(child), -1);
  }
  for (int64_t block : {16, 32, 48, 64, 80}) expectDoubles(compile(doubleProgram(block), "cpu", options));
  EXPECT_EQ(damaged(), 0);
  EXPECT_EQ(entries().size(), 5u);
}

/// Sets variables of the environment for one test.
class Environment {
public:
  explicit Environment(const std::vector<std::pair<std::string, const char *>> &wanted) {
    for (const auto &[name, value] : wanted) {
      const char *now = getenv(name.c_str());
      saved.emplace_back(name, now ? std::optional<std::string>(now) : std::nullopt);
      value ? setenv(name.c_str(), value, 1) : unsetenv(name.c_str());
    }
  }
  ~Environment() {
    for (const auto &[name, value] : saved) value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
  }
  Environment(const Environment &) = delete;
  Environment &operator=(const Environment &) = delete;

private:
  std::vector<std::pair<std::string, std::optional<std::string>>> saved;
};

std::string directoryWith(const char *own, const char *xdg, const char *home) {
  Environment environment({{"TESSERA_CACHE_DIR", own}, {"XDG_CACHE_HOME", xdg}, {"HOME", home}});
  return defaultCacheDirectory();
}

TEST(CacheDirectory, IsTheFirstThatTheEnvironmentNames) {
  EXPECT_EQ(directoryWith("/a", "/b", "/c"), "/a");
  EXPECT_EQ(directoryWith("", "/b", "/c"), "");
  EXPECT_EQ(directoryWith(nullptr, "/b", "/c"), "/b/tessera");
  EXPECT_EQ(directoryWith(nullptr, nullptr, "/c"), "/c/.cache/tessera");
  EXPECT_EQ(directoryWith(nullptr, "", "/c"), "/c/.cache/tessera");
  EXPECT_EQ(directoryWith(nullptr, nullptr, nullptr), "");
}

TEST(CacheDirectory, IsNotNeeded) {
  Environment environment({{"TESSERA_CACHE_DIR", nullptr}, {"XDG_CACHE_HOME", nullptr}, {"HOME", nullptr}});
  clearMemoryCache();
  expectDoubles(compile(doubleProgram(), "cpu"));
}

} // namespace
} // namespace tessera
