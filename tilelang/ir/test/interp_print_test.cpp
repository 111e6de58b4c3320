// printf and dump on the reference interpreter.
#include "tilelang/ir/test/interp_program.h"

#include <limits>

namespace tessera {
namespace {

std::string printed(const std::string &body, const std::vector<Argument> &arguments = {},
                    const std::string &parameters = "") {
  std::string text;
  runText(kernelText(parameters, body), arguments, {.print = [&](std::string_view more) { text += more; }});
  return text;
}

TEST(InterpPrint, PrintfShowsScalars) {
  EXPECT_EQ(printed(R"(
    %x = arith.constant 2.5 : bf16
    %n = arith.constant -2 : i8
    %t = arith.constant true
    tile.printf "block %d: %.2f %d %u %#x %d%%\n" (%bx, %x, %n, %n, %n, %t) : index, bf16, i8, i8, i8, i1)"),
            "block 0: 2.50 -2 254 0xfe 1%\n");
}

TEST(InterpPrint, DumpShowsWhatLiesInTheBuffer) {
  Tensor a = Tensor::fromVector<float>({1, 2, 3, 4, 5, 6}, {2, 3}).transpose(0, 1);
  std::string parameters = "%A: memref<3x2xf32, #g>, %i: index";
  EXPECT_EQ(printed("tile.dump \"A\" %A : memref<3x2xf32, #g>", {a, int64_t{0}}, parameters),
            "A: f32[3, 2]\n[0, :] 1 4\n[1, :] 2 5\n[2, :] 3 6\n");
  std::string window = R"(
    %w = tile.region %A[%i, %c0] [2, 2] : memref<3x2xf32, #g> -> <2x2xf32, #g>
    tile.dump "w" %w : !tile.region<2x2xf32, #g>)";
  EXPECT_EQ(printed(window, {a, int64_t{2}}, parameters), "w: f32[1, 2]\n[0, :] 3 6\n");
  EXPECT_EQ(printed(window, {a, int64_t{-1}}, parameters), "w: f32[1, 2]\n[0, :] 1 4\n");
  EXPECT_EQ(printed(window, {a, int64_t{9}}, parameters), "w: f32[0, 2]\n");
  EXPECT_EQ(printed(window, {a, std::numeric_limits<int64_t>::max()}, parameters), "w: f32[0, 2]\n");
}

TEST(InterpPrint, DumpShowsPoison) {
  EXPECT_EQ(printed(R"(
    %v = tile.alloc "v" : memref<i32, #v>
    tile.dump "v" %v : memref<i32, #v>)"),
            "v: i32[]\n-1\n");
}

} // namespace
} // namespace tessera
