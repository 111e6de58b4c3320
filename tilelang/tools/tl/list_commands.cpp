// tl list, tl devices.
#include "core/error.h"
#include "core/thread_pool.h"
#include "examples/registry.h"
#include "tilelang/chips/chip_folder.h"
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

/// How well a figure is known stands in front of where it comes from.
void printFigures(const chips::CpuChip &chip) {
  for (const auto &[name, figure] : *chip.figures)
    fmt::print("  {:20} {:>10.6g} {:10} {:12} {}\n", name, figure.value, figure.unit, chips::name(figure.confidence),
               figure.source);
}

} // namespace

int listExamples() {
  for (const examples::Example &example : examples::allExamples())
    fmt::print("{:24} {:20} {}\n", example.name, fmt::format("{}", fmt::join(example.sizeNames, ", ")),
               example.summary);
  return 0;
}

int listDevices(const Options &options) {
  const cpu::CpuIsa &isa = cpu::cpuIsa();
  const chips::CpuChip chip = options.chip.empty() ? isa.chip : chips::cpuChipNamed(options.chip);
  fmt::print("{} {}, {} threads, caches {} KiB, {} KiB, {} KiB\n", isa.cpu, isa.name, defaultThreads(),
             chip.l1Bytes >> 10, chip.l2Bytes >> 10, chip.l3Bytes >> 10);
  fmt::print("chip: {}, {}, described in {}\n", chip.name, chip.summary, chip.path);
  if (options.figures) printFigures(chip);
  fmt::print("kernel cache: {}\n", cacheText());
  for (const TargetInfo &target : targets())
    fmt::print("{:16} {:60} {}\n", target.name, target.description, target.available ? "available" : target.reason);
  return 0;
}

} // namespace tessera::tool
