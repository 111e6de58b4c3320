// Compilation without the cache, and what the cache saves.
#include "bench/cases/cases.h"
#include "bench/cases/first_compile.h"
#include "bench/kernels/kernels.h"
#include "core/error.h"
#include "examples/registry.h"
#include "tilelang/driver/cache.h"
#include "tilelang/driver/compile.h"

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace tessera::bench {
namespace {

double secondsOf(const std::function<void()> &body) {
  auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Contestant laterCompile() {
  return {.name = "tessera", .seconds = [factor = 1.0]() mutable {
            factor += 1; // another program each time
            return secondsOf([&] { compile(scaleProgram(factor), "cpu", {.useCache = false}); });
          }};
}

Contestant gemmCompile() {
  return {.name = "tessera", .seconds = [] {
            const examples::Example &example = examples::find("gemm_bias_act");
            return secondsOf([&] { compile(example.program(), "cpu", {.useCache = false}); });
          }};
}

/// A directory of its own, removed with the contestant.
struct CacheDirectory {
  std::string path = std::filesystem::temp_directory_path() / fmt::format("tessera_bench_{}", getpid());
  ~CacheDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

/// Compiles a program whose code is there already; throws Error if it was not found where it should be.
Contestant cacheHit(int64_t CacheStatistics::*hits, bool keepMemory) {
  auto directory = std::make_shared<CacheDirectory>();
  auto program = std::make_shared<Program>(scaleProgram(0.5));
  clearMemoryCache(); // where another case may have left the same kernel, which would then not be written
  compile(*program, "cpu", {.cacheDirectory = directory->path});
  return {.name = "tessera", .seconds = [=] {
            if (!keepMemory) clearMemoryCache();
            int64_t before = cacheStatistics().*hits;
            double seconds = secondsOf([&] { compile(*program, "cpu", {.cacheDirectory = directory->path}); });
            if (cacheStatistics().*hits == before) throw Error({"the kernel was not found in the cache", {}, ""});
            return seconds;
          }};
}

Case timeCase(const char *name, const char *what, double seconds, const std::function<Contestant()> &ours) {
  return {.name = name,
          .sizes = what,
          .threads = 1,
          .limit = Limit::none,
          .bar = {.kind = Bar::Kind::secondsAtMost, .value = seconds},
          .work = {},
          .quick = true,
          .prepare = [=] { return Prepared{.ours = ours(), .peers = {}, .poison = {}, .check = {}}; }};
}

Contestant firstCompile() {
  return {.name = "tessera", .seconds = [] { return secondsOfFirstCompile(); }};
}

} // namespace

std::vector<Case> compileCases() {
  auto memoryHit = [] { return cacheHit(&CacheStatistics::memoryHits, true); };
  auto diskHit = [] { return cacheHit(&CacheStatistics::diskHits, false); };
  return {timeCase("compile/first", "first kernel of a process", 30e-3, firstCompile),
          timeCase("compile/later", "small kernel", 15e-3, laterCompile),
          timeCase("compile/gemm", "GEMM with epilogue", 80e-3, gemmCompile),
          timeCase("cache/memory", "small kernel", 3e-6, memoryHit),
          timeCase("cache/disk", "small kernel", 2e-3, diskHit)};
}

} // namespace tessera::bench
