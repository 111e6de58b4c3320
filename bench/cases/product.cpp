// Register blocks of 4 x 16 over panels of b.
#include "bench/cases/product.h"

#include "core/thread_pool.h"
#include "examples/reference.h"

#include <algorithm>
#include <cmath>

namespace tessera::bench {
namespace {

using Lanes = double __attribute__((vector_size(64)));
constexpr int64_t kRows = 4, kVectors = 2, kCols = 8 * kVectors;

#if defined(__x86_64__)
#define TESSERA_FOR_EACH_CPU __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TESSERA_FOR_EACH_CPU
#endif

/// Four rows of a times one panel of b (k x 16).
TESSERA_FOR_EACH_CPU
void multiplyBlock(const double *const (&a)[kRows], const Lanes *panel, int64_t k, Lanes *block) {
  Lanes sums[kRows][kVectors] = {};
  for (int64_t x = 0; x < k; ++x)
    for (int64_t r = 0; r < kRows; ++r)
      for (int64_t v = 0; v < kVectors; ++v) sums[r][v] += a[r][x] * panel[x * kVectors + v];
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t v = 0; v < kVectors; ++v) block[r * kVectors + v] = sums[r][v];
}

/// Columns `first` to first + 15 of b, those beyond the last one zero.
std::vector<Lanes> panelOf(const std::vector<double> &b, int64_t first, int64_t n, int64_t k) {
  std::vector<Lanes> panel(static_cast<size_t>(k * kVectors));
  int64_t cols = std::min(kCols, n - first);
  for (int64_t x = 0; x < k; ++x)
    for (int64_t j = 0; j < cols; ++j)
      panel[static_cast<size_t>(x * kVectors + j / 8)][j % 8] = b[static_cast<size_t>(x * n + first + j)];
  return panel;
}

/// Columns `first` to first + 15 of the product.
void multiplyPanel(const std::vector<double> &a, const std::vector<Lanes> &panel, int64_t first, int64_t m, int64_t n,
                   int64_t k, std::vector<double> &c) {
  int64_t cols = std::min(kCols, n - first);
  for (int64_t i = 0; i < m; i += kRows) {
    const double *rows[kRows];
    for (int64_t r = 0; r < kRows; ++r) rows[r] = a.data() + std::min(i + r, m - 1) * k;
    Lanes block[kRows * kVectors];
    multiplyBlock(rows, panel.data(), k, block);
    for (int64_t r = 0; r < std::min(kRows, m - i); ++r)
      for (int64_t j = 0; j < cols; ++j)
        c[static_cast<size_t>((i + r) * n + first + j)] = block[r * kVectors + j / 8][j % 8];
  }
}

/// The length of each of n vectors of k elements, which lie `step` apart.
std::vector<double> lengths(const std::vector<double> &x, int64_t n, int64_t k, int64_t next, int64_t step) {
  std::vector<double> squares(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i)
    for (int64_t e = 0; e < k; ++e) {
      double value = x[static_cast<size_t>(i * next + e * step)];
      squares[static_cast<size_t>(i)] += value * value;
    }
  for (double &value : squares) value = std::sqrt(value);
  return squares;
}

} // namespace

std::vector<double> product(const std::vector<double> &a, const std::vector<double> &b, int64_t m, int64_t n,
                            int64_t k) {
  std::vector<double> c(static_cast<size_t>(m * n));
  parallelFor((n + kCols - 1) / kCols,
              [&](int64_t p, int) { multiplyPanel(a, panelOf(b, p * kCols, n, k), p * kCols, m, n, k, c); });
  return c;
}

examples::Expected expectedProduct(size_t argument, DType type, const std::vector<double> &a,
                                   const std::vector<double> &b, int64_t m, int64_t n, int64_t k, double sumError) {
  std::vector<double> sums = product(a, b, m, n, k);
  // The magnitudes of a sum's terms add up to no more than the product of the lengths of row and column.
  std::vector<double> rows = lengths(a, m, k, k, 1), cols = lengths(b, n, k, 1, n);
  return examples::forEach(argument, m * n, [&](int64_t i, double &value, double &bound) {
    value = sums[static_cast<size_t>(i)];
    double magnitude = rows[static_cast<size_t>(i / n)] * cols[static_cast<size_t>(i % n)];
    bound = isInteger(type) ? 0 : examples::rounded(type, value, sumError * magnitude);
  });
}

} // namespace tessera::bench
