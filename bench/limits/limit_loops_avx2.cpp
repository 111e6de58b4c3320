// The loops of the limits for AVX2 with FMA.
#include "bench/limits/limit_loops.h"

#if defined(__x86_64__)
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
namespace tessera::bench {
namespace {

constexpr int kVectorBytes = 32;
#include "bench/limits/memory_loops.h"

// Ten chains hide a latency of up to five cycles at two instructions per cycle.
constexpr int kChains = 10;

double fp32Fma(int64_t rounds) {
  __m256 sums[kChains] = {}, a = _mm256_setzero_ps(), b = a;
  asm volatile("" : "+x"(a), "+x"(b)); // values that the compiler does not know
  for (int64_t r = 0; r < rounds; ++r) {
#pragma clang loop unroll(full)
    for (auto &sum : sums) {
      sum = _mm256_fmadd_ps(a, b, sum);
      asm volatile("" : "+x"(sum)); // one instruction for each, in this order
    }
  }
  return 16.0 * kChains * static_cast<double>(rounds);
}

} // namespace

const LimitLoops kAvx2Loops{fp32Fma, nullptr, nullptr, readAll, copyAll, streamCopyAll};

} // namespace tessera::bench
#pragma clang attribute pop
#endif
