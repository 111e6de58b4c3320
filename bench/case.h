// A benchmark case: what is measured, against what, and what is asked of it.
#pragma once

#include "bench/limits/machine_limits.h"
#include "examples/registry.h"
#include "tilelang/driver/profiler.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera::bench {

/// What is asked of our kernel.
struct Bar {
  enum class Kind : uint8_t {
    ofLimit,       // at least this part of the limit
    rateAtLeast,   // at least so many operations per second
    secondsAtMost, // at most so many seconds
  };
  Kind kind = Kind::ofLimit;
  double value = 0;
  /// At least this part of the best peer's rate, where a peer runs.
  double ofPeer = 0;
};

/// One way to do the work of a case: our kernel or a peer.
struct Contestant {
  std::string name;
  /// Does the work once, on the data of the case.
  std::function<void()> call;
  /// Where a call cannot be timed from outside: does the work once and says how many seconds counted.
  std::function<double()> seconds;
};

/// The data of a case with all that run on it. All contestants write the same outputs.
struct Prepared {
  Contestant ours;
  std::vector<Contestant> peers;
  /// Fills the outputs with what no contestant computes.
  std::function<void()> poison;
  /// The outputs as they are now, against double precision.
  std::function<examples::Deviation()> check;
};

struct Case {
  /// "family/size", the same on every machine.
  std::string name;
  std::string sizes;
  int threads = 1;
  Limit limit = Limit::none;
  Bar bar;
  /// Of one call. `limit` says which of the two binds.
  Work work;
  /// Belongs to the small set of `--quick`.
  bool quick = false;
  /// Allocates the data, compiles our kernel and readies the peers; throws Error where ours does not compile.
  std::function<Prepared()> prepare;

  /// What one call counts for: bytes under a bandwidth, operations otherwise.
  double amount() const { return isBandwidth(limit) ? work.bytes : work.flops; }
  std::string family() const { return name.substr(0, name.find('/')); }
};

} // namespace tessera::bench
