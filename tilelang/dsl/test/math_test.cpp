// Functions of scalars, against C++ in the type they promise.
#include "tilelang/dsl/test/run.h"

namespace tessera::tl {
namespace {

double on(DType type, Number x, Expr (*function)(const Operand &), Agreement agreement = Agreement::bitwise) {
  return valueOf([&] { return function(loaded(type, x)); }, agreement);
}
double on(DType type, Number x, Number y, Expr (*function)(const Operand &, const Operand &),
          Agreement agreement = Agreement::bitwise) {
  return valueOf([&] { return function(loaded(type, x), loaded(type, y)); }, agreement);
}

TEST(Math, FloorDivisionAtTheLimits) { // field cases F38, F76
  struct Case {
    int64_t a, b, quotient, remainder;
  };
  for (Case c : {Case{2147483647, 7, 306783378, 1},
                 {-1, 7, -1, 6},
                 {-2147483648, 7, -306783379, 5},
                 {7, -3, -3, -2},
                 {-7, -3, 2, -1},
                 {-7, 3, -3, 2},
                 {6, -3, -2, 0},
                 {0, 5, 0, 0}}) {
    SCOPED_TRACE(std::to_string(c.a) + " by " + std::to_string(c.b));
    EXPECT_EQ(on(i32, c.a, c.b, floordiv), static_cast<double>(c.quotient));
    EXPECT_EQ(on(i32, c.a, c.b, floormod), static_cast<double>(c.remainder));
    EXPECT_EQ(tl::floordiv(c.a, c.b), c.quotient) << "the plain integer form";
  }
  EXPECT_EQ(on(i32, 7, 3, ceildiv), 3);
  EXPECT_EQ(on(i32, -7, 3, ceildiv), -2);
  EXPECT_EQ(on(u8, 255, 2, ceildiv), 128);
  EXPECT_EQ(on(u8, 255, 2, floormod), 1);
  EXPECT_EQ(on(i32, -7, 3, truncdiv), -2);
  EXPECT_EQ(on(i32, -7, 3, truncmod), -1);
  EXPECT_EQ(on(i32, 13, 8, alignUp), 16);
  EXPECT_EQ(on(f32, -7.0, 2.0, floordiv), -4);
  EXPECT_EQ(tl::ceildiv(7, 3), 3);
  EXPECT_EQ(tl::ceildiv(-7, 3), -2);
  EXPECT_EQ(tl::alignUp(13, 8), 16);
}

TEST(Math, MinMaxClampKeepNaN) {
  EXPECT_TRUE(std::isnan(on(f32, kNaN, 1.0, max)));
  EXPECT_TRUE(std::isnan(on(f32, 1.0, kNaN, min)));
  EXPECT_TRUE(std::isnan(valueOf([] { return clamp(loaded(f32, kNaN), 0, 1); })));
  EXPECT_EQ(valueOf([] { return clamp(loaded(f32, 3.0), 0, 1); }), 1);
  EXPECT_EQ(valueOf([] { return clamp(loaded(i32, -3), -2, 5); }), -2);
  EXPECT_EQ(on(u32, 3000000000u, 5, max), 3000000000.0);
  EXPECT_EQ(on(i32, -1, 5, min), -1);
  EXPECT_EQ(on(boolean, 1, 0, min), 0);
}

TEST(Math, Integers) {
  EXPECT_EQ(on(i8, -5, abs), 5);
  EXPECT_EQ(on(u8, 200, abs), 200);
  EXPECT_EQ(on(u8, 200, popcount), 3);
  EXPECT_EQ(on(i16, 1, clz), 15);
  EXPECT_ERROR(record([] { popcount(loaded(f32, 1)); }), "popcount of f32 values");
  EXPECT_ERROR(record([] { ceildiv(loaded(f32, 1), 2); }), "ceildiv of f32 values");
  EXPECT_ERROR(record([] { floormod(loaded(i32, 1), 0); }), "floormod by 0");
}

struct Unary {
  const char *name;
  Expr (*ours)(const Operand &);
  double (*exact)(double);
  double at;
};

class UnaryFunction : public testing::TestWithParam<Unary> {};

TEST_P(UnaryFunction, IsThatOfCpp) {
  const Unary &f = GetParam();
  double exact = f.exact(static_cast<float>(f.at));
  EXPECT_NEAR(on(f32, f.at, f.ours, Agreement::nearly), exact, 4e-7 * std::max(1.0, std::abs(exact)));
  EXPECT_NEAR(on(f64, f.at, f.ours, Agreement::nearly), f.exact(f.at), 1e-14 * std::max(1.0, std::abs(exact)));
  double atHalf = roundTo(f16, f.at);
  EXPECT_NEAR(on(f16, f.at, f.ours, Agreement::nearly), f.exact(atHalf), 1e-3 * std::max(1.0, std::abs(exact)));
  EXPECT_EQ(typeOf([&] { return f.ours(loaded(e5m2, 1.0)); }), "f32");
  EXPECT_EQ(typeOf([&] { return f.ours(loaded(f16, 1.0)); }), "f16");
  EXPECT_EQ(typeOf([&] { return f.ours(1); }), "f32");
  for (DType type : {i8, u16, i32, boolean}) // field case F41
    EXPECT_ERROR(record([&] { f.ours(loaded(type, 1)); }),
                 std::string(f.name) + " of a " + std::string(name(type)) + " value");
}

INSTANTIATE_TEST_SUITE_P(
    Math, UnaryFunction,
    testing::Values(Unary{"exp", exp, std::exp, 1.25}, Unary{"exp2", exp2, std::exp2, 1.25},
                    Unary{"exp10", exp10, [](double x) { return std::pow(10.0, x); }, 1.25},
                    Unary{"log", log, std::log, 1.25}, Unary{"log2", log2, std::log2, 1.25},
                    Unary{"log10", log10, std::log10, 1.25}, Unary{"log1p", log1p, std::log1p, 0.25},
                    Unary{"sqrt", sqrt, std::sqrt, 2.0},
                    Unary{"rsqrt", rsqrt, [](double x) { return 1 / std::sqrt(x); }, 2.0},
                    Unary{"sin", sin, std::sin, 1.25}, Unary{"cos", cos, std::cos, 1.25},
                    Unary{"tan", tan, std::tan, 1.25}, Unary{"sinh", sinh, std::sinh, 1.25},
                    Unary{"cosh", cosh, std::cosh, 1.25}, Unary{"tanh", tanh, std::tanh, 0.25},
                    Unary{"asin", asin, std::asin, 0.25}, Unary{"acos", acos, std::acos, 0.25},
                    Unary{"atan", atan, std::atan, 0.25}, Unary{"erf", erf, std::erf, 0.25},
                    Unary{"sigmoid", sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }, 0.25},
                    Unary{"floor", floor, std::floor, -1.5}, Unary{"ceil", ceil, std::ceil, -1.5},
                    Unary{"trunc", trunc, std::trunc, -1.5}, Unary{"round", round, std::round, 2.5},
                    Unary{"nearbyint", nearbyint, std::nearbyint, 2.5}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(Math, OfTwoAndThree) {
  EXPECT_NEAR(on(f32, 1.0, -2.0, atan2, Agreement::nearly), std::atan2(1.0, -2.0), 1e-6);
  EXPECT_NEAR(on(f32, 3.0, 4.0, hypot, Agreement::nearly), 5, 1e-6);
  EXPECT_EQ(on(f32, -7.0, 4.0, fmod), -3);
  EXPECT_EQ(on(f32, 3.0, -0.0, copysign), -3);
  EXPECT_EQ(on(f32, 1.0, 2.0, nextafter), 1 + std::ldexp(1.0, -23));
  EXPECT_EQ(valueOf([] { return nextafter(loaded(bf16, 1.0), 0); }), 1 - std::ldexp(1.0, -8));
  EXPECT_EQ(valueOf([] { return ldexp(loaded(f32, 1.5), loaded(i32, -3)); }), 0.1875);
  EXPECT_EQ(valueOf([] { return ldexp(loaded(f32, 1.5), 4); }), 24);
  double small = std::ldexp(1.0, -13);
  EXPECT_EQ(valueOf([&] { return fma(loaded(f32, 1 + small), loaded(f32, 1 - small), -1); }), -small * small)
      << "rounded once";
  EXPECT_ERROR(record([] { ldexp(loaded(f32, 1), 2.5); }), "ldexp by a f32 value");
  EXPECT_ERROR(record([] { atan2(loaded(f32, 1), loaded(i32, 1)); }), "atan2 of a i32 value");
}

TEST(Math, PowerWithConstantExponents) { // field case F34
  for (double x : {2.0, -3.0, 0.5}) {
    EXPECT_EQ(valueOf([&] { return pow(loaded(f32, x), 0); }), 1);
    EXPECT_NEAR(valueOf([&] { return pow(loaded(f32, x), -1); }), 1 / x, 1e-7);
    EXPECT_NEAR(valueOf([&] { return pow(loaded(f32, x), -2); }), 1 / (x * x), 1e-7);
    EXPECT_EQ(valueOf([&] { return pow(loaded(f32, x), loaded(i32, 3)); }), x * x * x);
  }
  EXPECT_EQ(valueOf([&] { return pow(loaded(f32, 0.0), 0); }), 1);
}

TEST(Math, TwoRoundingModesInEveryType) { // field case F35
  for (DType type : {f32, f16, bf16, e4m3, e5m2}) {
    std::vector<double> away, even;
    for (double x : {0.5, 1.5, 2.5, -0.5, -2.5}) {
      away.push_back(on(type, x, round));
      even.push_back(on(type, x, nearbyint));
    }
    EXPECT_EQ(away, (std::vector<double>{1, 2, 3, -1, -3}));
    EXPECT_EQ(even, (std::vector<double>{0, 2, 2, -0.0, -2}));
    EXPECT_TRUE(std::signbit(even[3]));
  }
}

TEST(Math, Classify) {
  EXPECT_EQ(on(f32, kNaN, isnan), 1);
  EXPECT_EQ(on(f32, kInf, isnan), 0);
  EXPECT_EQ(on(f16, -kInf, isinf), 1);
  EXPECT_EQ(on(e4m3, kNaN, isfinite), 0);
  EXPECT_EQ(on(f64, 1e300, isfinite), 1);
}

TEST(Math, Select) {
  EXPECT_EQ(valueOf([] { return select(loaded(i32, 1) > 0, loaded(i32, 2), 3.5); }), 2);
  EXPECT_EQ(typeOf([] { return select(true, loaded(i32, 2), 3.5); }), "f32");
  EXPECT_EQ(typeOf([] { return select(true, loaded(boolean, 1), false); }), "bool");
  EXPECT_ERROR(record([] { select(1, 2, 3); }), "a condition has the type i32, not bool");
}

TEST(Math, Cast) {
  auto cast1 = [](DType from, Number x, DType to, CastOptions options = {}) {
    return valueOf([&] { return cast(loaded(from, x), to, options); });
  };
  EXPECT_EQ(cast1(f32, 2.75, i32), 2);
  EXPECT_EQ(cast1(f32, 2.75, i32, {.rounding = Rounding::ceil}), 3);
  EXPECT_EQ(cast1(f32, -2.5, i32, {.rounding = Rounding::floor}), -3);
  EXPECT_EQ(cast1(f32, 300.0, u8), 255);
  EXPECT_EQ(cast1(f32, kNaN, i32), 0);
  EXPECT_EQ(cast1(i32, 300, u8), 44);
  EXPECT_EQ(cast1(i32, -1, u32), 4294967295.0);
  EXPECT_EQ(cast1(u8, 200, i8), -56);
  EXPECT_EQ(cast1(u8, 200, i32), 200);
  EXPECT_EQ(cast1(boolean, 1, i32), 1) << "not -1";
  EXPECT_EQ(cast1(f32, 0.5, boolean), 1);
  EXPECT_TRUE(std::isnan(cast1(f32, 1000.0, e4m3)));
  EXPECT_EQ(cast1(f32, 1000.0, e4m3, {.saturate = true}), 448);
  EXPECT_EQ(cast1(f32, 1.06, e4m3, {.rounding = Rounding::floor}), 1);
  for (auto [x, y] : {std::pair<int64_t, double>{257, 256},
                      {259, 260},
                      {-259, -260},
                      {33000, 33024},
                      {65535, 65536},
                      {1077936129, 1082130432}}) // field case F36: one rounding
    EXPECT_EQ(cast1(i32, x, bf16), y);
  EXPECT_EQ(valueOf([] { return cast(1077936129, bf16); }), 1082130432) << "a literal is rounded once, too";
  EXPECT_EQ(valueOf([] { return cast(2.75, i32); }), 2);
  EXPECT_EQ(valueOf([] { return cast(-1, u8); }), 255);
  EXPECT_ERROR(record([] { cast(1, hif8); }), "hif8 is not an element type of tile programs");
}

TEST(Math, Reinterpret) {
  EXPECT_EQ(valueOf([] { return reinterpret(loaded(f32, 1.0), i32); }), 0x3f800000);
  EXPECT_EQ(valueOf([] { return reinterpret(loaded(i32, -1), u32); }), 4294967295.0);
  EXPECT_EQ(valueOf([] { return reinterpret(loaded(u8, 0x77), e4m3); }), 240); // field case F37
  EXPECT_EQ(typeOf([] { return reinterpret(loaded(u16, 1), bf16); }), "bf16");
  EXPECT_ERROR(record([] { reinterpret(loaded(f32, 1), i16); }), "reinterpret of f32 as i16");
}

TEST(Math, Limits) {
  EXPECT_EQ(valueOf([] { return infinity(bf16); }), kInf);
  EXPECT_EQ(valueOf([] { return -infinity(f32); }), -kInf);
  EXPECT_EQ(valueOf([] { return maxValue(f16); }), 65504);
  EXPECT_EQ(valueOf([] { return minValue(e4m3); }), -448);
  EXPECT_EQ(valueOf([] { return maxValue(u32); }), 4294967295.0);
  EXPECT_EQ(valueOf([] { return minValue(i8); }), -128);
  EXPECT_EQ(valueOf([] { return minValue(u8); }), 0);
  EXPECT_EQ(valueOf([] { return maxValue(boolean); }), 1);
  EXPECT_EQ(valueOf([] { return minValue(e8m0); }), std::ldexp(1.0, -127));
  EXPECT_ERROR(record([] { infinity(e4m3); }), "e4m3 has no infinity");
  EXPECT_ERROR(record([] { infinity(i32); }), "i32 has no infinity");
}

} // namespace
} // namespace tessera::tl
