// Softmax of each row in two passes: the first keeps a running maximum and the sum of exponentials relative to it, so
// that rows of any length need one tile of memory.
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

#include <cmath>

namespace tessera::examples {
using namespace tl;

Program onlineSoftmaxProgram(int64_t rows, int64_t cols) {
  ProgramBuilder p("online_softmax");
  Dim m = p.dim("m"), n = p.dim("n");
  Buffer x = p.input("x", f32, {m, n}), y = p.output("y", f32, {m, n});
  p.kernel({ceildiv(m, rows)}, [&](Var bx) {
    Buffer tile = allocShared({rows, cols}, f32, {.name = "tile", .pad = -INFINITY});
    Buffer top = allocFragment({rows}, f32, "top"), sum = allocFragment({rows}, f32, "sum");
    Buffer newTop = allocFragment({rows}, f32, "new top"), part = allocFragment({rows}, f32, "part");
    fill(top, -infinity(f32));
    clear(sum);
    for (Var k : Pipelined(ceildiv(n, cols), {.stages = 2})) {
      copy(top, newTop);
      copy(x(bx * rows, k * cols), tile);
      reduceMax(tile, newTop, {.clear = false});
      for (auto [i, j] : Parallel(rows, cols)) tile(i, j) = exp(tile(i, j) - newTop(i));
      reduceSum(tile, part);
      for (Var i : Parallel(rows)) sum(i) = sum(i) * exp(top(i) - newTop(i)) + part(i);
      copy(newTop, top);
    }
    for (Var i : Parallel(rows)) sum(i) = 1 / sum(i);
    for (Var k : Pipelined(ceildiv(n, cols), {.stages = 2})) {
      copy(x(bx * rows, k * cols), tile);
      for (auto [i, j] : Parallel(rows, cols)) tile(i, j) = exp(tile(i, j) - top(i)) * sum(i);
      copy(tile, y(bx * rows, k * cols));
    }
  });
  return p.build();
}

Example onlineSoftmax() {
  constexpr int64_t kRows = 8, kCols = 1024;
  return {.name = "online_softmax",
          .summary = "softmax of each row, f32, in one tile of memory",
          .sizeNames = {"m", "n"},
          .demoSizes = {4096, 8192},
          .blocks = {kRows, kCols},
          .program = [] { return onlineSoftmaxProgram(kRows, kCols); },
          .parameters = {{"rows", kRows, {1, 2, 4, 8, 16, 32}}, {"cols", kCols, {256, 512, 1024, 2048, 4096}}},
          .variant = [](Choice c) { return onlineSoftmaxProgram(c[0], c[1]); },
          .arguments = [](Sizes s, uint64_t seed) -> Arguments {
            return {randomTensor(f32, {s[0], s[1]}, seed, -10, 10), Tensor::empty(f32, {s[0], s[1]})};
          },
          .reference = [](Sizes s, const Arguments &in) -> std::vector<Expected> {
            int64_t m = s[0], n = s[1];
            std::vector<double> x = values(in[0]), top(m, -INFINITY), sum(m);
            for (int64_t i = 0; i < m * n; ++i) top[i / n] = std::max(top[i / n], x[i]);
            for (int64_t i = 0; i < m * n; ++i) sum[i / n] += std::exp(x[i] - top[i / n]);
            return {forEach(1, m * n, [&](int64_t i, double &value, double &bound) {
              double below = top[i / n] - x[i];
              value = std::exp(-below) / sum[i / n];
              // Each exponent is rounded (at most 20 apart, before the function adds its own); the sum has n terms.
              double exponent = 20 * kF32 + kFunction;
              bound = rounded(f32, value, value * ((n + 1) * kF32 + 3 * exponent + below * kF32));
            })};
          },
          .flops = [](Sizes s) { return 8.0 * s[0] * s[1]; },
          .bytes = [](Sizes s) { return 8.0 * s[0] * s[1]; }};
}

} // namespace tessera::examples
