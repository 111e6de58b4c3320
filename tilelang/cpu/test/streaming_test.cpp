// Stores past the caches on every instruction set. The machine's last-level cache is said to be tiny, so that tensors
// of a few rows are large; rows that are no whole cache lines, or begin inside one, are stored in the ordinary way.
#include "tilelang/cpu/test/compiled_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tessera::cpu {
namespace {

constexpr int64_t kRows = 16, kCols = 128;

/// B = A + A, in tiles of which the last ones hang over the edge; C = A, copied and converted; D = A, transposed.
std::string program(std::string_view type) {
  std::string f32 = "memref<?x?xf32, #tile.space<global>>",
              narrow = fmt::format("memref<?x?x{}, #tile.space<global>>", type);
  auto window = [](int64_t rows, int64_t cols, std::string_view element) {
    return fmt::format("<{}x{}x{}, #tile.space<global>>", rows, cols, element);
  };
  std::string from = window(kRows, kCols, "f32"), to = window(kRows, kCols, type), turned = window(kCols, kRows, "f32");
  return fmt::format("func.func @f(%A: {0}, %B: {1}, %C: {1}, %D: {0}) {{\n"
                     "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
                     "%rows = arith.constant {2} : index\n%cols = arith.constant {3} : index\n"
                     "%m = memref.dim %A, %c0 : {0}\n%n = memref.dim %A, %c1 : {0}\n"
                     "%gy = arith.ceildivsi %m, %rows : index\n%gx = arith.ceildivsi %n, %cols : index\n"
                     "tile.kernel (%x, %y) in (%gx, %gy) {{\n"
                     "%row = arith.muli %y, %rows : index\n%col = arith.muli %x, %cols : index\n"
                     "tile.parallel (%i, %j) in (%rows, %cols) {{\n"
                     "%r = arith.addi %row, %i : index\n%c = arith.addi %col, %j : index\n"
                     "%a = tile.load %A[%r, %c] : {0} -> f32\n%s = arith.addf %a, %a : f32\n"
                     "%b = tile.cast %s : f32 to {4}\ntile.store %b, %B[%r, %c] : {4}, {1}\n}}\n"
                     "%from = tile.region %A[%row, %col] [{2}, {3}] : {0} -> {5}\n"
                     "%to = tile.region %C[%row, %col] [{2}, {3}] : {1} -> {6}\n"
                     "tile.copy %from, %to : !tile.region{5}, !tile.region{6}\n"
                     "%turned = tile.region %D[%col, %row] [{3}, {2}] : {0} -> {7}\n"
                     "tile.transpose %from, %turned : !tile.region{5}, !tile.region{7}\n}}\nreturn\n}}\n",
                     f32, narrow, kRows, kCols, type, from, to, turned);
}

class StreamingOn : public testing::TestWithParam<const CpuIsa *> {};

/// A matrix inside a larger allocation, `skip` elements behind the start of a cache line.
Tensor matrix(DType type, int64_t m, int64_t n, int64_t skip) {
  Tensor all = Tensor::zeros(type, {m * n + skip + 64});
  return all.slice(0, skip, skip + m * n).reshape({m, n});
}

TEST_P(StreamingOn, StoresEveryElement) {
  CpuIsa isa = *GetParam();
  isa.chip.l3Bytes = 256;
  struct {
    DType type;
    std::string_view text;
  } types[] = {{DType::e4m3, "f8E4M3FN"}, {DType::bf16, "bf16"}, {DType::f64, "f64"}};
  for (auto [type, text] : types) {
    CompiledProgram compiled(Program::parse(program(text)), isa);
    for (auto [m, n] : {std::pair<int64_t, int64_t>{1, 1}, {16, 128}, {19, 256}, {16, 192}, {33, 120}, {64, 65}})
      for (int64_t skip : {0, 1, 8}) {
        Tensor a = matrix(DType::f32, m, n, 0), b = matrix(type, m, n, skip), c = matrix(type, m, n, skip);
        Tensor d = matrix(DType::f32, n, m, skip);
        a.fillRandom(1, 1, 100);
        compiled.run(std::vector<Argument>{a, b, c, d});
        Tensor expected = a.to(type);
        for (int64_t i = 0; i < m; ++i)
          for (int64_t j = 0; j < n; ++j) {
            std::string where = fmt::format("{} {}x{} skip {} at {}, {}", text, m, n, skip, i, j);
            ASSERT_EQ(b.at({i, j}), 2 * expected.at({i, j})) << where;
            ASSERT_EQ(c.at({i, j}), expected.at({i, j})) << where;
            ASSERT_EQ(d.at({j, i}), a.at({i, j})) << where;
          }
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, StreamingOn, testing::ValuesIn(levelsThatRunHere()),
                         [](const auto &info) { return levelTestName(*info.param); });

} // namespace
} // namespace tessera::cpu
