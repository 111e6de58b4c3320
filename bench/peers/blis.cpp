// BLIS by its own typed interface, which takes any strides; the BLAS names that it also exports are not used.
#include "bench/peers/blas.h"
#include "bench/peers/shared_library.h"

namespace tessera::bench {
namespace {

constexpr int kNoTranspose = 0; // BLIS_NO_TRANSPOSE

using Dim = int64_t; // dim_t and inc_t
using Gemm = void(int transposeA, int transposeB, Dim m, Dim n, Dim k, const float *alpha, const float *a, Dim rowA,
                  Dim columnA, const float *b, Dim rowB, Dim columnB, const float *beta, float *c, Dim rowC,
                  Dim columnC);

const SharedLibrary &library() {
  static const SharedLibrary opened("libblis.so.4");
  return opened;
}

void setThreads(int threads) {
  static auto *set = library().find<void(Dim)>("bli_thread_set_num_threads");
  if (set) set(threads);
}

} // namespace

PeerLibrary blis() {
  PeerLibrary result{.name = "BLIS", .version = {}, .reason = library().error()};
  if (auto *version = library().find<const char *()>("bli_info_get_version_str")) result.version = version();
  return result;
}

std::vector<Contestant> blisGemm(const GemmProblem &p) {
  auto *gemm = library().find<Gemm>("bli_sgemm");
  if (!gemm || p.a.dtype() != DType::f32 || p.c.dtype() != DType::f32) return {};
  Dim m = p.a.extent(0), k = p.a.extent(1), n = p.b.extent(1);
  return {{.name = "BLIS", .call = [=] {
             const float one = 1, zero = 0;
             setThreads(p.threads);
             gemm(kNoTranspose, kNoTranspose, m, n, k, &one, p.a.data<const float>(), k, 1, p.b.data<const float>(), n,
                  1, &zero, p.c.data<float>(), n, 1);
           }}};
}

} // namespace tessera::bench
