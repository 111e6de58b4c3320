// c = a . b in blocks, for f32, bf16, f16 and int8. A block of c stays in a fragment while blocks of a and b stream by.
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

namespace tessera::examples {
using namespace tl;

Program gemmProgram(const std::string &name, DType in, DType sum, DType out, int64_t bm, int64_t bn, int64_t bk) {
  ProgramBuilder p(name);
  Dim M = p.dim("M"), N = p.dim("N"), K = p.dim("K");
  Buffer A = p.input("A", in, {M, K}), B = p.input("B", in, {K, N}), C = p.output("C", out, {M, N});
  p.kernel({ceildiv(N, bn), ceildiv(M, bm)}, [&](Var bx, Var by) {
    Buffer As = allocShared({bm, bk}, in, "As"), Bs = allocShared({bk, bn}, in, "Bs");
    Buffer acc = allocFragment({bm, bn}, sum, "acc");
    clear(acc);
    for (Var ko : Pipelined(ceildiv(K, bk), {.stages = 3})) {
      copy(A(by * bm, ko * bk), As);
      copy(B(ko * bk, bx * bn), Bs);
      gemm(As, Bs, acc);
    }
    copy(acc, C(by * bm, bx * bn));
  });
  return p.build();
}

static Example gemmExample(const std::string &name, DType in, DType sum, DType out, int64_t bk) {
  constexpr int64_t kBlock = 128;
  return {.name = name,
          .summary = "c = a . b, " + std::string(tessera::name(in)) + " into " + std::string(tessera::name(out)),
          .sizeNames = {"M", "N", "K"},
          .demoSizes = {1024, 1024, 1024},
          .blocks = {kBlock, kBlock, bk},
          .program = [=] { return gemmProgram(name, in, sum, out, kBlock, kBlock, bk); },
          .arguments = [=](Sizes s, uint64_t seed) -> Arguments {
            double limit = in == i8 ? 127 : 1;
            return {randomTensor(in, {s[0], s[2]}, seed, -limit, limit),
                    randomTensor(in, {s[2], s[1]}, seed + 1, -limit, limit), Tensor::empty(out, {s[0], s[1]})};
          },
          .reference = [=](Sizes s, const Arguments &args) -> std::vector<Expected> {
            Product exact = multiply(values(args[0]), values(args[1]), s[0], s[1], s[2]);
            return {forEach(2, s[0] * s[1], [&](int64_t i, double &value, double &bound) {
              value = exact.sums[i];
              bound = in == i8 ? 0 : rounded(out, value, (s[2] + 1) * kF32 * exact.magnitudes[i]);
            })};
          },
          .flops = [](Sizes s) { return 2.0 * s[0] * s[1] * s[2]; },
          .bytes =
              [=](Sizes s) {
                return byteWidth(in) * (1.0 * s[0] * s[2] + 1.0 * s[2] * s[1]) + byteWidth(out) * 1.0 * s[0] * s[1];
              }};
}

std::vector<Example> gemms() {
  return {gemmExample("gemm_f32", f32, f32, f32, 256), gemmExample("gemm_bf16", bf16, f32, bf16, 256),
          gemmExample("gemm_f16", f16, f32, f16, 256), gemmExample("gemm_i8", i8, i32, i32, 512)};
}

} // namespace tessera::examples
