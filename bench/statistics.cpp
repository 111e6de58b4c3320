// Order statistics by sorting: there are tens of samples, not thousands.
#include "bench/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tessera::bench {
namespace {

/// The value below which `part` of the sorted samples lie.
double quantile(const std::vector<double> &sorted, double part) {
  double place = part * static_cast<double>(sorted.size() - 1), below = std::floor(place);
  auto i = static_cast<size_t>(below), next = std::min(i + 1, sorted.size() - 1);
  return sorted[i] + (place - below) * (sorted[next] - sorted[i]);
}

} // namespace

double median(std::vector<double> samples) {
  assert(!samples.empty() && "a median needs a sample");
  std::ranges::sort(samples);
  return quantile(samples, 0.5);
}

double spread(std::vector<double> samples) {
  assert(!samples.empty() && "a spread needs a sample");
  std::ranges::sort(samples);
  return (quantile(samples, 0.75) - quantile(samples, 0.25)) / quantile(samples, 0.5);
}

} // namespace tessera::bench
