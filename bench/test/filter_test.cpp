// Patterns against names of cases.
#include "bench/filter.h"

#include <gtest/gtest.h>

namespace tessera::bench {
namespace {

TEST(Filter, NothingSelectsEverything) { EXPECT_TRUE(selected("gemm_f32/1024", {})); }

TEST(Filter, APartOfTheNameSelects) {
  EXPECT_TRUE(selected("gemm_f32/1024", {"f32"}));
  EXPECT_TRUE(selected("gemm_f32/1024", {"gemm_f32/1024"}));
  EXPECT_FALSE(selected("gemm_f32/1024", {"bf16"}));
}

TEST(Filter, AnyOfSeveralSelects) {
  EXPECT_TRUE(selected("softmax/L2", {"gemm", "L2"}));
  EXPECT_FALSE(selected("softmax/dram", {"gemm", "L2"}));
}

TEST(Filter, StarsStandForAnything) {
  EXPECT_TRUE(selected("gemm_bf16_f32/512", {"gemm*/512"}));
  EXPECT_TRUE(selected("gemm/512", {"gemm*/512"}));
  EXPECT_FALSE(selected("gemm_bf16_f32/1024", {"gemm*/512"}));
}

TEST(Filter, EndsAreAnchoredOnRequest) {
  EXPECT_TRUE(selected("exp/L1", {"^exp"}));
  EXPECT_FALSE(selected("fexp/L1", {"^exp"}));
  EXPECT_TRUE(selected("gemm/512", {"/512$"}));
  EXPECT_FALSE(selected("gemm/5120", {"/512$"}));
  EXPECT_FALSE(selected("exp/L1x", {"^exp/L1$"}));
}

} // namespace
} // namespace tessera::bench
