// tile.transpose on every instruction set: element widths, extents around the blocks, and windows that hang over edges.
#include "tilelang/cpu/test/compiled_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tessera::cpu {
namespace {

/// Transposes A into B in tiles of rows x cols of A, through buffers or straight from tensor to tensor.
std::string program(std::string_view type, int64_t rows, int64_t cols, bool staged) {
  std::string global = fmt::format("memref<?x?x{}, #tile.space<global>>", type);
  std::string from = fmt::format("<{}x{}x{}, #tile.space<global>>", rows, cols, type);
  std::string to = fmt::format("<{}x{}x{}, #tile.space<global>>", cols, rows, type);
  std::string in = fmt::format("memref<{}x{}x{}, #tile.space<shared>>", rows, cols, type);
  std::string out = fmt::format("memref<{}x{}x{}, #tile.space<shared>>", cols, rows, type);
  std::string body = fmt::format("tile.transpose %a, %b : !tile.region{}, !tile.region{}\n", from, to);
  if (staged)
    body = fmt::format("%s = tile.alloc \"s\" : {0}\n%t = tile.alloc \"t\" : {1}\n"
                       "tile.copy %a, %s : !tile.region{2}, {0}\ntile.transpose %s, %t : {0}, {1}\n"
                       "tile.copy %t, %b : {1}, !tile.region{3}\n",
                       in, out, from, to);
  return fmt::format("func.func @transpose(%A: {0}, %B: {0}) {{\n"
                     "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
                     "%rows = arith.constant {1} : index\n%cols = arith.constant {2} : index\n"
                     "%m = memref.dim %A, %c0 : {0}\n%n = memref.dim %A, %c1 : {0}\n"
                     "%gy = arith.ceildivsi %m, %rows : index\n%gx = arith.ceildivsi %n, %cols : index\n"
                     "tile.kernel (%x, %y) in (%gx, %gy) {{\n"
                     "%row = arith.muli %y, %rows : index\n%col = arith.muli %x, %cols : index\n"
                     "%a = tile.region %A[%row, %col] [{1}, {2}] : {0} -> {3}\n"
                     "%b = tile.region %B[%col, %row] [{2}, {1}] : {0} -> {4}\n{5}}}\nreturn\n}}\n",
                     global, rows, cols, from, to, body);
}

class TransposeOn : public testing::TestWithParam<const CpuIsa *> {};

TEST_P(TransposeOn, MovesEveryElement) {
  struct {
    DType type;
    std::string_view text;
  } types[] = {{DType::i8, "i8"}, {DType::bf16, "bf16"}, {DType::f32, "f32"}, {DType::f64, "f64"}};
  for (auto [type, text] : types)
    for (auto [rows, cols] : {std::pair<int64_t, int64_t>{1, 1}, {16, 32}, {33, 20}, {7, 64}})
      for (bool staged : {false, true}) {
        CompiledProgram compiled(Program::parse(program(text, rows, cols, staged)), *GetParam());
        for (auto [m, n] : {std::pair<int64_t, int64_t>{1, 1}, {15, 17}, {67, 65}}) {
          Tensor a = Tensor::empty(type, {m, n}), b = Tensor::empty(type, {n, m});
          a.fillRandom(1, -100, 100);
          b.fill(77);
          compiled.run(std::vector<Argument>{a, b});
          for (int64_t i = 0; i < m; ++i)
            for (int64_t j = 0; j < n; ++j)
              ASSERT_EQ(b.at({j, i}), a.at({i, j}))
                  << text << " " << m << "x" << n << " in tiles of " << rows << "x" << cols << ", staged " << staged;
        }
      }
}

INSTANTIATE_TEST_SUITE_P(Levels, TransposeOn, testing::ValuesIn(levelsThatRunHere()),
                         [](const auto &info) { return levelTestName(*info.param); });

} // namespace
} // namespace tessera::cpu
