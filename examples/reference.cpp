// Double-precision building blocks, and the comparison with a kernel's results.
#include "examples/reference.h"

#include "core/error.h"
#include "core/numbers.h"
#include "core/thread_pool.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace tessera::examples {

double unitRoundoff(DType type) {
  switch (type) {
  case DType::f64: return 0x1p-53;
  case DType::f32: return kF32;
  case DType::f16: return 0x1p-11;
  case DType::bf16: return 0x1p-8;
  case DType::e4m3: return 0x1p-4;
  case DType::e5m2: return 0x1p-3;
  default: return 0;
  }
}

std::vector<double> values(const Argument &argument) {
  Tensor doubles = std::get<Tensor>(argument).to(DType::f64);
  const double *data = doubles.data<const double>();
  return {data, data + doubles.numel()};
}

Tensor randomTensor(DType type, std::vector<int64_t> shape, uint64_t seed, double lo, double hi) {
  Tensor tensor = Tensor::empty(type, std::move(shape));
  tensor.fillRandom(seed, lo, hi);
  return tensor;
}

Expected forEach(size_t argument, int64_t n, const std::function<void(int64_t, double &, double &)> &f) {
  Expected expected{argument, std::vector<double>(static_cast<size_t>(n)), std::vector<double>(static_cast<size_t>(n))};
  constexpr int64_t kChunk = 256;
  parallelFor((n + kChunk - 1) / kChunk, [&](int64_t chunk, int) {
    for (int64_t i = chunk * kChunk; i < std::min(n, (chunk + 1) * kChunk); ++i)
      f(i, expected.values[static_cast<size_t>(i)], expected.bounds[static_cast<size_t>(i)]);
  });
  return expected;
}

Product multiply(const std::vector<double> &a, const std::vector<double> &b, int64_t m, int64_t n, int64_t k) {
  Product product{std::vector<double>(static_cast<size_t>(m * n)), std::vector<double>(static_cast<size_t>(m * n))};
  parallelFor(m, [&](int64_t i, int) {
    double *sum = &product.sums[static_cast<size_t>(i * n)],
           *magnitude = &product.magnitudes[static_cast<size_t>(i * n)];
    for (int64_t x = 0; x < k; ++x) {
      double factor = a[static_cast<size_t>(i * k + x)];
      const double *row = &b[static_cast<size_t>(x * n)];
      for (int64_t j = 0; j < n; ++j) {
        sum[j] += factor * row[j];
        magnitude[j] += std::abs(factor * row[j]);
      }
    }
  });
  return product;
}

Deviation compare(const std::vector<Expected> &expected, const Arguments &arguments) {
  Deviation worst;
  for (const Expected &output : expected) {
    std::vector<double> got = values(arguments.at(output.argument));
    if (got.size() != output.values.size())
      throw Error({fmt::format("output {} has {} elements but {} are expected", output.argument, got.size(),
                               output.values.size()),
                   {},
                   ""});
    double scale = kTiny;
    for (double value : output.values)
      if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
    for (size_t i = 0; i < got.size(); ++i) {
      double want = output.values[i];
      if (got[i] == want || (std::isnan(got[i]) && std::isnan(want))) continue;
      double error = std::abs(got[i] - want), ofBound = error / output.bounds[i];
      if (std::isnan(ofBound)) error = ofBound = std::numeric_limits<double>::infinity();
      worst = {std::max(worst.ofBound, ofBound), std::max(worst.relative, error / scale)};
    }
  }
  return worst;
}

} // namespace tessera::examples
