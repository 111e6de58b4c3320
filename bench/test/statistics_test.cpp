// Medians and spreads of small lists.
#include "bench/statistics.h"

#include <gtest/gtest.h>

namespace tessera::bench {
namespace {

TEST(Statistics, MedianOfOddCountIsTheMiddleSample) { EXPECT_EQ(median({5, 1, 100}), 5); }

TEST(Statistics, MedianOfEvenCountIsTheMeanOfTheMiddle) { EXPECT_EQ(median({4, 1, 2, 100}), 3); }

TEST(Statistics, OneSampleIsItsOwnMedianWithoutSpread) {
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(spread({7}), 0);
}

TEST(Statistics, SpreadIsTheDistanceOfTheQuartilesOverTheMedian) {
  // Quartiles of 1..5 are 2 and 4.
  EXPECT_DOUBLE_EQ(spread({5, 3, 1, 2, 4}), 2.0 / 3);
  // Those of 1..4 lie between samples: 1.75 and 3.25.
  EXPECT_DOUBLE_EQ(spread({1, 2, 3, 4}), 1.5 / 2.5);
}

} // namespace
} // namespace tessera::bench
