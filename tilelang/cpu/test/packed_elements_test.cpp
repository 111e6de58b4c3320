// e2m1 elements of global tensors on every instruction set: windows that begin and end in the middle of a byte, rows of
// odd pitch, edges, and blocks that write neighbours in one byte.
#include "core/numbers.h"
#include "tilelang/cpu/test/compiled_program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace tessera::cpu {
namespace {

/// Copies a window of `rows` x `cols` at (row, col) of A into a tile of another type, and from there to (row, col) of
/// B.
std::string copyProgram(int64_t rows, int64_t cols, std::string_view type) {
  std::string global = "memref<?x?xf4E2M1FN, strided<[?, 1]>, #tile.space<global>>";
  std::string window = fmt::format("<{}x{}xf4E2M1FN, #tile.space<global>>", rows, cols);
  std::string tile = fmt::format("memref<{}x{}x{}, #tile.space<shared>>", rows, cols, type);
  return fmt::format("func.func @copy(%A: {0}, %B: {0}, %row: index, %col: index) {{\n"
                     "%one = arith.constant 1 : index\n"
                     "tile.kernel (%block) in (%one) {{\n"
                     "%t = tile.alloc \"t\" : {2}\n"
                     "%a = tile.region %A[%row, %col] [{3}, {4}] : {0} -> {1}\n"
                     "%b = tile.region %B[%row, %col] [{3}, {4}] : {0} -> {1}\n"
                     "tile.copy %a, %t : !tile.region{1}, {2}\n"
                     "tile.copy %t, %b : {2}, !tile.region{1}\n}}\nreturn\n}}\n",
                     global, window, tile, rows, cols);
}

/// A tensor of m x n e2m1 elements in rows of `pitch`, all with this code.
Tensor pitched(int64_t m, int64_t n, int64_t pitch, uint8_t code) {
  Tensor memory = Tensor::empty(DType::u8, {(m * pitch + 1) / 2});
  memory.fill(code * 0x11);
  auto keep = std::make_shared<Tensor>(memory);
  return Tensor::viewOwned(keep, memory.mutableData(), DType::e2m1, {m, n}, {pitch, 1});
}

class PackedElementsOn : public testing::TestWithParam<const CpuIsa *> {};

TEST_P(PackedElementsOn, WindowsBeginAndEndAnywhere) {
  constexpr int64_t kRows = 3, kCols = 61;
  for (std::string_view type : {"f4E2M1FN", "f32", "bf16", "f16", "f8E4M3FN"})
    for (int64_t cols : {1, 2, 15, 16, 17, 33, 48}) {
      CompiledProgram compiled(Program::parse(copyProgram(2, cols, type)), *GetParam());
      for (int64_t pitch : {61, 64, 75})
        for (int64_t col : {-3, 0, 1, 2, 13, 29, 44, 60}) {
          Tensor a = pitched(kRows, kCols, pitch, 0x7), b = pitched(kRows, kCols, pitch, 0x3);
          for (int64_t i = 0; i < kRows; ++i)
            for (int64_t j = 0; j < kCols; ++j)
              a.set({i, j}, decode(DType::e2m1, static_cast<uint64_t>(i * 7 + j * 5) % 16));
          compiled.run(std::vector<Argument>{a, b, int64_t{1}, col});
          for (int64_t i = 0; i < kRows; ++i)
            for (int64_t j = 0; j < kCols; ++j) {
              bool isCopied = i >= 1 && j >= col && j < col + cols;
              double expected = isCopied ? a.at({i, j}) : 1.5; // the code 3
              ASSERT_EQ(b.at({i, j}), expected)
                  << fmt::format("({}, {}) of rows of {}, {} columns from {} through {}", i, j, pitch, cols, col, type);
            }
          if (pitch == 64) {
            const auto *bytes = static_cast<const uint8_t *>(b.data());
            EXPECT_EQ(bytes[kCols / 2] >> 4, 0x3) << "an element past the end of a row was written";
          }
        }
    }
}

TEST_P(PackedElementsOn, LanesMayGoAnywhere) {
  // Reversed, every third, and transposed; with lanes left out.
  std::string tensor = "memref<?x?xf4E2M1FN, #tile.space<global>>";
  CompiledProgram compiled(
      Program::parse(fmt::format("func.func @scatter(%A: {0}, %B: {0}) {{\n"
                                 "%c1 = arith.constant 1 : index\n%c3 = arith.constant 3 : index\n"
                                 "%n = arith.constant 20 : index\n%last = arith.constant 57 : index\n"
                                 "tile.kernel (%x) in (%c1) {{\ntile.parallel (%i, %j) in (%n, %n) {{\n"
                                 "%v = tile.load %A[%j, %i] : {0} -> f4E2M1FN\n"
                                 "%step = arith.muli %j, %c3 : index\n%back = arith.subi %last, %step : index\n"
                                 "%odd = arith.cmpi slt, %j, %i : index\n"
                                 "tile.if %odd {{\ntile.store %v, %B[%i, %back] : f4E2M1FN, {0}\n}}\n"
                                 "}}\n}}\nreturn\n}}\n",
                                 tensor)),
      *GetParam());
  Tensor a = Tensor::empty(DType::e2m1, {20, 20}), b = Tensor::empty(DType::e2m1, {20, 58});
  a.fillRandom(3, -6, 6);
  b.fill(-2);
  compiled.run(std::vector<Argument>{a, b});
  for (int64_t i = 0; i < 20; ++i)
    for (int64_t k = 0; k < 58; ++k) {
      int64_t j = (57 - k) / 3;
      bool isWritten = k % 3 == 0 && j < i;
      ASSERT_EQ(b.at({i, k}), isWritten ? a.at({j, i}) : -2) << i << ", " << k;
    }
}

INSTANTIATE_TEST_SUITE_P(Levels, PackedElementsOn, testing::ValuesIn(levelsThatRunHere()),
                         [](const auto &info) { return levelTestName(*info.param); });

} // namespace
} // namespace tessera::cpu
