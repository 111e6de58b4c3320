// Floating-point arithmetic, functions and conversions on the reference interpreter.
#include "tilelang/ir/test/interp_program.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace tessera {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::nan("");
constexpr DType kTypes[] = {DType::f16, DType::bf16, DType::f32, DType::f64};

double call(const std::string &op, DType type, const std::vector<double> &operands, DType to) {
  std::string list;
  for (size_t i = 0; i < operands.size(); ++i) list += fmt::format("{}%{}", i ? ", " : "", static_cast<char>('a' + i));
  return evaluate(fmt::format("%r = {} {} : {}", op, list, scalarType(type)), type, operands, to);
}
double call(const std::string &op, DType type, const std::vector<double> &operands) {
  return call(op, type, operands, type);
}

/// Equal, with NaN equal to NaN and +0 different from -0.
testing::AssertionResult same(double actual, double expected) {
  bool equal =
      std::isnan(expected) ? std::isnan(actual) : actual == expected && std::signbit(actual) == std::signbit(expected);
  if (equal) return testing::AssertionSuccess();
  return testing::AssertionFailure() << actual << " instead of " << expected;
}

TEST(InterpFloat, ArithmeticRoundsOnceInEachType) {
  for (DType type : kTypes) {
    EXPECT_TRUE(same(call("arith.addf", type, {1.5, 2.25}), 3.75));
    EXPECT_TRUE(same(call("arith.subf", type, {1, 1}), 0));
    EXPECT_TRUE(same(call("arith.mulf", type, {-3, 0}), -0.0));
    EXPECT_TRUE(same(call("arith.divf", type, {-1, 0}), -kInfinity));
    EXPECT_TRUE(same(call("arith.divf", type, {0, 0}), kNaN));
    EXPECT_TRUE(same(call("arith.remf", type, {-7.5, 2}), -1.5));
    EXPECT_TRUE(same(call("arith.negf", type, {0}), -0.0));
  }
  EXPECT_EQ(call("arith.addf", DType::bf16, {256, 1}), 256);
  EXPECT_EQ(call("arith.addf", DType::bf16, {256, 3}), 260);
  EXPECT_EQ(call("arith.addf", DType::f16, {2048, 1}), 2048);
  EXPECT_EQ(call("arith.addf", DType::f32, {0x1p24, 1}), 0x1p24);
  EXPECT_EQ(call("arith.divf", DType::f32, {1, 3}), static_cast<double>(1.0f / 3.0f));
  EXPECT_EQ(call("arith.mulf", DType::f16, {300, 300}), kInfinity);
  EXPECT_EQ(call("arith.mulf", DType::bf16, {0x1p-100, 0x1p-33}), 0x1p-133); // the least subnormal number
  EXPECT_EQ(call("arith.mulf", DType::f32, {0x1p-100, 0x1p-49}), 0x1p-149);
}

TEST(InterpFloat, FmaRoundsOnce) {
  EXPECT_EQ(call("math.fma", DType::f32, {1 + 0x1p-12, 1 + 0x1p-12, -(1 + 0x1p-11)}), 0x1p-24);
  EXPECT_EQ(call("math.fma", DType::f64, {1 + 0x1p-30, 1 + 0x1p-30, -(1 + 0x1p-29)}), 0x1p-60);
  // The product lies on a tie of bf16 and the tiny sum decides it, far below the last bit of a double.
  double tie = 1 + 0x1p-4, one = 1 + 0x1p-4; // 1.12890625, half way between 1.125 and 1.1328125
  EXPECT_EQ(call("math.fma", DType::bf16, {tie, one, 0}), 1.125);
  EXPECT_EQ(call("math.fma", DType::bf16, {tie, one, 0x1p-120}), 1.1328125);
  EXPECT_EQ(call("math.fma", DType::bf16, {tie, one, -0x1p-120}), 1.125);
}

TEST(InterpFloat, MaximaAndMinima) {
  for (DType type : kTypes) {
    EXPECT_TRUE(same(call("arith.maximumf", type, {1, kNaN}), kNaN));
    EXPECT_TRUE(same(call("arith.minimumf", type, {kNaN, 1}), kNaN));
    EXPECT_TRUE(same(call("arith.maxnumf", type, {1, kNaN}), 1));
    EXPECT_TRUE(same(call("arith.maxnumf", type, {kNaN, -1}), -1));
    EXPECT_TRUE(same(call("arith.minnumf", type, {kNaN, 1}), 1));
    EXPECT_TRUE(same(call("arith.minnumf", type, {kNaN, kNaN}), kNaN));
    for (const char *max : {"arith.maximumf", "arith.maxnumf"}) {
      EXPECT_TRUE(same(call(max, type, {-0.0, 0}), 0));
      EXPECT_TRUE(same(call(max, type, {0, -0.0}), 0));
      EXPECT_TRUE(same(call(max, type, {-2, 3}), 3));
    }
    for (const char *min : {"arith.minimumf", "arith.minnumf"}) {
      EXPECT_TRUE(same(call(min, type, {-0.0, 0}), -0.0));
      EXPECT_TRUE(same(call(min, type, {0, -0.0}), -0.0));
      EXPECT_TRUE(same(call(min, type, {-2, 3}), -2));
    }
  }
}

TEST(InterpFloat, ClampKeepsNaN) {
  auto clamp = [](double x) {
    return evaluate("%r = math.clampf %a to [%b, %c] : f32", DType::f32, {x, -1, 2}, DType::f32);
  };
  EXPECT_TRUE(same(clamp(kNaN), kNaN));
  EXPECT_TRUE(same(clamp(-5), -1));
  EXPECT_TRUE(same(clamp(5), 2));
  EXPECT_TRUE(same(clamp(-0.0), -0.0));
}

TEST(InterpFloat, Comparisons) {
  auto compare = [](const char *predicate, double a, double b) {
    return evaluate(fmt::format("%r = arith.cmpf {}, %a, %b : f16", predicate), DType::f16, {a, b}, DType::boolean);
  };
  struct Case {
    const char *predicate;
    int less, equal, greater, unordered;
  };
  for (Case c : {Case{"false", 0, 0, 0, 0},
                 {"oeq", 0, 1, 0, 0},
                 {"ogt", 0, 0, 1, 0},
                 {"oge", 0, 1, 1, 0},
                 {"olt", 1, 0, 0, 0},
                 {"ole", 1, 1, 0, 0},
                 {"one", 1, 0, 1, 0},
                 {"ord", 1, 1, 1, 0},
                 {"ueq", 0, 1, 0, 1},
                 {"ugt", 0, 0, 1, 1},
                 {"uge", 0, 1, 1, 1},
                 {"ult", 1, 0, 0, 1},
                 {"ule", 1, 1, 0, 1},
                 {"une", 1, 0, 1, 1},
                 {"uno", 0, 0, 0, 1},
                 {"true", 1, 1, 1, 1}}) {
    EXPECT_EQ(compare(c.predicate, 1, 2), c.less) << c.predicate;
    EXPECT_EQ(compare(c.predicate, 0, -0.0), c.equal) << c.predicate;
    EXPECT_EQ(compare(c.predicate, 2, 1), c.greater) << c.predicate;
    EXPECT_EQ(compare(c.predicate, kNaN, 1), c.unordered) << c.predicate;
  }
}

TEST(InterpFloat, RoundingFunctionsInEveryType) {
  struct Case {
    double x, away, even, floored, ceiled, truncated;
  };
  for (DType type : kTypes)
    for (Case c : {Case{0.5, 1, 0, 0, 1, 0}, Case{1.5, 2, 2, 1, 2, 1}, Case{2.5, 3, 2, 2, 3, 2},
                   Case{-0.5, -1, -0.0, -1, -0.0, -0.0}, Case{-2.5, -3, -2, -3, -2, -2},
                   Case{kInfinity, kInfinity, kInfinity, kInfinity, kInfinity, kInfinity},
                   Case{kNaN, kNaN, kNaN, kNaN, kNaN, kNaN}}) {
      EXPECT_TRUE(same(call("math.round", type, {c.x}), c.away)) << c.x;
      EXPECT_TRUE(same(call("math.roundeven", type, {c.x}), c.even)) << c.x;
      EXPECT_TRUE(same(call("math.floor", type, {c.x}), c.floored)) << c.x;
      EXPECT_TRUE(same(call("math.ceil", type, {c.x}), c.ceiled)) << c.x;
      EXPECT_TRUE(same(call("math.trunc", type, {c.x}), c.truncated)) << c.x;
    }
}

TEST(InterpFloat, RoundingOfByteFormatsThroughSingle) {
  for (DType type : {DType::e4m3, DType::e5m2})
    for (auto [x, away, even] : {std::array{0.5, 1.0, 0.0}, {1.5, 2.0, 2.0}, {2.5, 3.0, 2.0}, {-2.5, -3.0, -2.0}}) {
      auto rounded = [&](const char *op) {
        return evaluate(fmt::format("%x = tile.cast %a : {0} to f32\n%y = {1} %x : f32\n%r = tile.cast %y : f32 to {0}",
                                    mlirType(type), op),
                        type, {x}, type);
      };
      EXPECT_EQ(rounded("math.round"), away);
      EXPECT_EQ(rounded("math.roundeven"), even);
    }
}

TEST(InterpFloat, SignsAndClasses) {
  for (DType type : kTypes) {
    EXPECT_TRUE(same(call("math.absf", type, {-0.0}), 0));
    EXPECT_TRUE(same(call("math.copysign", type, {2, -0.0}), -2));
    EXPECT_TRUE(same(call("math.copysign", type, {-2, 3}), 2));
    for (double x : {kNaN, kInfinity, -kInfinity, 0.0, 1.0}) {
      EXPECT_EQ(call("math.isnan", type, {x}, DType::boolean), std::isnan(x));
      EXPECT_EQ(call("math.isinf", type, {x}, DType::boolean), std::isinf(x));
      EXPECT_EQ(call("math.isfinite", type, {x}, DType::boolean), std::isfinite(x));
      EXPECT_EQ(call("math.isnormal", type, {x}, DType::boolean), std::isnormal(x));
    }
  }
  EXPECT_EQ(call("math.isnormal", DType::f16, {0x1p-15}, DType::boolean), 0);
  EXPECT_EQ(call("math.isnormal", DType::bf16, {0x1p-15}, DType::boolean), 1);
}

TEST(InterpFloat, FunctionsAgreeWithTheWiderOnesRoundedOnce) {
  struct Case {
    const char *op;
    double (*f)(double);
    double x;
  };
  for (Case c : {Case{"math.exp", std::exp, 1.25},
                 {"math.exp2", std::exp2, -2.5},
                 {"math.expm1", std::expm1, 0x1p-7},
                 {"math.log", std::log, 3},
                 {"math.log2", std::log2, 8},
                 {"math.log10", std::log10, 5},
                 {"math.log1p", std::log1p, 0.125},
                 {"math.sqrt", std::sqrt, 2},
                 {"math.cbrt", std::cbrt, -27},
                 {"math.sin", std::sin, 1},
                 {"math.cos", std::cos, 1},
                 {"math.tan", std::tan, 1},
                 {"math.sinh", std::sinh, 1},
                 {"math.cosh", std::cosh, 1},
                 {"math.tanh", std::tanh, 0.5},
                 {"math.asin", std::asin, 0.5},
                 {"math.acos", std::acos, 0.5},
                 {"math.atan", std::atan, 2},
                 {"math.asinh", std::asinh, 2},
                 {"math.acosh", std::acosh, 2},
                 {"math.atanh", std::atanh, 0.5},
                 {"math.erf", std::erf, 0.5},
                 {"math.erfc", std::erfc, 0.5},
                 {"math.rsqrt", [](double x) { return 1 / std::sqrt(x); }, 3},
                 {"tile.sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }, 0.75},
                 {"tile.exp10", [](double x) { return std::pow(10, x); }, 1.5}})
    for (DType type : kTypes) {
      double expected = c.f(c.x);
      double tolerance = type == DType::f64 ? 4e-16 * std::abs(expected) : 0;
      EXPECT_NEAR(call(c.op, type, {c.x}), type == DType::f64 ? expected : tensorOf(type, {expected}).at({0}),
                  tolerance)
          << c.op << " " << name(type);
    }
}

TEST(InterpFloat, FunctionsOfTwoArguments) {
  for (double exponent : {0.0, -1.0, -2.0, 3.0})
    for (double x : {2.0, -3.0, 0.5})
      EXPECT_EQ(call("math.powf", DType::f32, {x, exponent}), static_cast<float>(std::pow(x, exponent)));
  EXPECT_EQ(call("math.powf", DType::f32, {0, 0}), 1);
  EXPECT_EQ(call("math.atan2", DType::f64, {1, -1}), std::atan2(1, -1));
  EXPECT_EQ(call("tile.hypot", DType::f32, {3e38, 4e38}), kInfinity);
  EXPECT_EQ(call("tile.hypot", DType::f32, {0x1p100 * 3, 0x1p100 * 4}), 0x1p100 * 5);
  auto fpowi = [](double x, int64_t n) {
    return evaluate(fmt::format("%n = arith.constant {} : i64\n%r = math.fpowi %a, %n : f32, i64", n), DType::f32, {x},
                    DType::f32);
  };
  EXPECT_EQ(fpowi(-2, 3), -8);
  EXPECT_EQ(fpowi(2, -2), 0.25);
  EXPECT_EQ(fpowi(-1, (int64_t{1} << 62) + 1), -1);
  auto ldexp = [](DType type, double x, int n) {
    return evaluate(fmt::format("%n = arith.constant {} : i32\n%r = tile.ldexp %a, %n : {}, i32", n, scalarType(type)),
                    type, {x}, type);
  };
  EXPECT_EQ(ldexp(DType::f32, 1.5, 4), 24);
  EXPECT_EQ(ldexp(DType::f16, 1, 20), kInfinity);
  EXPECT_EQ(ldexp(DType::bf16, 3, -134), 0x1p-132); // a tie, to even
  EXPECT_EQ(ldexp(DType::f64, 1, std::numeric_limits<int>::min()), 0);
}

TEST(InterpFloat, NextAfter) {
  EXPECT_EQ(call("tile.nextafter", DType::f16, {1, 2}), 1 + 0x1p-10);
  EXPECT_EQ(call("tile.nextafter", DType::bf16, {1, -2}), 1 - 0x1p-8);
  EXPECT_EQ(call("tile.nextafter", DType::f32, {-1, 0}), -(1 - 0x1p-24));
  EXPECT_EQ(call("tile.nextafter", DType::f32, {0, -1}), -0x1p-149);
  EXPECT_EQ(call("tile.nextafter", DType::f16, {65504, kInfinity}), kInfinity);
  EXPECT_TRUE(same(call("tile.nextafter", DType::f32, {0x1p-149, 0}), 0));
  EXPECT_TRUE(same(call("tile.nextafter", DType::f32, {0, -0.0}), -0.0));
  EXPECT_TRUE(same(call("tile.nextafter", DType::f32, {kNaN, 1}), kNaN));
}

double cast(DType from, double value, DType to, const std::string &flags = "") {
  return evaluate(fmt::format("%r = tile.cast %a {} : {} to {}", flags, scalarType(from), scalarType(to)), from,
                  {value}, to);
}

TEST(InterpCast, IntegersToFloat) {
  for (auto [n, expected] : {std::pair{257.0, 256.0},
                             {259.0, 260.0},
                             {-259.0, -260.0},
                             {33000.0, 33024.0},
                             {65535.0, 65536.0},
                             {1077936129.0, 1082130432.0}}) {
    EXPECT_EQ(cast(DType::i32, n, DType::bf16), expected);
    EXPECT_EQ(evaluate("%r = arith.sitofp %a : i32 to bf16", DType::i32, {n}, DType::bf16), expected);
  }
  EXPECT_EQ(cast(DType::u8, 200, DType::f32), -56);
  EXPECT_EQ(cast(DType::u8, 200, DType::f32, "from_unsigned"), 200);
  EXPECT_EQ(evaluate("%r = arith.uitofp %a : i8 to f32", DType::i8, {-1}, DType::f32), 255);
  EXPECT_EQ(evaluate("%r = arith.sitofp %a : i1 to f32", DType::boolean, {1}, DType::f32), -1);
  EXPECT_EQ(cast(DType::boolean, 1, DType::f32), 1);
  EXPECT_EQ(cast(DType::i32, 1000, DType::e4m3, "saturate"), 448);
}

TEST(InterpCast, FloatToIntegersTruncatesAndSaturates) {
  EXPECT_EQ(cast(DType::f32, -2.75, DType::i32), -2);
  EXPECT_EQ(cast(DType::f32, 2.5, DType::i32, "round<rint>"), 2);
  EXPECT_EQ(cast(DType::f32, 2.5, DType::i32, "round<round>"), 3);
  EXPECT_EQ(cast(DType::f32, -2.5, DType::i32, "round<floor>"), -3);
  EXPECT_EQ(cast(DType::f32, -2.5, DType::i32, "round<ceil>"), -2);
  EXPECT_EQ(cast(DType::f32, 1e30, DType::i32), 2147483647);
  EXPECT_EQ(cast(DType::f32, -kInfinity, DType::i8), -128);
  EXPECT_EQ(cast(DType::f32, kNaN, DType::i8), 0);
  EXPECT_EQ(cast(DType::f32, 300, DType::u8, "to_unsigned"), 255);
  EXPECT_EQ(cast(DType::f32, -1, DType::u8, "to_unsigned"), 0);
  EXPECT_EQ(cast(DType::f32, kNaN, DType::boolean), 1);
  EXPECT_EQ(cast(DType::f32, -0.0, DType::boolean), 0);
  auto arith = [](const char *op, double x, DType to) {
    return evaluate(fmt::format("%r = arith.{} %a : f32 to {}", op, scalarType(to)), DType::f32, {x}, to);
  };
  EXPECT_EQ(arith("fptosi", -200, DType::i8), -128);
  EXPECT_EQ(arith("fptosi", kNaN, DType::i64), 0);
  EXPECT_EQ(arith("fptosi", 1e30, DType::i64), 0x1p63);
  EXPECT_EQ(arith("fptoui", 300.9, DType::u16), 300);
  EXPECT_EQ(arith("fptoui", 1e30, DType::u16), 65535);
  EXPECT_EQ(arith("fptoui", -3, DType::u16), 0);
}

TEST(InterpCast, BetweenFloats) {
  EXPECT_EQ(cast(DType::f64, 1 + 0x1p-8 + 0x1p-40, DType::bf16), 1 + 0x1p-7); // not twice rounded
  EXPECT_EQ(cast(DType::f32, 449, DType::e4m3), 448);
  EXPECT_TRUE(same(cast(DType::f32, 1000, DType::e4m3), kNaN));
  EXPECT_EQ(cast(DType::f32, 1000, DType::e4m3, "saturate"), 448);
  EXPECT_EQ(cast(DType::f32, -kInfinity, DType::e5m2, "saturate"), -57344);
  EXPECT_EQ(cast(DType::f32, 1e9, DType::f16), kInfinity);
  EXPECT_EQ(cast(DType::f32, 1e9, DType::f16, "round<trunc>"), 65504);
  EXPECT_EQ(cast(DType::f32, 1 + 0x1p-20, DType::bf16, "round<odd>"), 1 + 0x1p-7);
  EXPECT_EQ(cast(DType::f32, 1 + 0x1p-20, DType::bf16, "round<ceil>"), 1 + 0x1p-7);
  EXPECT_TRUE(same(cast(DType::f32, -3, DType::e8m0), kNaN));
  EXPECT_EQ(cast(DType::f32, 0, DType::e8m0), 0x1p-127);
  EXPECT_EQ(evaluate("%r = arith.extf %a : bf16 to f64", DType::bf16, {1.5}, DType::f64), 1.5);
  EXPECT_EQ(evaluate("%r = arith.truncf %a upward : f64 to f16", DType::f64, {1 + 0x1p-30}, DType::f16), 1 + 0x1p-10);
  EXPECT_EQ(evaluate("%r = arith.truncf %a : f64 to f16", DType::f64, {1 + 0x1p-30}, DType::f16), 1);
}

TEST(InterpCast, BetweenIntegersWraps) {
  EXPECT_EQ(cast(DType::i32, 300, DType::i8), 44);
  EXPECT_EQ(cast(DType::i8, -1, DType::i32), -1);
  EXPECT_EQ(cast(DType::i8, -1, DType::i32, "from_unsigned"), 255);
  EXPECT_EQ(cast(DType::boolean, 1, DType::i32), 1);
  EXPECT_EQ(cast(DType::i32, 256, DType::boolean), 1);
  EXPECT_EQ(
      evaluate("%x = tile.cast %a : i32 to index\n%r = tile.cast %x : index to f32", DType::i32, {-5}, DType::f32), -5);
}

} // namespace
} // namespace tessera
