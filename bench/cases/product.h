// Matrix products in double precision, quick enough to check every element of large results.
#pragma once

#include "examples/registry.h"

#include <vector>

namespace tessera::bench {

/// a (m x k) times b (k x n), row-major.
std::vector<double> product(const std::vector<double> &a, const std::vector<double> &b, int64_t m, int64_t n,
                            int64_t k);

/// What argument number `argument`, of `type`, must hold: a . b. Sums may be off by `sumError` relative to the sum of
/// the magnitudes of their terms, then they are rounded; integers are exact.
examples::Expected expectedProduct(size_t argument, DType type, const std::vector<double> &a,
                                   const std::vector<double> &b, int64_t m, int64_t n, int64_t k, double sumError);

} // namespace tessera::bench
