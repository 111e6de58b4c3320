// What references of the examples are made of: double precision and error bounds.
//
// Bounds are sums of first-order terms: u(type) for each rounding, times the magnitude it is applied to. A sum of n
// terms in any order has an error of at most (n - 1) u times the sum of their absolute values.
#pragma once

#include "core/tensor.h"
#include "examples/registry.h"

#include <cmath>

namespace tessera::examples {

/// Half the distance from 1 to the next value of a type: the relative error of one rounding.
double unitRoundoff(DType type);
inline constexpr double kF32 = 0x1p-24;
/// What a function of math.h may be off by, relative to its value, in f32: docs/numerics.md.
inline constexpr double kFunction = 4 * kF32;
/// Values below the normal range of f32 may be flushed to zero.
inline constexpr double kTiny = 0x1p-126;

/// The elements of a tensor argument, row-major.
std::vector<double> values(const Argument &argument);

/// A random tensor: uniform in [lo, hi), or integers of lo..hi.
Tensor randomTensor(DType type, std::vector<int64_t> shape, uint64_t seed, double lo = -1, double hi = 1);

/// A list of n values and of n bounds, filled by calling f(i, value, bound) for each, in parallel.
Expected forEach(size_t argument, int64_t n, const std::function<void(int64_t, double &, double &)> &f);

/// a (m x k) times b (k x n), and the same of absolute values, row-major.
struct Product {
  std::vector<double> sums, magnitudes;
};
Product multiply(const std::vector<double> &a, const std::vector<double> &b, int64_t m, int64_t n, int64_t k);

/// A result rounded to `type` at the end, after `error` from before.
inline double rounded(DType type, double value, double error) {
  return error + unitRoundoff(type) * (std::abs(value) + error) + kTiny;
}

} // namespace tessera::examples
