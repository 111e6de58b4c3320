// c = a + b for vectors of any length.
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

namespace tessera::examples {
using namespace tl;

Program vectorAddProgram(int64_t block) {
  ProgramBuilder p("vector_add");
  Dim n = p.dim("n");
  Buffer a = p.input("a", f32, {n}), b = p.input("b", f32, {n}), c = p.output("c", f32, {n});
  p.kernel({ceildiv(n, block)}, [&](Var bx) {
    for (Var i : Parallel(block)) c(bx * block + i) = a(bx * block + i) + b(bx * block + i);
  });
  return p.build();
}

Example vectorAdd() {
  constexpr int64_t kBlock = 8192;
  return {.name = "vector_add",
          .summary = "c = a + b, f32",
          .sizeNames = {"n"},
          .demoSizes = {int64_t(1) << 24},
          .blocks = {kBlock},
          .program = [] { return vectorAddProgram(kBlock); },
          .parameters = {{"block", kBlock, {1024, 4096, 8192, 16384, 65536}}},
          .variant = [](Choice c) { return vectorAddProgram(c[0]); },
          .arguments = [](Sizes s, uint64_t seed) -> Arguments {
            return {randomTensor(f32, {s[0]}, seed), randomTensor(f32, {s[0]}, seed + 1), Tensor::empty(f32, {s[0]})};
          },
          .reference = [](Sizes s, const Arguments &in) -> std::vector<Expected> {
            std::vector<double> a = values(in[0]), b = values(in[1]);
            return {forEach(2, s[0], [&](int64_t i, double &value, double &bound) {
              value = a[i] + b[i];
              bound = rounded(f32, value, 0);
            })};
          },
          .flops = [](Sizes s) { return 1.0 * s[0]; },
          .bytes = [](Sizes s) { return 12.0 * s[0]; }};
}

} // namespace tessera::examples
