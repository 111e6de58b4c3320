// Numbers as a reader wants them.
#pragma once

#include "bench/result.h"

#include <string>

namespace tessera::bench {

/// "431.2 GFLOP/s", "35.1 GB/s".
std::string rateText(double rate, bool bytes);
/// "12.3 us", "4.56 ms".
std::string secondsText(double seconds);
/// What a contestant reached: a rate, or a time where only that matters; "-" if it did not run.
std::string speedText(const Result &result, const Timing &timing);
/// ">= 0.93", "<= 30.0 ms".
std::string barText(const Bar &bar);
/// "0.93", "-" without a value.
std::string ratioText(std::optional<double> ratio);

} // namespace tessera::bench
