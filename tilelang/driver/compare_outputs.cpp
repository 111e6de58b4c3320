// Element by element, in double precision.
#include "tilelang/driver/compare_outputs.h"

#include "core/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRoundings = 64;

/// The distance from 1 to the next larger value.
double epsilon(DType type) {
  // Sums are kept in f32, so f64 results may still have come through it.
  if (type == DType::f64) type = DType::f32;
  double step = 1;
  while (roundTo(type, 1 + step / 2, Rounding::trunc) > 1) step /= 2;
  return step;
}

Tensor flat(const Tensor &tensor) { return tensor.clone().reshape({tensor.numel()}); }

double largestFinite(const Tensor &tensor) {
  double largest = 0;
  for (int64_t i = 0; i < tensor.numel(); ++i)
    if (double value = std::abs(tensor.at({i})); std::isfinite(value)) largest = std::max(largest, value);
  return largest;
}

double difference(double expected, double given, double allowed) {
  if (expected == given || (std::isnan(expected) && std::isnan(given))) return 0;
  double distance = std::abs(expected - given);
  if (allowed == 0 || !std::isfinite(distance)) return kInfinity;
  return distance / allowed;
}

double difference(const Tensor &expected, const Tensor &given) {
  Tensor a = flat(expected), b = flat(given);
  double allowed = isFloat(a.dtype()) ? kRoundings * epsilon(a.dtype()) * largestFinite(a) : 0;
  double worst = 0;
  for (int64_t i = 0; i < a.numel(); ++i) worst = std::max(worst, difference(a.at({i}), b.at({i}), allowed));
  return worst;
}

} // namespace

double largestDifference(const Signature &signature, const std::vector<Argument> &expected,
                         const std::vector<Argument> &given) {
  double worst = 0;
  for (size_t i = 0; i < signature.parameters.size(); ++i)
    if (signature.parameters[i].isTensor && signature.parameters[i].isWritten())
      worst = std::max(worst, difference(std::get<Tensor>(expected[i]), std::get<Tensor>(given[i])));
  return worst;
}

} // namespace tessera
