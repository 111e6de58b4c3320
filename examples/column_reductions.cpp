// Sum and minimum of each column: a block walks down a strip of columns.
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

#include <cmath>

namespace tessera::examples {
using namespace tl;

Program columnReductionsProgram(int64_t rows, int64_t cols) {
  ProgramBuilder p("column_reductions");
  Dim m = p.dim("m"), n = p.dim("n");
  Buffer x = p.input("x", f32, {m, n}), sums = p.output("sums", f32, {n}), bottoms = p.output("bottoms", f32, {n});
  p.kernel({ceildiv(n, cols)}, [&](Var bx) {
    Buffer tile = allocShared({rows, cols}, f32, "tile");
    Buffer sum = allocFragment({cols}, f32, "sum"), bottom = allocFragment({cols}, f32, "bottom");
    clear(sum);
    fill(bottom, infinity(f32));
    for (Var k : Pipelined(m / rows, {.stages = 2})) {
      copy(x(k * rows, bx * cols), tile);
      reduceSum(tile, sum, {.dim = 0, .clear = false});
      reduceMin(tile, bottom, {.dim = 0, .clear = false});
    }
    for (Var i : Serial(m / rows * rows, m)) // the last rows, one by one
      for (Var j : Parallel(cols)) {
        sum(j) += x(i, bx * cols + j);
        bottom(j) = min(bottom(j), x(i, bx * cols + j));
      }
    copy(sum, sums(bx * cols));
    copy(bottom, bottoms(bx * cols));
  });
  return p.build();
}

Example columnReductions() {
  constexpr int64_t kRows = 32, kCols = 256;
  return {.name = "column_reductions",
          .summary = "sum and minimum of each column, f32",
          .sizeNames = {"m", "n"},
          .demoSizes = {4096, 4096},
          .blocks = {kRows, kCols},
          .program = [] { return columnReductionsProgram(kRows, kCols); },
          .arguments = [](Sizes s, uint64_t seed) -> Arguments {
            return {randomTensor(f32, {s[0], s[1]}, seed), Tensor::empty(f32, {s[1]}), Tensor::empty(f32, {s[1]})};
          },
          .reference = [](Sizes s, const Arguments &in) -> std::vector<Expected> {
            int64_t m = s[0], n = s[1];
            std::vector<double> x = values(in[0]), sum(n), bottom(n, INFINITY), magnitude(n);
            for (int64_t i = 0; i < m * n; ++i) {
              sum[i % n] += x[i], magnitude[i % n] += std::abs(x[i]);
              bottom[i % n] = std::min(bottom[i % n], x[i]);
            }
            return {forEach(1, n,
                            [&](int64_t j, double &value, double &bound) {
                              value = sum[j];
                              bound = rounded(f32, value, m * kF32 * magnitude[j]);
                            }),
                    forEach(2, n, [&](int64_t j, double &value, double &) { value = bottom[j]; })};
          },
          .flops = [](Sizes s) { return 2.0 * s[0] * s[1]; },
          .bytes = [](Sizes s) { return 4.0 * s[0] * s[1] + 8.0 * s[1]; }};
}

} // namespace tessera::examples
