// Names, consistency and detection of instruction sets.
#include "tilelang/cpu/CpuIsa.h"

#include "core/test/expect_error.h"
#include "tilelang/chips/chip_folder.h"

#include <algorithm>

namespace tessera::cpu {
namespace {

TEST(CpuIsa, KnowsEveryNameAndItsOwnLevels) {
  for (std::string_view name : isaNames()) {
    const CpuIsa &isa = cpuIsa(name);
    if (name != "native") EXPECT_EQ(isa.name, name);
    EXPECT_EQ(&isa, &cpuIsa(name));
    EXPECT_FALSE(isa.triple.empty() || isa.cpu.empty());
    EXPECT_EQ(isa.vectorBytes == 64, isa.hasAvx512);
    EXPECT_TRUE(isa.hasAvx512 || !isa.hasBf16Dot);
    EXPECT_GE(isa.vectorBytes, isa.chip.vectorBytes);
    EXPECT_TRUE(!isa.hasBf16Dot || isa.chip.bf16Pairs.perCycle > 0);
    EXPECT_TRUE(!isa.hasVnni || isa.chip.byteQuads.perCycle > 0);
  }
}

TEST(CpuIsa, NativeIsTheBestLevelThatRunsHere) {
  const CpuIsa &native = cpuIsa();
  EXPECT_TRUE(native.runsHere);
  EXPECT_TRUE(cpuIsa(native.name).runsHere);
  for (std::string_view name : isaNames().subspan(1)) {
    if (name == native.name) break;
    EXPECT_FALSE(cpuIsa(name).runsHere) << name;
  }
}

#if defined(__x86_64__)
TEST(CpuIsa, TheBaselineRunsHereAndTheOtherArchitectureDoesNot) {
  EXPECT_NO_THROW(requireRunsHere(cpuIsa("x86-64")));
  EXPECT_ERROR(requireRunsHere(cpuIsa("neon")),
               "code for neon does not run on this machine, which has " + cpuIsa("native").name);
}

TEST(CpuIsa, AgreesWithTheCompilerAboutTheHost) {
  EXPECT_EQ(cpuIsa("avx2").runsHere, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
  EXPECT_EQ(cpuIsa("avx512").runsHere, __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"));
}
#endif

TEST(CpuIsa, TakesTheFiguresOfAnotherChipUnlessItsVectorsAreWider) {
  chips::CpuChip avx2 = chips::cpuChipNamed("avx2");
  CpuIsa isa = withChip(cpuIsa("avx512"), avx2);
  EXPECT_EQ(isa.name, "avx512");
  EXPECT_EQ(isa.chip.content, avx2.content);
  EXPECT_ERROR(withChip(cpuIsa("x86-64"), avx2),
               "chip avx2 has vectors of 32 bytes but the instruction set x86-64 of 16");
}

TEST(CpuIsa, LevelsHaveTheFiguresOfTheirFiles) {
  for (std::string_view name : isaNames().subspan(1))
    EXPECT_EQ(cpuIsa(name).chip.content, chips::cpuChipFor("", name).content) << name;
}

TEST(CpuIsa, RefusesAnUnknownName) {
  EXPECT_ERROR(cpuIsa("avx10"), "unknown instruction set 'avx10'");
  EXPECT_ERROR(cpuIsa(""), "known are native, avx512bf16, avx512, avx2, x86-64, neon");
}

} // namespace
} // namespace tessera::cpu
