// What was measured of a case, and what follows from it.
#pragma once

#include "bench/case.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera::bench {

/// The samples of one contestant.
struct Timing {
  std::string name;
  /// Seconds of one call, in the order in which they were taken; empty if the result was wrong.
  std::vector<double> seconds;
  /// The largest error in units of what rounding can cause; more than 1 is wrong.
  double ofBound = 0;
  /// Why there are no samples, else empty.
  std::string failure;

  bool ran() const { return !seconds.empty(); }
  double medianSeconds() const;
};

enum class Verdict : uint8_t { met, missed, wrong, failed, unjudged };
std::string name(Verdict verdict);

struct Result {
  std::string name, family, sizes;
  int threads = 1;
  Limit limit = Limit::none;
  Bar bar;
  Work work;
  /// What one call counts for; zero where only its time matters.
  double amount = 0;
  Timing ours;
  std::vector<Timing> peers;
  /// Samples of the limit in operations or bytes per second; empty where the machine or the case has none.
  std::vector<double> limitRates;

  /// Operations, bytes or calls per second at the median.
  double rate(const Timing &timing) const;
  std::optional<double> limitRate() const;
  /// The peer with the highest rate; null if none ran.
  const Timing *bestPeer() const;
  std::optional<double> ofLimit() const;
  std::optional<double> ofPeer() const;
  /// Our measure relative to the bar itself, 1 or more where it is met: a part of a limit, a rate or a time.
  std::optional<double> ofBar() const;
  Verdict verdict() const;
};

/// What the run as a whole was: the machine, the limits, the peers.
struct Report {
  struct MeasuredLimit {
    Limit limit;
    int threads;
    /// Samples in operations or bytes per second.
    std::vector<double> rates;
  };
  std::string cpu;
  std::string started; // local time, ISO 8601
  int threads = 1, samples = 0;
  /// Threads that wanted to run in the last minute before the start, on average: the other work on the machine.
  double load = 0;
  /// Name and version of each peer library, or why it is not there.
  std::vector<std::string> peers, absentPeers;
  std::vector<MeasuredLimit> limits;
  std::vector<Result> results;
};

} // namespace tessera::bench
