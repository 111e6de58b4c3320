// The figures of a CPU: names, units, ranges, and where they go.
#include "tilelang/chips/cpu_chip.h"

#include <array>
#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <istream>

namespace tessera::chips {
namespace {

constexpr Unit kBytes[] = {{"B"}, {"KiB", 1024}, {"MiB", 1024.0 * 1024}};
constexpr Unit kCount[] = {{"count"}};
constexpr Unit kPerCycle[] = {{"per cycle"}};
constexpr Unit kCycles[] = {{"cycles"}};
constexpr Unit kRate[] = {{"B/cycle"}};

constexpr double kGiB = 1024.0 * 1024 * 1024;

struct Rule {
  FigureRule figure;
  void (*set)(CpuChip &, double);
};

int64_t whole(double value) { return static_cast<int64_t>(value); }

constexpr bool kWhole = true, kOptional = false;

// A product needs both of its figures or none.
const Rule kRules[] = {
    {{"vector.width", kBytes, 16, 64, kWhole}, [](CpuChip &c, double v) { c.vectorBytes = whole(v); }},
    {{"vector.registers", kCount, 8, 64, kWhole}, [](CpuChip &c, double v) { c.vectorRegisters = whole(v); }},
    {{"vector.loads", kPerCycle, 0.125, 16}, [](CpuChip &c, double v) { c.loadsPerCycle = v; }},
    {{"fma.rate", kPerCycle, 0.01, 16, false, kOptional}, [](CpuChip &c, double v) { c.fma.perCycle = v; }},
    {{"fma.latency", kCycles, 1, 64, false, kOptional}, [](CpuChip &c, double v) { c.fma.latency = v; }},
    {{"mul-add.rate", kPerCycle, 0.01, 16}, [](CpuChip &c, double v) { c.mulAdd.perCycle = v; }},
    {{"mul-add.latency", kCycles, 1, 64}, [](CpuChip &c, double v) { c.mulAdd.latency = v; }},
    {{"int-mul-add.rate", kPerCycle, 0.01, 16}, [](CpuChip &c, double v) { c.intMulAdd.perCycle = v; }},
    {{"int-mul-add.latency", kCycles, 1, 64}, [](CpuChip &c, double v) { c.intMulAdd.latency = v; }},
    {{"bf16-pairs.rate", kPerCycle, 0.01, 16, false, kOptional},
     [](CpuChip &c, double v) { c.bf16Pairs.perCycle = v; }},
    {{"bf16-pairs.latency", kCycles, 1, 64, false, kOptional}, [](CpuChip &c, double v) { c.bf16Pairs.latency = v; }},
    {{"word-pairs.rate", kPerCycle, 0.01, 16, false, kOptional},
     [](CpuChip &c, double v) { c.wordPairs.perCycle = v; }},
    {{"word-pairs.latency", kCycles, 1, 64, false, kOptional}, [](CpuChip &c, double v) { c.wordPairs.latency = v; }},
    {{"byte-quads.rate", kPerCycle, 0.01, 16, false, kOptional},
     [](CpuChip &c, double v) { c.byteQuads.perCycle = v; }},
    {{"byte-quads.latency", kCycles, 1, 64, false, kOptional}, [](CpuChip &c, double v) { c.byteQuads.latency = v; }},
    {{"l1.size", kBytes, 1024, kGiB, kWhole}, [](CpuChip &c, double v) { c.l1Bytes = whole(v); }},
    {{"l1.rate", kRate, 0.01, 4096}, [](CpuChip &c, double v) { c.l1Rate = v; }},
    {{"l2.size", kBytes, 1024, kGiB, kWhole}, [](CpuChip &c, double v) { c.l2Bytes = whole(v); }},
    {{"l2.rate", kRate, 0.01, 4096}, [](CpuChip &c, double v) { c.l2Rate = v; }},
    {{"l3.size", kBytes, 1024, 16 * kGiB, kWhole}, [](CpuChip &c, double v) { c.l3Bytes = whole(v); }},
    {{"l3.rate", kRate, 0.01, 4096}, [](CpuChip &c, double v) { c.l3Rate = v; }},
    {{"memory.rate", kRate, 0.01, 4096}, [](CpuChip &c, double v) { c.memoryRate = v; }},
    {{"block.arena", kBytes, 4096, 64 * kGiB, kWhole}, [](CpuChip &c, double v) { c.arenaBytes = whole(v); }},
    {{"block.stack", kBytes, 0, 65536, kWhole}, [](CpuChip &c, double v) { c.stackBytes = whole(v); }},
    {{"block.least-sharing", kCount, 2, 1 << 20, kWhole}, [](CpuChip &c, double v) { c.leastSharing = whole(v); }},
    {{"block.overhead", kCycles, 0, 1e9}, [](CpuChip &c, double v) { c.blockCycles = v; }},
};

std::vector<FigureRule> figureRules() {
  std::vector<FigureRule> rules;
  for (const Rule &rule : kRules) rules.push_back(rule.figure);
  return rules;
}

void requireWholeProducts(const ChipFile &file, const CpuChip &chip) {
  for (auto [name, rate] : {std::pair{"fma", chip.fma},
                            {"bf16-pairs", chip.bf16Pairs},
                            {"word-pairs", chip.wordPairs},
                            {"byte-quads", chip.byteQuads}})
    if ((rate.perCycle > 0) != (rate.latency > 0)) {
      const char *given = rate.perCycle > 0 ? "rate" : "latency", *missing = rate.perCycle > 0 ? "latency" : "rate";
      throw Error(Diagnostic{fmt::format("figure `{0}.{2}` is missing beside `{0}.{1}`", name, given, missing),
                             file.figures.at(fmt::format("{}.{}", name, given)).where,
                             "leave out both where the CPU lacks the instruction"});
    }
}

void requireOrder(const ChipFile &file, const CpuChip &chip) {
  if (chip.l1Bytes <= chip.l2Bytes && chip.l2Bytes <= chip.l3Bytes) return;
  throw Error(Diagnostic{
      fmt::format("caches of {}, {} and {} B do not grow with their level", chip.l1Bytes, chip.l2Bytes, chip.l3Bytes),
      file.figures.at("l1.size").where, "give a level that does not exist the size of the one below it"});
}

void requireVectorWidth(const ChipFile &file, const CpuChip &chip) {
  if (std::has_single_bit(static_cast<uint64_t>(chip.vectorBytes))) return;
  throw Error(Diagnostic{fmt::format("vector.width: {} B is out of range", chip.vectorBytes),
                         file.figures.at("vector.width").where, "accepted are 16, 32 and 64 B"});
}

using Figures = std::map<std::string, Figure>;

void setFigures(CpuChip &chip, Figures figures) {
  Hasher hasher;
  hasher.add(chip.name);
  for (const auto &[name, figure] : figures)
    hasher.add(name).add(figure.unit).add(std::bit_cast<uint64_t>(figure.value));
  chip.content = hasher.finish();
  chip.figures = std::make_shared<const Figures>(std::move(figures));
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

} // namespace

CpuChip readCpuChip(const std::string &path) {
  ChipFile file = readChipFile(path);
  if (file.family != "cpu")
    throw Error(
        Diagnostic{fmt::format("a chip of the family '{}' where a cpu is wanted", file.family), file.familyLine, ""});
  constexpr std::array<std::string_view, 2> kLists = {"levels", "cpus"};
  requireLists(file, kLists);
  std::map<std::string, double> values = checkedFigures(file, figureRules());
  CpuChip chip;
  chip.name = file.chip;
  chip.summary = file.summary;
  chip.path = path;
  chip.levels = file.lists["levels"].names;
  chip.cpus = file.lists["cpus"].names;
  for (const Rule &rule : kRules)
    if (auto value = values.find(std::string(rule.figure.name)); value != values.end()) rule.set(chip, value->second);
  requireVectorWidth(file, chip);
  requireWholeProducts(file, chip);
  requireOrder(file, chip);
  setFigures(chip, std::move(file.figures));
  return chip;
}

// The system's files tell what this core shares; sysconf would count the whole package.
CacheSizes hostCaches() {
  CacheSizes sizes;
  for (int index = 0; index < 8; ++index) {
    std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    std::string level = readLine(folder + "level");
    int64_t bytes = parseBytes(readLine(folder + "size"));
    if (bytes == 0 || readLine(folder + "type") == "Instruction") continue;
    if (level == "1") sizes.l1 = bytes;
    if (level == "2") sizes.l2 = bytes;
    if (level == "3") sizes.l3 = bytes;
  }
  return sizes;
}

void setCaches(CpuChip &chip, const CacheSizes &sizes) {
  Figures figures = *chip.figures;
  auto set = [&](const char *name, int64_t &size, int64_t bytes) {
    if (bytes <= 0) return;
    size = bytes;
    figures[name] = {static_cast<double>(bytes) / 1024, "KiB", Confidence::detected, "this machine", {}};
  };
  set("l1.size", chip.l1Bytes, sizes.l1);
  set("l2.size", chip.l2Bytes, sizes.l2);
  set("l3.size", chip.l3Bytes, sizes.l3);
  setFigures(chip, std::move(figures));
}

} // namespace tessera::chips
