// A table of levels, filled in with what LLVM and the system know about the host.
#include "tilelang/cpu/CpuIsa.h"

#include "core/error.h"
#include "tilelang/chips/chip_folder.h"

#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace tessera::cpu {
namespace {

constexpr const char *kX86 = "x86_64-unknown-linux-gnu", *kArm = "aarch64-unknown-linux-gnu";

/// `needs`: features by LLVM's names without which code of the level does not run.
struct Level {
  CpuIsa isa;
  std::vector<std::string> needs;
};

/// Best first. A forced level is the plain one of its name, so that it generates the same code on every machine.
const std::array<Level, 5> &levels() {
  static const std::vector<std::string> avx2 = {"avx2", "fma", "f16c", "bmi", "bmi2"};
  static const std::vector<std::string> avx512 = {"avx2",    "fma",      "f16c",     "bmi",      "bmi2",
                                                  "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"};
  static std::vector<std::string> bf16 = [] {
    auto all = avx512;
    all.insert(all.end(), {"avx512bf16", "avx512vnni"});
    return all;
  }();
  static const std::array<Level, 5> table = {{
      {{"avx512bf16", kX86, "x86-64-v4", "+avx512bf16,+avx512vnni,-prefer-256-bit", true, true, true, true, true, 64},
       bf16},
      {{"avx512", kX86, "x86-64-v4", "-prefer-256-bit", true, false, false, true, true, 64}, avx512},
      {{"avx2", kX86, "x86-64-v3", "", false, false, false, true, true, 32}, avx2},
      {{"x86-64", kX86, "x86-64", "", false, false, false, false, false, 16}, {}},
      {{"neon", kArm, "generic", "+neon", false, false, false, true, true, 16}, {}},
  }};
  return table;
}

bool hostRuns(const Level &level, const llvm::StringMap<bool> &host) {
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  if (llvm::Triple(level.isa.triple).getArch() != triple.getArch()) return false;
  return std::ranges::all_of(level.needs, [&](const std::string &need) { return host.lookup(need); });
}

/// The best level, compiled for exactly this CPU.
CpuIsa native(const std::vector<CpuIsa> &known, const llvm::StringMap<bool> &host) {
  auto best = std::ranges::find_if(known, &CpuIsa::runsHere);
  if (best == known.end())
    throw Error(Diagnostic{fmt::format("no code generation for {}", llvm::sys::getDefaultTargetTriple()), {}, {}});
  CpuIsa isa = *best;
  isa.cpu = llvm::sys::getHostCPUName().str();
  std::vector<std::string> features;
  for (const auto &feature : host) features.push_back((feature.second ? "+" : "-") + feature.first().str());
  std::ranges::sort(features); // the map's order is arbitrary, and the text is part of cache keys
  if (isa.hasAvx512) features.emplace_back("-prefer-256-bit");
  isa.features = fmt::format("{}", fmt::join(features, ","));
  if (const char *named = std::getenv("TESSERA_CHIP"); named && *named)
    return withChip(isa, chips::cpuChipNamed(named));
  isa.chip = chips::cpuChipFor(isa.cpu, isa.name);
  if (isa.chip.vectorBytes > isa.vectorBytes) isa.chip = chips::cpuChipFor("", isa.name); // hidden by a hypervisor
  chips::setCaches(isa.chip, chips::hostCaches());
  return isa;
}

/// In the order of isaNames().
std::vector<CpuIsa> detect() {
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  std::vector<CpuIsa> known;
  for (const Level &level : levels()) {
    CpuIsa isa = level.isa;
    isa.chip = chips::cpuChipFor("", isa.name);
    isa.runsHere = hostRuns(level, host);
    known.push_back(std::move(isa));
  }
  known.insert(known.begin(), native(known, host));
  return known;
}

const std::vector<CpuIsa> &detected() {
  static const std::vector<CpuIsa> isas = detect();
  return isas;
}

constexpr std::array<std::string_view, 6> kNames = {"native", "avx512bf16", "avx512", "avx2", "x86-64", "neon"};

} // namespace

std::span<const std::string_view> isaNames() { return kNames; }

const CpuIsa &cpuIsa(std::string_view name) {
  auto found = std::ranges::find(kNames, name);
  if (found == kNames.end())
    throw Error(Diagnostic{
        fmt::format("unknown instruction set '{}'", name), {}, fmt::format("known are {}", fmt::join(kNames, ", "))});
  return detected()[static_cast<size_t>(found - kNames.begin())];
}

CpuIsa withChip(const CpuIsa &isa, const chips::CpuChip &chip) {
  if (chip.vectorBytes > isa.vectorBytes)
    throw Error(Diagnostic{fmt::format("chip {} has vectors of {} bytes but the instruction set {} of {}", chip.name,
                                       chip.vectorBytes, isa.name, isa.vectorBytes),
                           {},
                           fmt::format("chips are {}", fmt::join(chips::cpuChipNames(), ", "))});
  CpuIsa result = isa;
  result.chip = chip;
  return result;
}

void requireRunsHere(const CpuIsa &isa) {
  if (isa.runsHere) return;
  throw Error(
      Diagnostic{fmt::format("code for {} does not run on this machine, which has {}", isa.name, cpuIsa("native").name),
                 {},
                 "compile for 'cpu', or only emit the code"});
}

} // namespace tessera::cpu
