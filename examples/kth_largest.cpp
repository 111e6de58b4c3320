// The k-th largest number of each row, found bit by bit: the largest number that at least k elements reach. Takes 32
// passes whatever the numbers are, without moving any.
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace tessera::examples {
using namespace tl;

namespace {

/// The float of an integer code: codes are ordered as their floats are.
Expr floatOf(const Expr &code) { return reinterpret(code ^ ((code >> 31) & 0x7fffffff), f32); }

} // namespace

Program kthLargestProgram(int64_t rows, int64_t cols) {
  ProgramBuilder p("kth_largest");
  Dim m = p.dim("m"), n = p.dim("n");
  Buffer x = p.input("x", f32, {m, n}), y = p.output("y", f32, {m});
  Expr k = p.scalar("k", i32);
  p.kernel({ceildiv(m, rows)}, [&](Var bx) {
    // NaN beyond the row, which reaches nothing.
    Buffer tile = allocShared({rows, cols}, f32, {.name = "tile", .pad = NAN});
    Buffer reaches = allocShared({rows, cols}, i32, "reaches"), count = allocFragment({rows}, i32, "count");
    Buffer found = allocFragment({rows}, i32, "found"), next = allocFragment({rows}, i32, "next");
    Buffer threshold = allocFragment({rows}, f32, "threshold");
    fill(found, minValue(i32));
    for (Var bit : Serial(32)) {
      for (Var i : Parallel(rows)) {
        next(i) = found(i) ^ (cast(1, i32) << cast(31 - bit, i32));
        threshold(i) = floatOf(next(i)); // NaN for codes beyond the infinities, which nothing reaches
      }
      clear(count);
      for (Var ko : Pipelined(ceildiv(n, cols), {.stages = 2})) {
        copy(x(bx * rows, ko * cols), tile);
        for (auto [i, j] : Parallel(rows, cols)) reaches(i, j) = select(tile(i, j) >= threshold(i), 1, 0);
        reduceSum(reaches, count, {.clear = false});
      }
      for (Var i : Parallel(rows)) found(i) = select(count(i) >= max(k, 1), next(i), found(i));
    }
    for (Var i : Parallel(rows))
      y(bx * rows + i) = select(found(i) == minValue(i32), -infinity(f32), floatOf(found(i)));
  });
  return p.build();
}

Example kthLargest() {
  constexpr int64_t kRows = 8, kCols = 1024;
  return {.name = "kth_largest",
          .summary = "the k-th largest number of each row, f32; -infinity where a row has fewer",
          .sizeNames = {"m", "n", "k"},
          .demoSizes = {1024, 8192, 64},
          .blocks = {kRows, kCols, 1},
          .program = [] { return kthLargestProgram(kRows, kCols); },
          .parameters = {{"rows", kRows, {1, 2, 4, 8, 16}}, {"cols", kCols, {512, 1024, 2048, 4096}}},
          .variant = [](Choice c) { return kthLargestProgram(c[0], c[1]); },
          .arguments = [](Sizes s, uint64_t seed) -> Arguments {
            return {randomTensor(f32, {s[0], s[1]}, seed, -10, 10), Tensor::empty(f32, {s[0]}), s[2]};
          },
          .reference = [](Sizes s, const Arguments &in) -> std::vector<Expected> {
            int64_t m = s[0], n = s[1], k = std::max<int64_t>(s[2], 1);
            std::vector<double> x = values(in[0]);
            return {forEach(1, m, [&](int64_t i, double &value, double &) {
              std::vector<double> row(x.begin() + i * n, x.begin() + (i + 1) * n);
              if (k > n) {
                value = -INFINITY;
                return;
              }
              std::nth_element(row.begin(), row.begin() + k - 1, row.end(), std::greater<>());
              value = row[static_cast<size_t>(k - 1)];
            })};
          },
          .flops = [](Sizes s) { return 1.0 * s[0] * s[1]; },
          .bytes = [](Sizes s) { return 4.0 * s[0] * s[1] + 4.0 * s[0]; }};
}

} // namespace tessera::examples
