// Names, consistency and detection of instruction sets.
#include "tilelang/cpu/CpuIsa.h"

#include "core/test/expect_error.h"

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
    EXPECT_GT(isa.l1Bytes, 0);
    EXPECT_GE(isa.l2Bytes, isa.l1Bytes);
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

TEST(CpuIsa, RefusesAnUnknownName) {
  EXPECT_ERROR(cpuIsa("avx10"), "unknown instruction set 'avx10'");
  EXPECT_ERROR(cpuIsa(""), "known are native, avx512bf16, avx512, avx2, x86-64, neon");
}

} // namespace
} // namespace tessera::cpu
