// Which micro-kernel and register tile the figures of a chip lead to.
#include "tilelang/cpu/gemm/MicroKernels.h"

#include "mlir/IR/Builders.h"

#include <gtest/gtest.h>

namespace tessera::cpu {
namespace {

class MicroKernels : public testing::Test {
protected:
  mlir::MLIRContext context;
  mlir::Builder b{&context};
  mlir::Type f32 = b.getF32Type(), bf16 = b.getBF16Type(), i8 = b.getIntegerType(8), i32 = b.getI32Type();

  DotKind kindOf(const CpuIsa &isa, mlir::Type operand, mlir::Type sum) {
    return chooseMicroKernel(isa, operand, operand, sum).kind;
  }
};

TEST_F(MicroKernels, EachLevelHasItsOwn) {
  EXPECT_EQ(kindOf(cpuIsa("avx512bf16"), bf16, f32), DotKind::bf16Pairs);
  EXPECT_EQ(kindOf(cpuIsa("avx512"), bf16, f32), DotKind::fma);
  EXPECT_EQ(kindOf(cpuIsa("x86-64"), bf16, f32), DotKind::mulAdd);
  EXPECT_EQ(kindOf(cpuIsa("neon"), f32, f32), DotKind::fma);
  EXPECT_EQ(kindOf(cpuIsa("avx512bf16"), i8, i32), DotKind::byteQuads);
  EXPECT_EQ(kindOf(cpuIsa("avx2"), i8, i32), DotKind::wordPairs);
  EXPECT_EQ(kindOf(cpuIsa("neon"), i8, i32), DotKind::mulAdd);
}

TEST_F(MicroKernels, TheFastestByTheFiguresIsTaken) {
  CpuIsa isa = cpuIsa("avx512bf16");
  isa.chip.bf16Pairs.perCycle = 0.4 * isa.chip.fma.perCycle; // two products each, so slower than fma
  EXPECT_EQ(kindOf(isa, bf16, f32), DotKind::fma);
  isa.chip.byteQuads.perCycle = 0; // as a chip without the instruction
  EXPECT_EQ(kindOf(isa, i8, i32), DotKind::wordPairs);
  isa.chip.wordPairs.perCycle = 0.1;
  EXPECT_EQ(kindOf(isa, i8, i32), DotKind::mulAdd);
}

TEST_F(MicroKernels, RegisterTilesFitTheRegisters) {
  CpuIsa isa = cpuIsa("avx512");
  for (int64_t registers : {8, 16, 32, 64}) {
    isa.chip.vectorRegisters = registers;
    RegisterTile tile = chooseRegisterTile(chooseMicroKernel(isa, f32, f32, f32), 1024, 1024);
    EXPECT_LE(tile.rows * tile.vectors, registers);
    EXPECT_GE(tile.rows * tile.vectors, registers / 2);
  }
}

TEST_F(MicroKernels, VectorsAreThoseOfTheChip) {
  EXPECT_EQ(chooseMicroKernel(withChip(cpuIsa("avx512"), cpuIsa("avx2").chip), f32, f32, f32).lanes, 8);
  EXPECT_EQ(chooseMicroKernel(cpuIsa("avx512"), f32, f32, f32).lanes, 16);
}

TEST_F(MicroKernels, LatencyAsksForMoreSums) {
  CpuIsa isa = cpuIsa("avx512");
  isa.chip.fma = {.perCycle = 1, .latency = 1};
  auto sums = [&](int64_t n) {
    RegisterTile tile = chooseRegisterTile(chooseMicroKernel(isa, f32, f32, f32), 1, n);
    return tile.rows * tile.vectors;
  };
  int64_t soon = sums(64);
  isa.chip.fma.latency = 16;
  EXPECT_GE(sums(64), soon);
  EXPECT_GE(sums(128), 4) << "one row has no other sums";
}

} // namespace
} // namespace tessera::cpu
