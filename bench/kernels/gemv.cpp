// Few rows against a large matrix of weights: every weight is read once, so they stream through while all rows of x
// wait for them.
#include "bench/kernels/kernels.h"
#include "tilelang/dsl/tl.h"

#include <vector>

namespace tessera::bench {
using namespace tl;

namespace {

/// Weights with scales: each row of weights has 32 sums for each row of x, which are added up at the end. A tile of
/// weights for a gemm would take longer to make than to multiply.
Program scaledGemvProgram(DType weights, int64_t m) {
  constexpr int64_t kSums = 32, kRows = 16;
  const bool isFp4 = weights == e2m1;
  const int64_t groupRows = isFp4 ? 1 : 128, group = isFp4 ? 32 : 128; // weights of one scale
  ProgramBuilder p("gemv_" + std::string(name(weights)));
  Dim N = p.dim("N"), K = p.dim("K");
  Buffer x = p.input("x", bf16, {m, K}), w = p.input("w", weights, {N, K});
  Buffer scales = p.input("scales", isFp4 ? e8m0 : f32, {ceildiv(N, groupRows), ceildiv(K, group)});
  Buffer y = p.output("y", bf16, {m, N});
  p.kernel({ceildiv(N, kRows)}, [&](Var bx) {
    std::vector<Buffer> sums;
    for (int64_t i = 0; i < m; ++i) {
      sums.push_back(allocFragment({kRows, kSums}, f32, "sums"));
      clear(sums.back());
    }
    for (Var ko : Serial(ceildiv(K, kSums)))
      for (auto [n, k] : Parallel(kRows, kSums)) {
        Expr scaleRow = isFp4 ? bx * kRows + n : floordiv(bx, groupRows / kRows);
        Expr scale = scales(scaleRow, floordiv(ko * kSums, group));
        Expr weight = w(bx * kRows + n, ko * kSums + k) * scale;
        for (int64_t i = 0; i < m; ++i) sums[static_cast<size_t>(i)](n, k) += weight * x(i, ko * kSums + k);
      }
    Buffer row = allocFragment({kRows}, f32, "row");
    for (int64_t i = 0; i < m; ++i) {
      reduceSum(sums[static_cast<size_t>(i)], row);
      copy(row, y(i, window(bx * kRows, kRows)));
    }
  });
  return p.build();
}

} // namespace

Program gemvProgram(DType weights, int64_t m) {
  if (weights != bf16) return scaledGemvProgram(weights, m);
  constexpr int64_t kColumns = 128, kDepth = 1024; // of the blocks of weights
  ProgramBuilder p("gemv_bf16");
  Dim N = p.dim("N"), K = p.dim("K");
  Buffer x = p.input("x", bf16, {m, K}), w = p.input("w", bf16, {N, K}), y = p.output("y", bf16, {m, N});
  p.kernel({ceildiv(N, kColumns)}, [&](Var bx) {
    Buffer xs = allocShared({m, kDepth}, bf16, "xs"), ws = allocShared({kColumns, kDepth}, bf16, "ws");
    Buffer acc = allocFragment({m, kColumns}, f32, "acc");
    clear(acc);
    for (Var ko : Pipelined(ceildiv(K, kDepth), {.stages = 3})) {
      copy(x(0, ko * kDepth), xs);
      copy(w(bx * kColumns, ko * kDepth), ws);
      gemm(xs, ws, acc, {.transposeB = true});
    }
    copy(acc, y(0, bx * kColumns));
  });
  return p.build();
}

} // namespace tessera::bench
