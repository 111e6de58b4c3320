// What the CPU makes of a description, and the descriptions of the folder.
#include "tilelang/chips/chip_folder.h"

#include "core/test/expect_error.h"
#include "tilelang/chips/test/written_file.h"

#include <algorithm>

namespace tessera::chips {
namespace {

CpuChip readChanged(const std::string &from, const std::string &to) {
  WrittenFile file(changedText(from, to));
  return readCpuChip(file.path);
}

TEST(CpuChip, TakesUnitsForWhatTheyAre) {
  EXPECT_EQ(readChanged("value: 256, unit: KiB", "value: 512, unit: KiB").l2Bytes, 512 << 10);
  EXPECT_EQ(readChanged("value: 256, unit: KiB", "value: 0.5, unit: MiB").l2Bytes, 512 << 10);
  EXPECT_EQ(readChanged("value: 256, unit: KiB", "value: 524288, unit: B").l2Bytes, 512 << 10);
  EXPECT_ERROR(readChanged("value: 256, unit: KiB", "value: 256, unit: KB"), "l2.size: unknown unit 'KB'");
  EXPECT_ERROR(readChanged("value: 256, unit: KiB", "value: 256, unit: KB"), "accepted are B, KiB, MiB");
}

TEST(CpuChip, RefusesWhatNoCpuHas) {
  EXPECT_ERROR(readChanged("value: 256, unit: KiB", "value: 0.1, unit: KiB"), "l2.size: 0.1 KiB is out of range");
  EXPECT_ERROR(readChanged("value: 256, unit: KiB", "value: 1000.5, unit: B"), "accepted are whole numbers from 1024");
  EXPECT_ERROR(readChanged("value: 256, unit: KiB", "value: 16, unit: KiB"), "do not grow with their level");
  EXPECT_ERROR(readChanged("width: { value: 32", "width: { value: 33"), "vector.width: 33 B is out of range");
  EXPECT_ERROR(readChanged("    latency: { value: 5, unit: cycles, confidence: documented, source: tables }\n", ""),
               "figure `fma.latency` is missing beside `fma.rate`");
}

TEST(CpuChip, TheHashFollowsTheFigures) {
  CpuChip same = readChanged("chip: avx2", "chip: avx2"), other = readChanged("value: 256, unit", "value: 512, unit");
  EXPECT_EQ(same.content, cpuChipNamed("avx2").content);
  EXPECT_NE(same.content, other.content);
  EXPECT_EQ(same.content, readChanged("Haswell and later", "others").content) << "comments do not count";
}

TEST(CpuChip, CachesOfTheMachineReplaceThoseOfTheFile) {
  CpuChip chip = cpuChipNamed("avx2");
  setCaches(chip, {.l1 = 48 << 10, .l2 = 0, .l3 = 12 << 20});
  EXPECT_EQ(chip.l1Bytes, 48 << 10);
  EXPECT_EQ(chip.l2Bytes, 256 << 10) << "unknown, so the file's";
  EXPECT_EQ(chip.l3Bytes, 12 << 20);
  EXPECT_EQ(chip.figures->at("l1.size").confidence, Confidence::detected);
  EXPECT_NE(chip.content, cpuChipNamed("avx2").content);
}

TEST(ChipFolder, EveryCpuIsReadUnderItsName) {
  std::vector<std::string> names = cpuChipNames();
  EXPECT_GE(names.size(), 5u);
  EXPECT_TRUE(std::ranges::is_sorted(names));
  for (const std::string &name : names) {
    EXPECT_TRUE(cpuChipNamed(name).path.ends_with("/cpu-" + name + ".yaml"));
    EXPECT_EQ(cpuChipNamed(cpuChipNamed(name).path).content, cpuChipNamed(name).content);
  }
}

TEST(ChipFolder, NoCpuAndNoLevelIsDescribedTwice) {
  std::vector<std::string> served;
  for (const std::string &name : cpuChipNames()) {
    CpuChip chip = cpuChipNamed(name);
    served.insert(served.end(), chip.cpus.begin(), chip.cpus.end());
    served.insert(served.end(), chip.levels.begin(), chip.levels.end());
  }
  std::ranges::sort(served);
  EXPECT_EQ(std::ranges::adjacent_find(served), served.end());
}

TEST(ChipFolder, TheCpuComesBeforeItsLevel) {
  EXPECT_EQ(cpuChipFor("znver4", "avx512bf16").name, "zen4");
  EXPECT_EQ(cpuChipFor("haswell", "avx2").name, "avx2");
  EXPECT_EQ(cpuChipFor("", "neon").name, "neon");
  EXPECT_ERROR(cpuChipFor("", "sve"), "is for the instruction set sve");
  EXPECT_ERROR(cpuChipNamed("zen"), "unknown chip 'zen'");
  EXPECT_ERROR(cpuChipNamed("zen"), "known are avx2, avx512");
}

} // namespace
} // namespace tessera::chips
