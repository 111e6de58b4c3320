// How long a kernel takes.
#pragma once

#include "core/argument.h"
#include "core/function_ref.h"
#include "tilelang/driver/kernel.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tessera {

/// What one call has to do; zero where it is not known.
struct Work {
  /// Floating-point or integer operations.
  double flops = 0;
  /// Bytes that must be read or written at least once.
  double bytes = 0;
};

/// The bytes of all tensors of a call, those that are both read and written counted twice.
double argumentBytes(const Signature &signature, std::span<const Argument> arguments);

struct ProfileOptions {
  /// Samples that are not counted.
  int warmUp = 3;
  /// Samples that are, five or more.
  int samples = 20;
  /// Calls shorter than this are timed several at a time, so that the clock does not count.
  double shortestSample = 50e-6;
};

struct Profile {
  /// Seconds for one call by each sample, ascending.
  std::vector<double> seconds;
  Work work;

  double median() const { return quantile(0.5); }
  double p95() const { return quantile(0.95); }
  /// Between two samples by linear interpolation.
  double quantile(double part) const;
  /// At the median; zero where the work is not known.
  double gflops() const { return work.flops / median() * 1e-9; }
  double gigabytes() const { return work.bytes / median() * 1e-9; }
  /// "median 12.3 us, p95 15.1 us, 87.2 GFLOP/s, 12.3 GB/s".
  std::string text() const;
};

/// Times a call. Throws Error for options out of range, and whatever the call throws.
Profile profile(FunctionRef<void()> call, const Work &work = {}, const ProfileOptions &options = {});

/// The same for a kernel; bytes that are not given are those of its arguments.
Profile profile(const Kernel &kernel, std::span<const Argument> arguments, Work work = {},
                const ProfileOptions &options = {});

} // namespace tessera
