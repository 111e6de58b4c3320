// c = silu(a . b + bias), bf16: the activation is applied while the block of c is still in its fragment.
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

#include <cmath>

namespace tessera::examples {
using namespace tl;

Program gemmBiasActivationProgram(int64_t bm, int64_t bn, int64_t bk) {
  ProgramBuilder p("gemm_bias_act");
  Dim M = p.dim("M"), N = p.dim("N"), K = p.dim("K");
  Buffer A = p.input("A", bf16, {M, K}), B = p.input("B", bf16, {K, N}), bias = p.input("bias", f32, {N});
  Buffer C = p.output("C", bf16, {M, N});
  p.kernel({ceildiv(N, bn), ceildiv(M, bm)}, [&](Var bx, Var by) {
    Buffer As = allocShared({bm, bk}, bf16, "As"), Bs = allocShared({bk, bn}, bf16, "Bs");
    Buffer acc = allocFragment({bm, bn}, f32, "acc");
    clear(acc);
    for (Var ko : Pipelined(ceildiv(K, bk), {.stages = 3})) {
      copy(A(by * bm, ko * bk), As);
      copy(B(ko * bk, bx * bn), Bs);
      gemm(As, Bs, acc);
    }
    for (auto [i, j] : Parallel(bm, bn)) {
      Expr y = acc(i, j) + bias(bx * bn + j);
      acc(i, j) = y * sigmoid(y);
    }
    copy(acc, C(by * bm, bx * bn));
  });
  return p.build();
}

Example gemmBiasActivation() {
  constexpr int64_t kBlock = 256, kBlockK = 256;
  return {.name = "gemm_bias_act",
          .summary = "c = silu(a . b + bias), bf16",
          .sizeNames = {"M", "N", "K"},
          .demoSizes = {1024, 1024, 1024},
          .blocks = {kBlock, kBlock, kBlockK},
          .program = [] { return gemmBiasActivationProgram(kBlock, kBlock, kBlockK); },
          .parameters = {{"bm", kBlock, {32, 64, 128, 256, 512}},
                         {"bn", kBlock, {64, 128, 256, 512}},
                         {"bk", kBlockK, {128, 256, 512, 1024}}},
          .variant = [](Choice c) { return gemmBiasActivationProgram(c[0], c[1], c[2]); },
          .arguments = [](Sizes s, uint64_t seed) -> Arguments {
            return {randomTensor(bf16, {s[0], s[2]}, seed), randomTensor(bf16, {s[2], s[1]}, seed + 1),
                    randomTensor(f32, {s[1]}, seed + 2), Tensor::empty(bf16, {s[0], s[1]})};
          },
          .reference = [](Sizes s, const Arguments &args) -> std::vector<Expected> {
            Product exact = multiply(values(args[0]), values(args[1]), s[0], s[1], s[2]);
            std::vector<double> bias = values(args[2]);
            return {forEach(3, s[0] * s[1], [&](int64_t i, double &value, double &bound) {
              double y = exact.sums[i] + bias[i % s[1]], gate = 1 / (1 + std::exp(-y));
              value = y * gate;
              // silu is nowhere steeper than 1.1.
              double yError = (s[2] + 2) * kF32 * (exact.magnitudes[i] + std::abs(bias[i % s[1]]));
              bound = rounded(bf16, value, 1.1 * yError + std::abs(value) * (kFunction + 2 * kF32));
            })};
          },
          .flops = [](Sizes s) { return 2.0 * s[0] * s[1] * s[2]; },
          .bytes = [](Sizes s) { return 2.0 * (s[0] * s[2] + s[2] * s[1] + s[0] * s[1]) + 4.0 * s[1]; }};
}

} // namespace tessera::examples
