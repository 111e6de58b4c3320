// Running sums along each row: a tile at a time, carrying the last column over.
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

#include <cmath>

namespace tessera::examples {
using namespace tl;

Program cumsumProgram(int64_t rows, int64_t cols) {
  ProgramBuilder p("cumsum");
  Dim m = p.dim("m"), n = p.dim("n");
  Buffer x = p.input("x", f32, {m, n}), y = p.output("y", f32, {m, n});
  p.kernel({ceildiv(m, rows)}, [&](Var bx) {
    Buffer tile = allocShared({rows, cols}, f32, "tile"), carry = allocFragment({rows}, f32, "carry");
    clear(carry);
    for (Var k : Pipelined(ceildiv(n, cols), {.stages = 2})) {
      copy(x(bx * rows, k * cols), tile);
      for (Var i : Parallel(rows)) tile(i, 0) += carry(i);
      cumsum(tile, {.dim = 1});
      for (Var i : Parallel(rows)) carry(i) = tile(i, cols - 1);
      copy(tile, y(bx * rows, k * cols));
    }
  });
  return p.build();
}

Example cumulativeSum() {
  constexpr int64_t kRows = 8, kCols = 512;
  return {.name = "cumsum",
          .summary = "running sums along each row, f32",
          .sizeNames = {"m", "n"},
          .demoSizes = {4096, 4096},
          .blocks = {kRows, kCols},
          .program = [] { return cumsumProgram(kRows, kCols); },
          .arguments = [](Sizes s, uint64_t seed) -> Arguments {
            return {randomTensor(f32, {s[0], s[1]}, seed), Tensor::empty(f32, {s[0], s[1]})};
          },
          .reference = [](Sizes s, const Arguments &in) -> std::vector<Expected> {
            int64_t n = s[1];
            std::vector<double> x = values(in[0]);
            Expected out{1, x, std::vector<double>(x.size())};
            for (size_t i = 0; i < x.size(); ++i) {
              bool first = i % n == 0;
              if (!first) out.values[i] += out.values[i - 1];
              // One rounding for each step, of the sum so far.
              out.bounds[i] = (first ? kTiny : out.bounds[i - 1]) + 2 * kF32 * std::abs(out.values[i]);
            }
            return {out};
          },
          .flops = [](Sizes s) { return 1.0 * s[0] * s[1]; },
          .bytes = [](Sizes s) { return 8.0 * s[0] * s[1]; }};
}

} // namespace tessera::examples
