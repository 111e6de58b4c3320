// b = the transpose of a, in square tiles, from tensor to tensor.
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

namespace tessera::examples {
using namespace tl;

Program transposeProgram(int64_t block) {
  ProgramBuilder p("transpose");
  Dim m = p.dim("m"), n = p.dim("n");
  Buffer a = p.input("a", f32, {m, n}), b = p.output("b", f32, {n, m});
  p.kernel({ceildiv(n, block), ceildiv(m, block)}, [&](Var bx, Var by) {
    Range rows = range(by * block, by * block + block), cols = range(bx * block, bx * block + block);
    transpose(a(rows, cols), b(cols, rows));
  });
  return p.build();
}

Example transposeMatrix() {
  constexpr int64_t kBlock = 64;
  return {.name = "transpose",
          .summary = "b = transpose of a, f32",
          .sizeNames = {"m", "n"},
          .demoSizes = {4096, 4096},
          .blocks = {kBlock, kBlock},
          .program = [] { return transposeProgram(kBlock); },
          .parameters = {{"block", kBlock, {16, 32, 64, 128, 256}}},
          .variant = [](Choice c) { return transposeProgram(c[0]); },
          .arguments = [](Sizes s, uint64_t seed) -> Arguments {
            return {randomTensor(f32, {s[0], s[1]}, seed), Tensor::empty(f32, {s[1], s[0]})};
          },
          .reference = [](Sizes s, const Arguments &in) -> std::vector<Expected> {
            int64_t m = s[0], n = s[1];
            std::vector<double> a = values(in[0]);
            return {forEach(1, m * n, [&](int64_t i, double &value, double &) { value = a[i % m * n + i / m]; })};
          },
          .flops = [](Sizes) { return 0.0; },
          .bytes = [](Sizes s) { return 8.0 * s[0] * s[1]; }};
}

} // namespace tessera::examples
