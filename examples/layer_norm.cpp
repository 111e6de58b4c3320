// Layer normalisation of each row: (x - mean) / sqrt(variance + eps) * gamma + beta, bf16 in memory, f32 inside.
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

#include <cmath>

namespace tessera::examples {
using namespace tl;

Program layerNormProgram(int64_t rows, int64_t cols, double eps) {
  ProgramBuilder p("layer_norm");
  Dim m = p.dim("m"), n = p.dim("n");
  Buffer x = p.input("x", bf16, {m, n}), gamma = p.input("gamma", f32, {n}), beta = p.input("beta", f32, {n});
  Buffer y = p.output("y", bf16, {m, n});
  p.kernel({ceildiv(m, rows)}, [&](Var bx) {
    Buffer tile = allocShared({rows, cols}, f32, "tile");
    Buffer mean = allocFragment({rows}, f32, "mean"), scale = allocFragment({rows}, f32, "scale");
    clear(mean);
    for (Var k : Pipelined(ceildiv(n, cols), {.stages = 2})) {
      copy(x(bx * rows, k * cols), tile); // what lies beyond the row is 0
      reduceSum(tile, mean, {.clear = false});
    }
    for (Var i : Parallel(rows)) mean(i) /= n;
    clear(scale);
    for (Var k : Pipelined(ceildiv(n, cols), {.stages = 2})) {
      copy(x(bx * rows, k * cols), tile);
      for (auto [i, j] : Parallel(rows, cols)) {
        Expr d = select(k * cols + j < n, tile(i, j) - mean(i), 0);
        tile(i, j) = d * d;
      }
      reduceSum(tile, scale, {.clear = false});
    }
    for (Var i : Parallel(rows)) scale(i) = rsqrt(scale(i) / n + eps);
    for (Var k : Pipelined(ceildiv(n, cols), {.stages = 2})) {
      copy(x(bx * rows, k * cols), tile);
      for (auto [i, j] : Parallel(rows, cols)) {
        Expr col = k * cols + j;
        tile(i, j) = (tile(i, j) - mean(i)) * scale(i) * gamma(col) + beta(col);
      }
      copy(tile, y(bx * rows, k * cols));
    }
  });
  return p.build();
}

Example layerNorm() {
  constexpr int64_t kRows = 8, kCols = 1024;
  constexpr double kEps = 1e-5;
  return {.name = "layer_norm",
          .summary = "layer normalisation of each row, bf16",
          .sizeNames = {"m", "n"},
          .demoSizes = {4096, 4096},
          .blocks = {kRows, kCols},
          .program = [] { return layerNormProgram(kRows, kCols, kEps); },
          .parameters = {{"rows", kRows, {1, 2, 4, 8, 16, 32}}, {"cols", kCols, {256, 512, 1024, 2048, 4096}}},
          .variant = [](Choice c) { return layerNormProgram(c[0], c[1], kEps); },
          .arguments = [](Sizes s, uint64_t seed) -> Arguments {
            return {randomTensor(bf16, {s[0], s[1]}, seed, -1, 3), randomTensor(f32, {s[1]}, seed + 1),
                    randomTensor(f32, {s[1]}, seed + 2), Tensor::empty(bf16, {s[0], s[1]})};
          },
          .reference = [](Sizes s, const Arguments &in) -> std::vector<Expected> {
            int64_t m = s[0], n = s[1];
            std::vector<double> x = values(in[0]), gamma = values(in[1]), beta = values(in[2]), mean(m), var(m),
                                size(m);
            for (int64_t i = 0; i < m * n; ++i) mean[i / n] += x[i] / n, size[i / n] += std::abs(x[i]) / n;
            for (int64_t i = 0; i < m * n; ++i) var[i / n] += (x[i] - mean[i / n]) * (x[i] - mean[i / n]) / n;
            return {forEach(3, m * n, [&](int64_t i, double &value, double &bound) {
              double d = x[i] - mean[i / n], v = var[i / n] + kEps, scale = 1 / std::sqrt(v);
              value = d * scale * gamma[i % n] + beta[i % n];
              double meanError = (n + 1) * kF32 * size[i / n], dError = meanError + kF32 * std::abs(d);
              double vError = (n + 4) * kF32 * v + 2 * meanError * std::sqrt(v) + meanError * meanError;
              double scaled = scale * dError + std::abs(d) * scale * (vError / v + kFunction + 2 * kF32);
              bound = rounded(bf16, value,
                              std::abs(gamma[i % n]) * scaled + 2 * kF32 * (std::abs(value) + std::abs(beta[i % n])));
            })};
          },
          .flops = [](Sizes s) { return 9.0 * s[0] * s[1]; },
          .bytes = [](Sizes s) { return 4.0 * s[0] * s[1] + 8.0 * s[1]; }};
}

} // namespace tessera::examples
