// The limits of this machine: that they are there, and that they relate to each other as they must.
#include "bench/limits/machine_limits.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tessera::bench {
namespace {

constexpr double kSeconds = 1e-3;

TEST(Limits, EveryPresentLimitIsARate) {
  MachineLimits limits(kSeconds);
  for (Limit limit : {Limit::fp32Fma, Limit::bf16Dot, Limit::int8Dot, Limit::l2Read, Limit::l2Copy}) {
    SCOPED_TRACE(name(limit));
    if (whyAbsent(limit).empty()) EXPECT_GT(limits.measure(limit, 1), 1e8);
  }
}

TEST(Limits, NamesAreDistinct) {
  std::vector<std::string> names;
  for (Limit limit : allLimits()) names.push_back(name(limit));
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
  EXPECT_EQ(names.size(), 7u);
}

TEST(HugeMemory, IsZeroedAndAligned) {
  HugeMemory memory(100);
  EXPECT_EQ(memory.size(), 100u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(memory.data()) % (2 << 20), 0u);
  for (size_t i = 0; i < memory.size(); ++i) ASSERT_EQ(memory.data()[i], std::byte{0});
}

TEST(HugeMemory, MovesLargeTensorsWithTheirElements) {
  Tensor small = Tensor::zeros(DType::f32, {4}), large = Tensor::empty(DType::f32, {1024, 1024});
  large.fillRandom(1, -1, 1);
  std::vector<Argument> moved = onHugePages({small, large, int64_t{3}});
  EXPECT_EQ(std::get<Tensor>(moved[0]).data(), small.data());
  const auto &copy = std::get<Tensor>(moved[1]);
  EXPECT_NE(copy.data(), large.data());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(copy.data()) % (2 << 20), 0u);
  for (int64_t i : {0, 511, 1023}) EXPECT_EQ(copy.at({i, 1023 - i}), large.at({i, 1023 - i}));
  EXPECT_EQ(std::get<int64_t>(moved[2]), 3);
}

} // namespace
} // namespace tessera::bench
