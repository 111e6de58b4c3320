// c += a . b with the sum over k split among blocks, which add their parts to c indivisibly: for few rows and columns
// and a long k.
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

namespace tessera::examples {
using namespace tl;

Program gemmSplitKProgram(int64_t bm, int64_t bn, int64_t bk, int64_t splits) {
  ProgramBuilder p("gemm_split_k");
  Dim M = p.dim("M"), N = p.dim("N"), K = p.dim("K");
  Buffer A = p.input("A", bf16, {M, K}), B = p.input("B", bf16, {K, N}), C = p.inout("C", f32, {M, N});
  p.kernel({ceildiv(N, bn), ceildiv(M, bm), splits}, [&](Var bx, Var by, Var bz) {
    Buffer As = allocShared({bm, bk}, bf16, "As"), Bs = allocShared({bk, bn}, bf16, "Bs");
    Buffer acc = allocFragment({bm, bn}, f32, "acc");
    clear(acc);
    Dim steps = ceildiv(K, bk), share = ceildiv(steps, splits);
    for (Var ko : Pipelined(bz * share, min((bz + 1) * share, steps), {.stages = 3})) {
      copy(A(by * bm, ko * bk), As);
      copy(B(ko * bk, bx * bn), Bs);
      gemm(As, Bs, acc);
    }
    atomicAdd(C(by * bm, bx * bn), acc);
  });
  return p.build();
}

Example gemmSplitK() {
  constexpr int64_t kBlock = 64, kBlockK = 256, kSplits = 8;
  return {.name = "gemm_split_k",
          .summary = "c += a . b, bf16 into f32, k split among blocks",
          .sizeNames = {"M", "N", "K"},
          .demoSizes = {64, 256, 16384},
          .blocks = {kBlock, kBlock, kBlockK},
          .program = [] { return gemmSplitKProgram(kBlock, kBlock, kBlockK, kSplits); },
          .arguments = [](Sizes s, uint64_t seed) -> Arguments {
            return {randomTensor(bf16, {s[0], s[2]}, seed), randomTensor(bf16, {s[2], s[1]}, seed + 1),
                    randomTensor(f32, {s[0], s[1]}, seed + 2)};
          },
          .reference = [](Sizes s, const Arguments &args) -> std::vector<Expected> {
            Product exact = multiply(values(args[0]), values(args[1]), s[0], s[1], s[2]);
            std::vector<double> old = values(args[2]);
            return {forEach(2, s[0] * s[1], [&](int64_t i, double &value, double &bound) {
              value = old[i] + exact.sums[i];
              bound = rounded(f32, value, (s[2] + kSplits) * kF32 * (exact.magnitudes[i] + std::abs(old[i])));
            })};
          },
          .flops = [](Sizes s) { return 2.0 * s[0] * s[1] * s[2]; },
          .bytes = [](Sizes s) { return 2.0 * (s[0] * s[2] + s[2] * s[1]) + 8.0 * s[0] * s[1]; }};
}

} // namespace tessera::examples
