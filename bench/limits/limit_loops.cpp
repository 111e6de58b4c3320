// The choice of loops for this CPU, and those without special instructions.
#include "bench/limits/limit_loops.h"

namespace tessera::bench {
namespace {

constexpr int kVectorBytes = 16;
#include "bench/limits/memory_loops.h"

LimitLoops choose() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return avx512Loops();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kAvx2Loops;
#endif
  return kBaselineLoops;
}

} // namespace

const LimitLoops kBaselineLoops{nullptr, nullptr, nullptr, readAll, copyAll, streamCopyAll};

const LimitLoops &limitLoops() {
  static const LimitLoops loops = choose();
  return loops;
}

} // namespace tessera::bench
