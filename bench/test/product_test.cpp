// The product in double precision that results are compared with.
#include "bench/cases/product.h"
#include "examples/reference.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tessera::bench {
namespace {

using Matrix = std::vector<double>;

/// Integers, so that every order of summation gives the same.
Matrix integers(int64_t count, int64_t seed) {
  Matrix list(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) list[static_cast<size_t>(i)] = static_cast<double>((i * 7 + seed) % 23 - 11);
  return list;
}

TEST(Product, EqualsTheSumOverEveryIndexAtAnySize) {
  for (int64_t m : {1, 3, 4, 5, 9})
    for (int64_t n : {1, 15, 16, 17, 33})
      for (int64_t k : {0, 1, 6}) {
        SCOPED_TRACE(testing::Message() << m << " x " << n << " x " << k);
        Matrix a = integers(m * k, 1), b = integers(k * n, 2), want(static_cast<size_t>(m * n));
        for (int64_t i = 0; i < m; ++i)
          for (int64_t j = 0; j < n; ++j)
            for (int64_t x = 0; x < k; ++x)
              want[static_cast<size_t>(i * n + j)] +=
                  a[static_cast<size_t>(i * k + x)] * b[static_cast<size_t>(x * n + j)];
        EXPECT_EQ(product(a, b, m, n, k), want);
      }
}

TEST(Product, IntegersHaveNoTolerance) {
  examples::Expected expected = expectedProduct(2, DType::i32, {1, 2}, {3, 4}, 1, 1, 2, 1);
  EXPECT_EQ(expected.argument, 2u);
  EXPECT_EQ(expected.values, Matrix{11});
  EXPECT_EQ(expected.bounds, Matrix{0});
}

TEST(Product, BoundsCoverTheMagnitudesOfTheTerms) {
  // 3 * 4 - 4 * 3 = 0, but rounding moves a sum of terms of 12.
  examples::Expected expected = expectedProduct(0, DType::f32, {3, -4}, {4, 3}, 1, 1, 2, 0.5);
  EXPECT_EQ(expected.values, Matrix{0});
  EXPECT_GE(expected.bounds[0], 0.5 * 24);
  EXPECT_LE(expected.bounds[0], 0.5 * 25 * (1 + 1e-6));
}

} // namespace
} // namespace tessera::bench
