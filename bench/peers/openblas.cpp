// OpenBLAS by its C interface: sgemm.
#include "bench/peers/blas.h"
#include "bench/peers/shared_library.h"

#include <cstring>

namespace tessera::bench {
namespace {

constexpr int kRowMajor = 101, kNoTranspose = 111; // CBLAS_ORDER, CBLAS_TRANSPOSE

using Gemm = void(int order, int transposeA, int transposeB, int m, int n, int k, float alpha, const float *a, int lda,
                  const float *b, int ldb, float beta, float *c, int ldc);

const SharedLibrary &library() {
  static const SharedLibrary opened("libopenblas.so.0");
  return opened;
}

void setThreads(int threads) {
  static auto *set = library().find<void(int)>("openblas_set_num_threads");
  if (set) set(threads);
}

} // namespace

PeerLibrary openBlas() {
  PeerLibrary result{.name = "OpenBLAS", .version = {}, .reason = library().error()};
  if (auto *config = library().find<const char *()>("openblas_get_config")) result.version = config();
  if (result.version.starts_with("OpenBLAS ")) result.version.erase(0, std::strlen("OpenBLAS "));
  return result;
}

std::vector<Contestant> openBlasGemm(const GemmProblem &p) {
  auto *gemm = library().find<Gemm>("cblas_sgemm");
  if (!gemm || p.a.dtype() != DType::f32 || p.c.dtype() != DType::f32) return {};
  auto m = static_cast<int>(p.a.extent(0)), k = static_cast<int>(p.a.extent(1)), n = static_cast<int>(p.b.extent(1));
  return {{.name = "OpenBLAS", .call = [=] {
             setThreads(p.threads);
             gemm(kRowMajor, kNoTranspose, kNoTranspose, m, n, k, 1, p.a.data<const float>(), k,
                  p.b.data<const float>(), n, 0, p.c.data<float>(), n);
           }}};
}

} // namespace tessera::bench
