// tl list, tl devices.
#include "core/error.h"
#include "core/thread_pool.h"
#include "examples/registry.h"
#include "tilelang/cpu/CpuIsa.h"
#include "tilelang/driver/cache.h"
#include "tilelang/driver/disk_cache.h"
#include "tilelang/driver/target.h"
#include "tilelang/tools/tl/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera::tool {
namespace {

/// Where kernels are kept, or why they are not.
std::string cacheText() {
  std::string directory = defaultCacheDirectory();
  if (directory.empty()) return "in memory only";
  try {
    if (DiskCache::open(directory, kMaxCacheBytes)) return directory;
    return fmt::format("in memory only, {} cannot be made or written", directory);
  } catch (const Error &error) {
    return "refused: " + error.diagnostics().front().what;
  }
}

} // namespace

int listExamples() {
  for (const examples::Example &example : examples::allExamples())
    fmt::print("{:24} {:20} {}\n", example.name, fmt::format("{}", fmt::join(example.sizeNames, ", ")),
               example.summary);
  return 0;
}

int listDevices() {
  const cpu::CpuIsa &isa = cpu::cpuIsa();
  fmt::print("{} {}, {} threads, caches {} KiB, {} KiB, {} KiB\n", isa.cpu, isa.name, defaultThreads(),
             isa.l1Bytes >> 10, isa.l2Bytes >> 10, isa.l3Bytes >> 10);
  fmt::print("kernel cache: {}\n", cacheText());
  for (const TargetInfo &target : targets())
    fmt::print("{:16} {:60} {}\n", target.name, target.description, target.available ? "available" : target.reason);
  return 0;
}

} // namespace tessera::tool
