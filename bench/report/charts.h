// The drawings of the HTML page.
#pragma once

#include "bench/result.h"

#include <functional>
#include <string>
#include <vector>

namespace tessera::bench {

/// One bar for each result, with the best peer below it and a mark where the bar asked for lies. `value` and `peer` say
/// what is drawn, `asked` where the mark is; results without a value are left out.
struct RatioChart {
  std::string label;
  std::function<std::optional<double>(const Result &)> value, peer, asked;
};
std::string ratioChart(const RatioChart &chart, const std::vector<const Result *> &results);

/// Rates over operations per byte, on logarithmic axes, below the limits of all threads. Empty if no result has both
/// operations and bytes.
std::string rooflineChart(const Report &report);

} // namespace tessera::bench
