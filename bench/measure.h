// Checks and times one case: our kernel, the peers and the limit take turns, so that what changes on the machine while
// they run changes for all of them.
#pragma once

#include "bench/case.h"
#include "bench/result.h"

namespace tessera::bench {

struct MeasureOptions {
  /// Turns of each contestant.
  int samples = 7;
  /// A turn lasts at least so long; shorter calls are repeated.
  double shortestSample = 0.03;
};

/// Throws nothing that the case throws: it becomes the failure of a contestant.
Result measure(const Case &benchCase, MachineLimits &limits, const MeasureOptions &options);

/// Waits until no thread of this process runs but the caller's: thread pools spin for a while after a call, and would
/// slow down whoever is next. Gives up after half a second.
void waitUntilQuiet();

} // namespace tessera::bench
