// c = a . b in blocks, for f32, bf16, f16 and 8-bit integers. A block of c stays in a fragment while blocks of a and b
// stream by.
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

#include <fmt/format.h>

namespace tessera::examples {
using namespace tl;

struct GemmTypes {
  DType a, b, sum, c;
};

Program gemmProgram(const std::string &name, const GemmTypes &types, int64_t bm, int64_t bn, int64_t bk) {
  ProgramBuilder p(name);
  Dim M = p.dim("M"), N = p.dim("N"), K = p.dim("K");
  Buffer A = p.input("A", types.a, {M, K}), B = p.input("B", types.b, {K, N}), C = p.output("C", types.c, {M, N});
  p.kernel({ceildiv(N, bn), ceildiv(M, bm)}, [&](Var bx, Var by) {
    Buffer As = allocShared({bm, bk}, types.a, "As"), Bs = allocShared({bk, bn}, types.b, "Bs");
    Buffer acc = allocFragment({bm, bn}, types.sum, "acc");
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

/// Numbers of [-1, 1), or of the whole type where that is small.
static Tensor operand(DType type, std::vector<int64_t> shape, uint64_t seed) {
  if (type == i8) return randomTensor(i8, std::move(shape), seed, -127, 127);
  if (type == u8) return randomTensor(u8, std::move(shape), seed, 0, 255);
  return randomTensor(type, std::move(shape), seed);
}

static Example gemmExample(const std::string &name, const GemmTypes &types, int64_t bk) {
  constexpr int64_t kBlock = 256;
  return {.name = name,
          .summary = fmt::format("c = a . b, {} x {} into {}", tessera::name(types.a), tessera::name(types.b),
                                 tessera::name(types.c)),
          .sizeNames = {"M", "N", "K"},
          .demoSizes = {1024, 1024, 1024},
          .blocks = {kBlock, kBlock, bk},
          .program = [=] { return gemmProgram(name, types, kBlock, kBlock, bk); },
          .parameters = {{"bm", kBlock, {32, 64, 128, 256, 512}},
                         {"bn", kBlock, {64, 128, 256, 512}},
                         {"bk", bk, {128, 256, 512, 1024}}},
          .variant = [=](Choice c) { return gemmProgram(name, types, c[0], c[1], c[2]); },
          .arguments = [=](Sizes s, uint64_t seed) -> Arguments {
            return {operand(types.a, {s[0], s[2]}, seed), operand(types.b, {s[2], s[1]}, seed + 1),
                    Tensor::empty(types.c, {s[0], s[1]})};
          },
          .reference = [=](Sizes s, const Arguments &args) -> std::vector<Expected> {
            Product exact = multiply(values(args[0]), values(args[1]), s[0], s[1], s[2]);
            return {forEach(2, s[0] * s[1], [&](int64_t i, double &value, double &bound) {
              value = exact.sums[i];
              bound = types.sum == i32 ? 0 : rounded(types.c, value, (s[2] + 1) * kF32 * exact.magnitudes[i]);
            })};
          },
          .flops = [](Sizes s) { return 2.0 * s[0] * s[1] * s[2]; },
          .bytes =
              [=](Sizes s) {
                return 1.0 * s[0] * s[2] * byteWidth(types.a) + 1.0 * s[2] * s[1] * byteWidth(types.b) +
                       1.0 * s[0] * s[1] * byteWidth(types.c);
              }};
}

std::vector<Example> gemms() {
  return {
      gemmExample("gemm_f32", {f32, f32, f32, f32}, 256),        gemmExample("gemm_bf16", {bf16, bf16, f32, bf16}, 256),
      gemmExample("gemm_bf16_f32", {bf16, bf16, f32, f32}, 256), gemmExample("gemm_f16", {f16, f16, f32, f16}, 256),
      gemmExample("gemm_i8", {i8, i8, i32, i32}, 512),           gemmExample("gemm_u8i8", {u8, i8, i32, i32}, 512)};
}

} // namespace tessera::examples
