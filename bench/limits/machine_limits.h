// What this machine can do at best: rates of arithmetic and of memory that no program exceeds.
#pragma once

#include "bench/limits/huge_memory.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::bench {

/// What may bind a kernel. Rates count multiplications and additions one by one, and bytes read plus bytes written.
enum class Limit : uint8_t {
  none,       // nothing that is a rate: times of compilation and launches
  fp32Fma,    // fused multiply-adds of f32 in registers
  bf16Dot,    // vdpbf16ps in registers
  int8Dot,    // vpdpbusd in registers
  l2Read,     // reading half of each thread's second-level cache
  l2Copy,     // copying inside half of each thread's second-level cache
  dramRead,   // reading far more than the last-level cache holds
  streamCopy, // the same, copying with stores that bypass the caches
};

/// Those that are rates, in the order of the reports.
const std::vector<Limit> &allLimits();

/// A short name for reports and JSON: "bf16 dot".
std::string name(Limit limit);
/// Whether its rate counts bytes; otherwise operations.
bool isBandwidth(Limit limit);
/// Why this machine does not have the limit (an instruction that it lacks); empty if it has it.
std::string whyAbsent(Limit limit);

/// The loops that meet the limits, with the memory that they run on.
class MachineLimits {
public:
  /// `seconds`: how long one measurement takes, about.
  explicit MachineLimits(double seconds) : seconds(seconds) {}

  /// One measurement with so many threads, in operations or bytes per second; requires whyAbsent(limit) to be empty.
  double measure(Limit limit, int threads);

private:
  double seconds;
  HugeMemory memory; // grows to what the limits measured so far need

  double arithmetic(double (*loop)(int64_t rounds), int threads) const;
  double bandwidth(Limit limit, int threads);
};

} // namespace tessera::bench
