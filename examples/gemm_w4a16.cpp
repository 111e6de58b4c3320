// d = a . w^T of bf16 numbers and e2m1 weights with one ue8m0 scale for 32 of them along k, into bf16: blocks of
// weights are scaled into a bf16 tile, which holds the products exactly, and multiplied from there.
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

namespace tessera::examples {
using namespace tl;

namespace {

constexpr int64_t kGroup = 32;

Program gemmW4a16Program(int64_t bm, int64_t bn, int64_t bk) {
  ProgramBuilder p("gemm_w4a16");
  Dim M = p.dim("M"), N = p.dim("N"), K = p.dim("K");
  Buffer A = p.input("A", bf16, {M, K});
  Buffer W = p.input("W", e2m1, {N, K}), scales = p.input("scales", e8m0, {N, ceildiv(K, kGroup)});
  Buffer D = p.output("D", bf16, {M, N});
  p.kernel({ceildiv(N, bn), ceildiv(M, bm)}, [&](Var bx, Var by) {
    Buffer As = allocShared({bm, bk}, bf16, "As"), Ws = allocShared({bn, bk}, bf16, "Ws");
    Buffer acc = allocFragment({bm, bn}, f32, "acc");
    clear(acc);
    for (Var ko : Pipelined(ceildiv(K, bk), {.stages = 3})) {
      copy(A(by * bm, ko * bk), As);
      for (auto [n, g, k] : Parallel(bn, bk / kGroup, kGroup)) // elements outside W are 0
        Ws(n, g * kGroup + k) = W(bx * bn + n, ko * bk + g * kGroup + k) * scales(bx * bn + n, ko * (bk / kGroup) + g);
      gemm(As, Ws, acc, {.transposeB = true});
    }
    copy(acc, D(by * bm, bx * bn));
  });
  return p.build();
}

} // namespace

Example gemmW4a16() {
  constexpr int64_t kBlock = 256;
  auto groups = [](int64_t k) { return ceildiv(k, kGroup); };
  return {.name = "gemm_w4a16",
          .summary = "d = a . w^T, bf16 and e2m1 with 1x32 ue8m0 scales into bf16",
          .sizeNames = {"M", "N", "K"},
          .demoSizes = {1024, 1024, 1024},
          .blocks = {kBlock, kBlock, kBlock},
          .program = [] { return gemmW4a16Program(kBlock, kBlock, kBlock); },
          .arguments = [=](Sizes s, uint64_t seed) -> Arguments {
            return {randomTensor(bf16, {s[0], s[2]}, seed), randomTensor(e2m1, {s[1], s[2]}, seed + 1, -6, 6),
                    randomTensor(e8m0, {s[1], groups(s[2])}, seed + 2, 0x1p-9, 0x1p-3),
                    Tensor::empty(bf16, {s[0], s[1]})};
          },
          .reference = [=](Sizes s, const Arguments &args) -> std::vector<Expected> {
            int64_t n = s[1], k = s[2];
            std::vector<double> w = values(args[1]), scale = values(args[2]), wt(k * n);
            for (int64_t i = 0; i < n * k; ++i)
              wt[i % k * n + i / k] = w[i] * scale[i / k * groups(k) + i % k / kGroup];
            Product exact = multiply(values(args[0]), wt, s[0], n, k);
            return {forEach(3, s[0] * n, [&](int64_t i, double &value, double &bound) {
              value = exact.sums[i];
              bound = rounded(bf16, value, (k + 1) * kF32 * exact.magnitudes[i]);
            })};
          },
          .flops = [](Sizes s) { return 2.0 * s[0] * s[1] * s[2]; },
          .bytes = [=](Sizes s) { return 2.0 * s[0] * (s[2] + s[1]) + 0.5 * s[1] * s[2] + 1.0 * s[1] * groups(s[2]); }};
}

} // namespace tessera::examples
