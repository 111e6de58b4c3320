// tl list, tl devices.
#include "core/thread_pool.h"
#include "examples/registry.h"
#include "tilelang/cpu/CpuIsa.h"
#include "tilelang/driver/cache.h"
#include "tilelang/driver/target.h"
#include "tilelang/tools/tl/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera::tool {

int listExamples() {
  for (const examples::Example &example : examples::allExamples())
    fmt::print("{:24} {:16} {}\n", example.name, fmt::format("{}", fmt::join(example.sizeNames, ", ")),
               example.summary);
  return 0;
}

int listDevices() {
  const cpu::CpuIsa &isa = cpu::cpuIsa();
  fmt::print("{} {}, {} threads, caches {} KiB, {} KiB, {} KiB\n", isa.cpu, isa.name, defaultThreads(),
             isa.l1Bytes >> 10, isa.l2Bytes >> 10, isa.l3Bytes >> 10);
  std::string directory = defaultCacheDirectory();
  fmt::print("kernel cache: {}\n", directory.empty() ? "in memory only" : directory);
  for (const TargetInfo &target : targets())
    fmt::print("{:16} {:52} {}\n", target.name, target.description, target.available ? "available" : target.reason);
  return 0;
}

} // namespace tessera::tool
