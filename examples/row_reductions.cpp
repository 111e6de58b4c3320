// Sum, maximum and largest absolute value of each row, in one pass over memory.
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

#include <cmath>

namespace tessera::examples {
using namespace tl;

Program rowReductionsProgram(int64_t rows, int64_t cols) {
  ProgramBuilder p("row_reductions");
  Dim m = p.dim("m"), n = p.dim("n");
  Buffer x = p.input("x", f32, {m, n});
  Buffer sums = p.output("sums", f32, {m}), tops = p.output("tops", f32, {m}), sizes = p.output("sizes", f32, {m});
  p.kernel({ceildiv(m, rows)}, [&](Var bx) {
    // NaN beyond the row: maxima pass over it, and the sum takes 0 instead.
    Buffer tile = allocShared({rows, cols}, f32, {.name = "tile", .pad = NAN});
    Buffer sum = allocFragment({rows}, f32, "sum"), top = allocFragment({rows}, f32, "top");
    Buffer size = allocFragment({rows}, f32, "size");
    clear(sum);
    fill(top, -infinity(f32));
    clear(size);
    for (Var k : Pipelined(ceildiv(n, cols), {.stages = 2})) {
      copy(x(bx * rows, k * cols), tile);
      reduceMax(tile, top, {.clear = false});
      reduceAbsMax(tile, size, {.clear = false});
      for (auto [i, j] : Parallel(rows, cols)) tile(i, j) = select(k * cols + j < n, tile(i, j), 0);
      reduceSum(tile, sum, {.clear = false});
    }
    copy(sum, sums(bx * rows));
    copy(top, tops(bx * rows));
    copy(size, sizes(bx * rows));
  });
  return p.build();
}

Example rowReductions() {
  constexpr int64_t kRows = 8, kCols = 1024;
  return {.name = "row_reductions",
          .summary = "sum, maximum and largest absolute value of each row, f32",
          .sizeNames = {"m", "n"},
          .demoSizes = {4096, 4096},
          .blocks = {kRows, kCols},
          .program = [] { return rowReductionsProgram(kRows, kCols); },
          .parameters = {{"rows", kRows, {1, 2, 4, 8, 16, 32}}, {"cols", kCols, {256, 512, 1024, 2048, 4096}}},
          .variant = [](Choice c) { return rowReductionsProgram(c[0], c[1]); },
          .arguments = [](Sizes s, uint64_t seed) -> Arguments {
            return {randomTensor(f32, {s[0], s[1]}, seed, -1, 0.5), Tensor::empty(f32, {s[0]}),
                    Tensor::empty(f32, {s[0]}), Tensor::empty(f32, {s[0]})};
          },
          .reference = [](Sizes s, const Arguments &in) -> std::vector<Expected> {
            int64_t m = s[0], n = s[1];
            std::vector<double> x = values(in[0]), sum(m), top(m, -INFINITY), size(m), magnitude(m);
            for (int64_t i = 0; i < m * n; ++i) {
              sum[i / n] += x[i], magnitude[i / n] += std::abs(x[i]);
              top[i / n] = std::max(top[i / n], x[i]), size[i / n] = std::max(size[i / n], std::abs(x[i]));
            }
            auto exact = [&](size_t argument, const std::vector<double> &list) {
              return forEach(argument, m, [&](int64_t i, double &value, double &) { value = list[i]; });
            };
            return {forEach(1, m,
                            [&](int64_t i, double &value, double &bound) {
                              value = sum[i];
                              bound = rounded(f32, value, n * kF32 * magnitude[i]);
                            }),
                    exact(2, top), exact(3, size)};
          },
          .flops = [](Sizes s) { return 3.0 * s[0] * s[1]; },
          .bytes = [](Sizes s) { return 4.0 * s[0] * s[1] + 12.0 * s[0]; }};
}

} // namespace tessera::examples
