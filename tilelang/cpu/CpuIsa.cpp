// A table of levels, filled in with what LLVM and the system know about the host.
#include "tilelang/cpu/CpuIsa.h"

#include "core/error.h"

#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <istream>
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

/// One line of a file of the system; empty where there is none.
std::string readLine(const std::string &path) {
  std::string line;
  std::getline(std::ifstream(path) >> std::ws, line);
  return line;
}

/// "32K" or "1M" as bytes; zero for anything else.
int64_t parseBytes(const std::string &text) {
  int64_t number = 0;
  auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc()) return 0;
  std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  return unit == "K" ? number << 10 : unit == "M" ? number << 20 : unit.empty() ? number : 0;
}

/// The caches of the first CPU. The system's files tell what this core shares; sysconf would count the whole package.
void readCaches(CpuIsa &isa) {
  isa.l1Bytes = int64_t{32} << 10;
  isa.l2Bytes = int64_t{1} << 20;
  isa.l3Bytes = int64_t{16} << 20;
  for (int index = 0; index < 8; ++index) {
    std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    std::string level = readLine(folder + "level");
    int64_t bytes = parseBytes(readLine(folder + "size"));
    if (bytes == 0 || readLine(folder + "type") == "Instruction") continue;
    if (level == "1") isa.l1Bytes = bytes;
    if (level == "2") isa.l2Bytes = bytes;
    if (level == "3") isa.l3Bytes = bytes;
  }
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
  return isa;
}

/// In the order of isaNames().
std::vector<CpuIsa> detect() {
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  std::vector<CpuIsa> known;
  for (const Level &level : levels()) {
    CpuIsa isa = level.isa;
    readCaches(isa);
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

void requireRunsHere(const CpuIsa &isa) {
  if (isa.runsHere) return;
  throw Error(
      Diagnostic{fmt::format("code for {} does not run on this machine, which has {}", isa.name, cpuIsa("native").name),
                 {},
                 "compile for 'cpu', or only emit the code"});
}

} // namespace tessera::cpu
