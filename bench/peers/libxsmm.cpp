// Products of f32 by libxsmm. The library makes kernels for small matrices and leaves the blocking to its caller: here
// blocks of 64 x 64 results, 256 of k at a time, on the operands as they lie, the rows of blocks shared among threads.
#include "bench/peers/libxsmm.h"

#include "core/thread_pool.h"

#include <algorithm>
#include <libxsmm.h>

namespace tessera::bench {
namespace {

constexpr int kBlock = 64, kBlockK = 256;

/// Kernels for whole blocks and those at the edges. The library is column-major: it computes C^T = B^T . A^T.
class Kernels {
public:
  Kernels(int m, int n, int k) : m(m), n(n), k(k) {}

  /// Rows [row, row + kBlock) of C.
  void run(const float *a, const float *b, float *c, int row) const {
    int rows = std::min(kBlock, m - row);
    for (int col = 0; col < n; col += kBlock)
      for (int at = 0; at < k; at += kBlockK) {
        int cols = std::min(kBlock, n - col), depth = std::min(kBlockK, k - at);
        float alpha = 1, beta = at == 0 ? 0 : 1;
        // Looked up by its numbers in a table that each thread keeps.
        libxsmm_smmfunction kernel =
            libxsmm_smmdispatch(cols, rows, depth, &n, &k, &n, &alpha, &beta, nullptr, nullptr);
        kernel(b + static_cast<int64_t>(at) * n + col, a + static_cast<int64_t>(row) * k + at,
               c + static_cast<int64_t>(row) * n + col);
      }
  }

private:
  int m, n, k;
};

} // namespace

PeerLibrary libxsmm() { return {.name = "libxsmm", .version = LIBXSMM_VERSION, .reason = {}}; }

std::vector<Contestant> libxsmmGemm(const GemmProblem &p) {
  if (p.a.dtype() != DType::f32 || p.c.dtype() != DType::f32) return {};
  auto m = static_cast<int>(p.a.extent(0)), k = static_cast<int>(p.a.extent(1)), n = static_cast<int>(p.b.extent(1));
  return {{.name = "libxsmm", .call = [=] {
             Kernels kernels(m, n, k);
             parallelFor((m + kBlock - 1) / kBlock,
                         [&](int64_t block, int) {
                           kernels.run(p.a.data<const float>(), p.b.data<const float>(), p.c.data<float>(),
                                       static_cast<int>(block) * kBlock);
                         },
                         p.threads);
           }}};
}

} // namespace tessera::bench
