// SLEEF's functions with an error of at most one unit in the last place, 16 lanes at a time.
#include "bench/peers/sleef.h"

#if defined(__x86_64__)
#include <immintrin.h>

// The header of SLEEF declares them only to files that are compiled for AVX-512 as a whole.
extern "C" {
__m512 Sleef_expf16_u10avx512f(__m512 x);  // NOLINT(readability-identifier-naming)
__m512 Sleef_logf16_u10avx512f(__m512 x);  // NOLINT(readability-identifier-naming)
__m512 Sleef_tanhf16_u10avx512f(__m512 x); // NOLINT(readability-identifier-naming)
__m512 Sleef_erff16_u10avx512f(__m512 x);  // NOLINT(readability-identifier-naming)
}
#endif

namespace tessera::bench {
#if defined(__x86_64__)
namespace {

using Function = __m512(__m512);

__attribute__((target("avx512f"))) void apply(Function *function, const float *x, float *y, int64_t n) {
  for (int64_t i = 0; i < n; i += 16) _mm512_storeu_ps(y + i, function(_mm512_loadu_ps(x + i)));
}

Function *find(const std::string &name) {
  if (name == "exp") return Sleef_expf16_u10avx512f;
  if (name == "log") return Sleef_logf16_u10avx512f;
  if (name == "tanh") return Sleef_tanhf16_u10avx512f;
  if (name == "erf") return Sleef_erff16_u10avx512f;
  return nullptr;
}

} // namespace

std::vector<Contestant> sleefFunction(const std::string &function, const Tensor &x, const Tensor &y, int64_t repeats) {
  Function *found = find(function);
  if (!found || !__builtin_cpu_supports("avx512f") || x.numel() % 16 != 0) return {};
  return {{.name = "SLEEF", .call = [=] {
             for (int64_t r = 0; r < repeats; ++r) apply(found, x.data<const float>(), y.data<float>(), x.numel());
           }}};
}
#else
std::vector<Contestant> sleefFunction(const std::string &, const Tensor &, const Tensor &, int64_t) { return {}; }
#endif

} // namespace tessera::bench
