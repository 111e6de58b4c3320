// Integer arithmetic and conversions on the reference interpreter, at the edges that targets must agree on.
#include "tilelang/ir/test/interp_program.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace tessera {
namespace {

/// result = op(a, b) on integers of one type, by the name of the operation.
double binary(const std::string &op, DType type, double a, double b) {
  return evaluate(fmt::format("%r = {} %a, %b : {}", op, scalarType(type)), type, {a, b}, type);
}
double unary(const std::string &op, DType type, double a) {
  return evaluate(fmt::format("%r = {} %a : {}", op, scalarType(type)), type, {a}, type);
}

constexpr double kLeast32 = -2147483648.0;

TEST(InterpInteger, SumsAndProductsWrap) {
  EXPECT_EQ(binary("arith.addi", DType::i8, 127, 1), -128);
  EXPECT_EQ(binary("arith.subi", DType::u8, 3, 5), 254);
  EXPECT_EQ(binary("arith.muli", DType::i16, 300, 300), 24464);
  EXPECT_EQ(binary("arith.addi", DType::i64, 0x1p62, 0x1p62), -0x1p63);
  EXPECT_EQ(binary("arith.xori", DType::boolean, 1, 1), 0);
  EXPECT_EQ(binary("arith.andi", DType::u8, 12, 10), 8);
  EXPECT_EQ(binary("arith.ori", DType::u8, 12, 10), 14);
}

TEST(InterpInteger, DivisionAtTheLimits) {
  struct Case {
    double a, b, floored, ceiled, truncated, remainder;
  };
  for (Case c : {Case{2147483647, 7, 306783378, 306783379, 306783378, 1}, Case{-1, 7, -1, 0, 0, -1},
                 Case{kLeast32, 7, -306783379, -306783378, -306783378, -2}, Case{7, -3, -3, -2, -2, 1},
                 Case{-7, -3, 2, 3, 2, -1}, Case{-7, 3, -3, -2, -2, -1}, Case{6, 3, 2, 2, 2, 0},
                 Case{kLeast32, -1, kLeast32, kLeast32, kLeast32, 0}, Case{5, 0, 0, 0, 0, 0},
                 Case{kLeast32, 0, 0, 0, 0, 0}, Case{0, -4, 0, 0, 0, 0}}) {
    EXPECT_EQ(binary("arith.floordivsi", DType::i32, c.a, c.b), c.floored) << c.a << " " << c.b;
    EXPECT_EQ(binary("arith.ceildivsi", DType::i32, c.a, c.b), c.ceiled) << c.a << " " << c.b;
    EXPECT_EQ(binary("arith.divsi", DType::i32, c.a, c.b), c.truncated) << c.a << " " << c.b;
    EXPECT_EQ(binary("arith.remsi", DType::i32, c.a, c.b), c.remainder) << c.a << " " << c.b;
  }
  EXPECT_EQ(binary("arith.divsi", DType::i64, -0x1p63, -1), -0x1p63);
  EXPECT_EQ(binary("arith.divui", DType::u8, 200, 7), 28);
  EXPECT_EQ(binary("arith.ceildivui", DType::u8, 200, 7), 29);
  EXPECT_EQ(binary("arith.ceildivui", DType::u64, 0x1p63, 3), std::ceil(0x1p63 / 3));
  EXPECT_EQ(binary("arith.remui", DType::u8, 200, 7), 4);
  for (const char *op : {"arith.divui", "arith.ceildivui", "arith.remui"}) EXPECT_EQ(binary(op, DType::u32, 9, 0), 0);
}

TEST(InterpInteger, FloorDivisionAndItsRemainder) {
  auto modulo = [](double a, double b) {
    return evaluate(R"(
      %q = arith.floordivsi %a, %b : i32
      %p = arith.muli %q, %b : i32
      %r = arith.subi %a, %p : i32)",
                    DType::i32, {a, b}, DType::i32);
  };
  EXPECT_EQ(modulo(2147483647, 7), 1);
  EXPECT_EQ(modulo(-1, 7), 6);
  EXPECT_EQ(modulo(kLeast32, 7), 5);
  EXPECT_EQ(modulo(7, -3), -2);
  EXPECT_EQ(modulo(-7, -3), -1);
}

TEST(InterpInteger, ShiftsOnNarrowTypes) {
  auto leftRight = [](DType type, double x, int by, const char *right) {
    return evaluate(fmt::format("%n = arith.constant {0} : {1}\n%s = arith.shli %a, %n : {1}\n%r = {2} %s, %n : {1}",
                                by, scalarType(type), right),
                    type, {x}, type);
  };
  EXPECT_EQ(leftRight(DType::u8, 48, 4, "arith.shrui"), 0);
  EXPECT_EQ(leftRight(DType::i8, 8, 4, "arith.shrsi"), -8);
  EXPECT_EQ(leftRight(DType::u16, 0xABCD, 8, "arith.shrui"), 205);
  EXPECT_EQ(leftRight(DType::i16, 0x00FF, 8, "arith.shrsi"), -1);
  EXPECT_EQ(binary("arith.shli", DType::i8, -128, 1), 0);
  EXPECT_EQ(binary("arith.shli", DType::u8, 200, 1), 144);
}

TEST(InterpInteger, ShiftsByTheWidthAndMore) {
  for (double by : {8.0, 9.0, 100.0, -1.0}) {
    EXPECT_EQ(binary("arith.shli", DType::i8, 5, by), 0);
    EXPECT_EQ(binary("arith.shrui", DType::i8, -5, by), 0);
    EXPECT_EQ(binary("arith.shrsi", DType::i8, -5, by), -1);
    EXPECT_EQ(binary("arith.shrsi", DType::i8, 5, by), 0);
  }
  EXPECT_EQ(binary("arith.shli", DType::i64, 1, 64), 0);
  EXPECT_EQ(binary("arith.shrsi", DType::i64, -1, 64), -1);
  EXPECT_EQ(binary("arith.shli", DType::i64, 1, 62), 0x1p62);
}

TEST(InterpInteger, ExtremesAndComparisons) {
  EXPECT_EQ(binary("arith.maxsi", DType::i8, -1, 1), 1);
  EXPECT_EQ(binary("arith.minsi", DType::i8, -1, 1), -1);
  EXPECT_EQ(binary("arith.maxui", DType::u8, 255, 1), 255);
  EXPECT_EQ(binary("arith.minui", DType::u8, 255, 1), 1);
  auto compare = [](const char *predicate, double a, double b) {
    return evaluate(fmt::format("%r = arith.cmpi {}, %a, %b : i8", predicate), DType::i8, {a, b}, DType::boolean);
  };
  struct Case {
    const char *predicate;
    int less, equal, greater; // for (-1, 1), (1, 1), (1, -1)
  };
  for (Case c : {Case{"eq", 0, 1, 0},
                 {"ne", 1, 0, 1},
                 {"slt", 1, 0, 0},
                 {"sle", 1, 1, 0},
                 {"sgt", 0, 0, 1},
                 {"sge", 0, 1, 1},
                 {"ult", 0, 0, 1},
                 {"ule", 0, 1, 1},
                 {"ugt", 1, 0, 0},
                 {"uge", 1, 1, 0}}) {
    EXPECT_EQ(compare(c.predicate, -1, 1), c.less) << c.predicate;
    EXPECT_EQ(compare(c.predicate, 1, 1), c.equal) << c.predicate;
    EXPECT_EQ(compare(c.predicate, 1, -1), c.greater) << c.predicate;
  }
}

TEST(InterpInteger, CountsPowersAndAbsoluteValues) {
  EXPECT_EQ(unary("math.ctpop", DType::i8, -1), 8);
  EXPECT_EQ(unary("math.ctlz", DType::i8, 1), 7);
  EXPECT_EQ(unary("math.ctlz", DType::i16, 0), 16);
  EXPECT_EQ(unary("math.cttz", DType::i16, 0), 16);
  EXPECT_EQ(unary("math.cttz", DType::i64, -0x1p63), 63);
  EXPECT_EQ(unary("math.absi", DType::i8, -7), 7);
  EXPECT_EQ(unary("math.absi", DType::i8, -128), -128);
  EXPECT_EQ(binary("math.ipowi", DType::i32, -3, 3), -27);
  EXPECT_EQ(binary("math.ipowi", DType::i32, 0, 0), 1);
  EXPECT_EQ(binary("math.ipowi", DType::i8, 3, 5), -13);
  EXPECT_EQ(binary("math.ipowi", DType::i32, 2, -1), 0);
  EXPECT_EQ(binary("math.ipowi", DType::i32, 1, -5), 1);
  EXPECT_EQ(binary("math.ipowi", DType::i32, -1, -5), -1);
  EXPECT_EQ(binary("math.ipowi", DType::i32, -1, -6), 1);
  EXPECT_EQ(binary("math.ipowi", DType::i32, 0, -1), 0);
}

TEST(InterpInteger, ExtendedResults) {
  auto high = [](const char *op, DType type, double a, double b, DType to) {
    return evaluate(
        fmt::format("%low, %r = arith.{} %a, %b : {}", op, scalarType(type) + (to == DType::boolean ? ", i1" : "")),
        type, {a, b}, to);
  };
  EXPECT_EQ(high("mulsi_extended", DType::i8, -128, 2, DType::i8), -1);
  EXPECT_EQ(high("mului_extended", DType::u8, 200, 200, DType::u8), 156);
  EXPECT_EQ(high("mulsi_extended", DType::i64, 0x1p62, 4, DType::i64), 1);
  EXPECT_EQ(high("addui_extended", DType::u8, 200, 100, DType::boolean), 1);
  EXPECT_EQ(high("addui_extended", DType::u8, 200, 55, DType::boolean), 0);
}

TEST(InterpInteger, WidthsChange) {
  auto change = [](const char *op, DType from, double value, DType to) {
    return evaluate(fmt::format("%r = arith.{} %a : {} to {}", op, scalarType(from), scalarType(to)), from, {value},
                    to);
  };
  EXPECT_EQ(change("extsi", DType::i8, -3, DType::i32), -3);
  EXPECT_EQ(change("extui", DType::i8, -3, DType::i32), 253);
  EXPECT_EQ(change("extsi", DType::boolean, 1, DType::i32), -1);
  EXPECT_EQ(change("trunci", DType::i32, 511, DType::i8), -1);
  EXPECT_EQ(change("trunci", DType::i32, 2, DType::boolean), 0);
  EXPECT_EQ(change("bitcast", DType::f32, 1, DType::i32), 0x3f800000);
  EXPECT_EQ(change("bitcast", DType::i16, 0x3f80, DType::bf16), 1);
  EXPECT_EQ(evaluate("%x = arith.index_cast %a : i8 to index\n%r = arith.index_cast %x : index to i64", DType::i8, {-3},
                     DType::i64),
            -3);
  EXPECT_EQ(evaluate("%x = arith.index_castui %a : i8 to index\n%r = arith.index_cast %x : index to i64", DType::i8,
                     {-3}, DType::i64),
            253);
}

TEST(InterpInteger, SelectTakesScalarsAndTiles) {
  EXPECT_EQ(evaluate("%c = arith.constant false\n%r = arith.select %c, %a, %b : i32", DType::i32, {1, 2}, DType::i32),
            2);
  std::string text = kernelText("%A: memref<1xf32, #g>, %B: memref<1xf32, #g>, %c: i1", R"(
    %t = arith.select %c, %A, %B : memref<1xf32, #g>
    %nine = arith.constant 9.0 : f32
    tile.fill %nine, %t : f32, memref<1xf32, #g>)");
  Tensor a = Tensor::zeros(DType::f32, {1}), b = Tensor::zeros(DType::f32, {1});
  runText(text, {a, b, int64_t{0}});
  EXPECT_EQ(a.at({0}), 0);
  EXPECT_EQ(b.at({0}), 9);
}

} // namespace
} // namespace tessera
