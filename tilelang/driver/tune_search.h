// The search for the best of several candidates by measuring: which are tried, how long, and which one wins. Knows
// nothing of kernels, so that tests can time and fail as they like.
#pragma once

#include "tilelang/driver/tuner.h"

#include <functional>
#include <string>
#include <vector>

namespace tessera {

/// How candidates are prepared and timed. Candidates are given by their place in the list.
struct TuneBench {
  /// Makes a candidate ready and checks its results. Throws Error where it cannot be compiled or run, and gives what is
  /// wrong with its results, or nothing.
  std::function<std::string(size_t)> prepare;
  /// Seconds of one call of a candidate that has been prepared.
  std::function<double(size_t)> time;
  /// A candidate is not needed any more.
  std::function<void(size_t)> drop;
  /// Seconds since any moment, for the budget.
  std::function<double()> now;
};

/// Tries the candidates in order; the first is the usual one, which must be right, or the Error of its preparation goes
/// to the caller. Fills in the trials and returns the place of the winner.
///
/// - A candidate is cut off once its fastest sample is more than kCutOff slower than the fastest of the best one.
/// - After `budget` seconds no further candidate is begun.
/// - In the end the best one and the usual one take turns; what is not faster by kWorthwhile there does not win.
size_t searchBest(std::vector<TuneTrial> &trials, const TuneBench &bench, const TuneOptions &options);

constexpr double kCutOff = 1.2, kWorthwhile = 1.02;

} // namespace tessera
