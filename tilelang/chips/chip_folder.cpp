// Looks beside the library itself, so that an installed tree may be moved.
#include "tilelang/chips/chip_folder.h"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera::chips {
namespace {

namespace fs = std::filesystem;

std::vector<CpuChip> readFolder() {
  fs::path folder = chipFolder();
  std::vector<std::string> paths;
  std::error_code missing;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, missing))
    if (std::string name = entry.path().filename(); name.starts_with("cpu-") && name.ends_with(".yaml"))
      paths.push_back(entry.path());
  if (paths.empty())
    throw Error(Diagnostic{fmt::format("there are no chip descriptions in {}", folder.string()),
                           {},
                           "install them with the library, or name a file in TESSERA_CHIP"});
  std::ranges::sort(paths);
  std::vector<CpuChip> chips;
  for (const std::string &path : paths) chips.push_back(readCpuChip(path));
  return chips;
}

const std::vector<CpuChip> &cpuChips() {
  static const std::vector<CpuChip> chips = readFolder();
  return chips;
}

} // namespace

std::string chipFolder() {
  Dl_info library{};
  dladdr(reinterpret_cast<const void *>(&chipFolder), &library);
  fs::path place = library.dli_fname ? fs::path(library.dli_fname) : fs::path();
  std::error_code ignored;
  return (fs::absolute(place, ignored).parent_path() / TESSERA_CHIPS_FROM_LIBRARY).lexically_normal();
}

CpuChip cpuChipNamed(const std::string &name) {
  if (name.ends_with(".yaml") || name.find('/') != std::string::npos) return readCpuChip(name);
  for (const CpuChip &chip : cpuChips())
    if (chip.name == name) return chip;
  throw Error(Diagnostic{fmt::format("unknown chip '{}'", name),
                         {},
                         fmt::format("known are {}; or name a .yaml file", fmt::join(cpuChipNames(), ", "))});
}

CpuChip cpuChipFor(std::string_view cpu, std::string_view level) {
  const std::vector<CpuChip> &all = cpuChips();
  auto holds = [](std::string_view name, const std::vector<std::string> &names) {
    return std::ranges::find(names, name) != names.end();
  };
  auto found = std::ranges::find_if(all, [&](const CpuChip &chip) { return holds(cpu, chip.cpus); });
  if (found == all.end())
    found = std::ranges::find_if(all, [&](const CpuChip &chip) { return holds(level, chip.levels); });
  if (found == all.end())
    throw Error(Diagnostic{fmt::format("no chip description in {} is for the instruction set {}", chipFolder(), level),
                           {},
                           "list it under `levels` of one of them"});
  return *found;
}

std::vector<std::string> cpuChipNames() {
  std::vector<std::string> names;
  for (const CpuChip &chip : cpuChips()) names.push_back(chip.name);
  return names;
}

} // namespace tessera::chips
