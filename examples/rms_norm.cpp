// Root-mean-square normalisation of each row: x / sqrt(mean(x^2) + eps) * gamma, bf16 in memory, f32 inside.
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

#include <cmath>

namespace tessera::examples {
using namespace tl;

Program rmsNormProgram(int64_t rows, int64_t cols, double eps) {
  ProgramBuilder p("rms_norm");
  Dim m = p.dim("m"), n = p.dim("n");
  Buffer x = p.input("x", bf16, {m, n}), gamma = p.input("gamma", f32, {n}), y = p.output("y", bf16, {m, n});
  p.kernel({ceildiv(m, rows)}, [&](Var bx) {
    Buffer tile = allocShared({rows, cols}, f32, "tile"), scale = allocFragment({rows}, f32, "scale");
    clear(scale);
    for (Var k : Pipelined(ceildiv(n, cols), {.stages = 2})) {
      copy(x(bx * rows, k * cols), tile); // what lies beyond the row is 0
      for (auto [i, j] : Parallel(rows, cols)) tile(i, j) *= tile(i, j);
      reduceSum(tile, scale, {.clear = false});
    }
    for (Var i : Parallel(rows)) scale(i) = rsqrt(scale(i) / n + eps);
    for (Var k : Pipelined(ceildiv(n, cols), {.stages = 2})) {
      copy(x(bx * rows, k * cols), tile);
      for (auto [i, j] : Parallel(rows, cols)) tile(i, j) = tile(i, j) * scale(i) * gamma(k * cols + j);
      copy(tile, y(bx * rows, k * cols));
    }
  });
  return p.build();
}

Example rmsNorm() {
  constexpr int64_t kRows = 8, kCols = 1024;
  constexpr double kEps = 1e-6;
  return {.name = "rms_norm",
          .summary = "root-mean-square normalisation of each row, bf16",
          .sizeNames = {"m", "n"},
          .demoSizes = {4096, 4096},
          .blocks = {kRows, kCols},
          .program = [] { return rmsNormProgram(kRows, kCols, kEps); },
          .parameters = {{"rows", kRows, {1, 2, 4, 8, 16, 32}}, {"cols", kCols, {256, 512, 1024, 2048, 4096}}},
          .variant = [](Choice c) { return rmsNormProgram(c[0], c[1], kEps); },
          .arguments = [](Sizes s, uint64_t seed) -> Arguments {
            return {randomTensor(bf16, {s[0], s[1]}, seed, -2, 2), randomTensor(f32, {s[1]}, seed + 1),
                    Tensor::empty(bf16, {s[0], s[1]})};
          },
          .reference = [](Sizes s, const Arguments &in) -> std::vector<Expected> {
            int64_t m = s[0], n = s[1];
            std::vector<double> x = values(in[0]), gamma = values(in[1]), squares(m);
            for (int64_t i = 0; i < m * n; ++i) squares[i / n] += x[i] * x[i] / n;
            return {forEach(2, m * n, [&](int64_t i, double &value, double &bound) {
              value = x[i] / std::sqrt(squares[i / n] + kEps) * gamma[i % n];
              bound = rounded(bf16, value, std::abs(value) * ((n + 6) * kF32 / 2 + kFunction + 3 * kF32));
            })};
          },
          .flops = [](Sizes s) { return 4.0 * s[0] * s[1]; },
          .bytes = [](Sizes s) { return 4.0 * s[0] * s[1] + 4.0 * s[1]; }};
}

} // namespace tessera::examples
