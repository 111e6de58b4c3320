// d = a . b^T of e4m3 numbers with one scale for 1 x 128 elements of a and one for 128 x 128 elements of b, into bf16:
// each block of 128 along k is multiplied unscaled and added to the sum with both scales.
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

namespace tessera::examples {
using namespace tl;

Program gemmFp8Program(int64_t bm) {
  constexpr int64_t kGroup = 128;
  ProgramBuilder p("gemm_fp8");
  Dim M = p.dim("M"), N = p.dim("N"), K = p.dim("K");
  Buffer A = p.input("A", e4m3, {M, K}), scaleA = p.input("scaleA", f32, {M, ceildiv(K, kGroup)});
  Buffer B = p.input("B", e4m3, {N, K}), scaleB = p.input("scaleB", f32, {ceildiv(N, kGroup), ceildiv(K, kGroup)});
  Buffer D = p.output("D", bf16, {M, N});
  p.kernel({ceildiv(N, kGroup), ceildiv(M, bm)}, [&](Var bx, Var by) {
    Buffer As = allocShared({bm, kGroup}, e4m3, "As"), Bs = allocShared({kGroup, kGroup}, e4m3, "Bs");
    Buffer part = allocFragment({bm, kGroup}, f32, "part"), acc = allocFragment({bm, kGroup}, f32, "acc");
    clear(acc);
    for (Var ko : Pipelined(ceildiv(K, kGroup), {.stages = 3})) {
      copy(A(by * bm, ko * kGroup), As);
      copy(B(bx * kGroup, ko * kGroup), Bs);
      gemm(As, Bs, part, {.transposeB = true, .clear = true});
      Expr scale = scaleB(bx, ko);
      for (auto [i, j] : Parallel(bm, kGroup)) acc(i, j) += part(i, j) * (scaleA(by * bm + i, ko) * scale);
    }
    copy(acc, D(by * bm, bx * kGroup));
  });
  return p.build();
}

Example gemmFp8() {
  constexpr int64_t kBlock = 128;
  auto groups = [](int64_t n) { return ceildiv(n, 128); };
  return {.name = "gemm_fp8",
          .summary = "d = a . b^T, e4m3 with 1x128 and 128x128 scales into bf16",
          .sizeNames = {"M", "N", "K"},
          .demoSizes = {1024, 1024, 1024},
          .blocks = {kBlock, kBlock, 128},
          .program = [] { return gemmFp8Program(kBlock); },
          .arguments = [=](Sizes s, uint64_t seed) -> Arguments {
            return {randomTensor(e4m3, {s[0], s[2]}, seed, -448, 448),
                    randomTensor(f32, {s[0], groups(s[2])}, seed + 1, 0.001, 0.01),
                    randomTensor(e4m3, {s[1], s[2]}, seed + 2, -448, 448),
                    randomTensor(f32, {groups(s[1]), groups(s[2])}, seed + 3, 0.001, 0.01),
                    Tensor::empty(bf16, {s[0], s[1]})};
          },
          .reference = [=](Sizes s, const Arguments &args) -> std::vector<Expected> {
            int64_t n = s[1], k = s[2];
            std::vector<double> a = values(args[0]), as = values(args[1]), b = values(args[2]), bs = values(args[3]),
                                bt(k * n);
            for (int64_t i = 0; i < s[0] * k; ++i) a[i] *= as[i / k * groups(k) + i % k / 128];
            for (int64_t i = 0; i < n * k; ++i)
              bt[i % k * n + i / k] = b[i] * bs[i / k / 128 * groups(k) + i % k / 128];
            Product exact = multiply(a, bt, s[0], n, k);
            return {forEach(4, s[0] * n, [&](int64_t i, double &value, double &bound) {
              value = exact.sums[i];
              bound = rounded(bf16, value, (128 + groups(k) + 3) * kF32 * exact.magnitudes[i]);
            })};
          },
          .flops = [](Sizes s) { return 2.0 * s[0] * s[1] * s[2]; },
          .bytes = [](Sizes s) { return 1.0 * (s[0] * s[2] + s[2] * s[1]) + 2.0 * s[0] * s[1]; }};
}

} // namespace tessera::examples
