// A chain of element-wise steps in one pass over memory: out = gelu(x * scale + bias) * gate, bf16.
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

#include <cmath>

namespace tessera::examples {
using namespace tl;

/// The exact form, x/2 (1 + erf(x / sqrt 2)). A C++ function of values is a macro of the language.
static Expr gelu(Expr x) { return 0.5 * x * (1 + erf(x * 0.70710678118654752)); }

Program elementwiseChainProgram(int64_t rows, int64_t cols) {
  ProgramBuilder p("elementwise_chain");
  Dim m = p.dim("m"), n = p.dim("n");
  Buffer x = p.input("x", bf16, {m, n}), bias = p.input("bias", f32, {n}), gate = p.input("gate", bf16, {m, n});
  Buffer out = p.output("out", bf16, {m, n});
  Expr scale = p.scalar("scale", f32);
  p.kernel({ceildiv(n, cols), ceildiv(m, rows)}, [&](Var bx, Var by) {
    for (auto [i, j] : Parallel(rows, cols)) {
      Expr row = by * rows + i, col = bx * cols + j;
      out(row, col) = gelu(fma(cast(x(row, col), f32), scale, bias(col))) * gate(row, col);
    }
  });
  return p.build();
}

Example elementwiseChain() {
  constexpr int64_t kRows = 16, kCols = 512;
  return {.name = "elementwise_chain",
          .summary = "out = gelu(x * scale + bias) * gate, bf16",
          .sizeNames = {"m", "n"},
          .demoSizes = {4096, 4096},
          .blocks = {kRows, kCols},
          .program = [] { return elementwiseChainProgram(kRows, kCols); },
          .arguments = [](Sizes s, uint64_t seed) -> Arguments {
            return {randomTensor(bf16, {s[0], s[1]}, seed, -3, 3), randomTensor(f32, {s[1]}, seed + 1),
                    randomTensor(bf16, {s[0], s[1]}, seed + 2), Tensor::empty(bf16, {s[0], s[1]}), 0.75};
          },
          .reference = [](Sizes s, const Arguments &in) -> std::vector<Expected> {
            std::vector<double> x = values(in[0]), bias = values(in[1]), gate = values(in[2]);
            double scale = std::get<double>(in[4]);
            return {forEach(3, s[0] * s[1], [&](int64_t i, double &value, double &bound) {
              double y = x[i] * scale + bias[i % s[1]], tail = 1 + std::erf(y / std::sqrt(2.0));
              value = 0.5 * y * tail * gate[i];
              // erf is flat, so an error in y of kF32 |y| moves it by less than that; then it is rounded beside 1.
              double tailError = kFunction + 3 * kF32 * std::abs(y) + kF32 * tail;
              bound = rounded(bf16, value, std::abs(gate[i] * y) * (tailError + 4 * kF32 * tail));
            })};
          },
          .flops = [](Sizes s) { return 12.0 * s[0] * s[1]; },
          .bytes = [](Sizes s) { return 6.0 * s[0] * s[1] + 4.0 * s[1]; }};
}

} // namespace tessera::examples
