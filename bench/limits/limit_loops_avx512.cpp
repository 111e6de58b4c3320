// The loops of the limits for AVX-512, with the dot products of bf16 and int8.
#include "bench/limits/limit_loops.h"

#if defined(__x86_64__)
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx512f,avx512bf16,avx512vnni"))), apply_to = function)
namespace tessera::bench {
namespace {

constexpr int kVectorBytes = 64;
#include "bench/limits/memory_loops.h"

// Twenty chains hide a latency of up to ten cycles at two instructions per cycle.
constexpr int kChains = 20;

double fp32Fma(int64_t rounds) {
  __m512 sums[kChains] = {}, a = _mm512_setzero_ps(), b = a;
  asm volatile("" : "+v"(a), "+v"(b)); // values that the compiler does not know
  for (int64_t r = 0; r < rounds; ++r) {
#pragma clang loop unroll(full)
    for (auto &sum : sums) {
      sum = _mm512_fmadd_ps(a, b, sum);
      asm volatile("" : "+v"(sum)); // one instruction for each, in this order
    }
  }
  return 32.0 * kChains * static_cast<double>(rounds);
}

double bf16Dot(int64_t rounds) {
  __m512 sums[kChains] = {};
  __m512i a = _mm512_setzero_si512(), b = a;
  asm volatile("" : "+v"(a), "+v"(b));
  for (int64_t r = 0; r < rounds; ++r) {
#pragma clang loop unroll(full)
    for (auto &sum : sums) {
      sum = _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
      asm volatile("" : "+v"(sum));
    }
  }
  return 64.0 * kChains * static_cast<double>(rounds);
}

double int8Dot(int64_t rounds) {
  __m512i sums[kChains] = {}, a = _mm512_setzero_si512(), b = a;
  asm volatile("" : "+v"(a), "+v"(b));
  for (int64_t r = 0; r < rounds; ++r) {
#pragma clang loop unroll(full)
    for (auto &sum : sums) {
      sum = _mm512_dpbusd_epi32(sum, a, b);
      asm volatile("" : "+v"(sum));
    }
  }
  return 128.0 * kChains * static_cast<double>(rounds);
}

} // namespace

LimitLoops avx512Loops() {
  return {fp32Fma,
          __builtin_cpu_supports("avx512bf16") ? bf16Dot : nullptr,
          __builtin_cpu_supports("avx512vnni") ? int8Dot : nullptr,
          readAll,
          copyAll,
          streamCopyAll};
}

} // namespace tessera::bench
#pragma clang attribute pop
#endif
