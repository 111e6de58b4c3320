// Few rows against a large matrix of weights: every weight is read once, so blocks of them stream through while all
// rows of x wait for them.
#include "bench/kernels/kernels.h"
#include "tilelang/dsl/tl.h"

namespace tessera::bench {
using namespace tl;

Program gemvProgram(DType weights, int64_t m) {
  constexpr int64_t kGroup = 128; // of scales
  const bool scaled = weights == e4m3;
  const int64_t columns = kGroup, depth = scaled ? kGroup : 1024; // of the blocks of weights
  ProgramBuilder p("gemv_" + std::string(name(weights)));
  Dim N = p.dim("N"), K = p.dim("K");
  Buffer x = p.input("x", bf16, {m, K}), w = p.input("w", weights, {N, K});
  Buffer scales = scaled ? p.input("scales", f32, {ceildiv(N, kGroup), ceildiv(K, kGroup)}) : x;
  Buffer y = p.output("y", bf16, {m, N});
  p.kernel({ceildiv(N, columns)}, [&](Var bx) {
    Buffer xs = allocShared({m, depth}, bf16, "xs"), ws = allocShared({columns, depth}, bf16, "ws");
    Buffer part = allocFragment({m, columns}, f32, "part"), acc = allocFragment({m, columns}, f32, "acc");
    clear(acc);
    for (Var ko : Pipelined(ceildiv(K, depth), {.stages = 3})) {
      copy(x(0, ko * depth), xs);
      copy(w(bx * columns, ko * depth), ws);
      if (!scaled) {
        gemm(xs, ws, acc, {.transposeB = true});
        continue;
      }
      gemm(xs, ws, part, {.transposeB = true, .clear = true});
      Expr scale = scales(bx, ko);
      for (auto [i, j] : Parallel(m, columns)) acc(i, j) += part(i, j) * scale;
    }
    copy(acc, y(0, bx * columns));
  });
  return p.build();
}

} // namespace tessera::bench
