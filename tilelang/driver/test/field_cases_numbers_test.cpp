// Field cases: number formats and arithmetic at their limits (F32 to F41, F76, F78).
#include "tilelang/driver/test/field_case.h"

#include "core/numbers.h"
#include "core/test/expect_error.h"

#include <cmath>
#include <cstdint>

namespace tessera::field {
namespace {

using namespace tl;

/// out[i] = f(x[i]) for every element.
Program elementwise(DType in, DType out, const std::function<Expr(const Expr &)> &f) {
  ProgramBuilder p("elementwise");
  Dim N = p.dim("N");
  Buffer x = p.input("x", in, {N}), y = p.output("out", out, {N});
  p.kernel({1}, [&](Var) {
    for (Var i : Parallel(N)) y(i) = f(x(i));
  });
  return p.build();
}

void expectElementwise(DType in, DType out, const Values &x, const Values &expected,
                       const std::function<Expr(const Expr &)> &f) {
  Program program = elementwise(in, out, f);
  auto n = static_cast<int64_t>(x.size());
  onEveryTarget([&](Target &t) {
    SCOPED_TRACE(std::string(name(in)) + " to " + std::string(name(out)));
    Tensor X = t.tensor(in, {n}, x), Y = t.untouched(out, {n});
    t.run(program, X, Y);
    expectValues(Y, expected);
  });
}

TEST(FieldF32, ByteFill) {
  for (auto [type, value] : {std::pair{i8, -37}, {u8, 213}, {i8, -128}, {u8, 255}})
    for (int64_t n : {33, 32, 31, 1}) {
      ProgramBuilder p("bytes");
      Buffer from = p.input("from", type, {1}), a = p.output("a", type, {n}), b = p.output("b", type, {n});
      p.kernel({1}, [&, value = value](Var) {
        fill(a, value);
        fill(b, Expr(from(0)));
      });
      Program program = p.build();
      onEveryTarget([&, type = type, value = value](Target &t) {
        Tensor from = t.tensor(type, {1}, {static_cast<double>(value)}), a = t.untouched(type, {n}),
               b = t.untouched(type, {n});
        t.run(program, from, a, b);
        expectValues(a, Values(n, value));
        expectValues(b, Values(n, value));
      });
    }
}

TEST(FieldF33, ShiftsOnNarrowIntegers) {
  auto by = [](int n) { return [n](const Expr &x) { return (x << n) >> n; }; };
  expectElementwise(u8, u8, {48}, {0}, by(4));
  expectElementwise(i8, i8, {8}, {-8}, by(4));
  expectElementwise(u16, u16, {0xABCD}, {205}, by(8));
  expectElementwise(i16, i16, {0x00FF}, {-1}, by(8));
  auto once = [](const Expr &x) { return x << 1; };
  expectElementwise(i8, i8, {-128}, {0}, once);
  expectElementwise(u8, u8, {200}, {144}, once);
}

TEST(FieldF34, PowerWithConstantExponents) {
  const Values x = {2, -3, 0.5};
  for (DType type : {f64, f32}) {
    auto power = [](double n) { return [n](const Expr &v) { return pow(v, n); }; };
    double third = type == f64 ? 1.0 / 3 : static_cast<double>(1.0F / 3),
           ninth = type == f64 ? 1.0 / 9 : static_cast<double>(1.0F / 9);
    expectElementwise(type, type, x, {1, 1, 1}, power(0));
    expectElementwise(type, type, x, {0.5, -third, 2}, power(-1));
    expectElementwise(type, type, x, {0.25, ninth, 4}, power(-2));
    expectElementwise(type, type, x, {8, -27, 0.125}, power(3));
    expectElementwise(type, type, {0}, {1}, power(0));
    expectElementwise(type, type, {0}, {1}, [](const Expr &v) { return pow(v, v); });
  }
}

TEST(FieldF35, TwoRoundingModesInEveryType) {
  const Values x = {0.5, 1.5, 2.5, -0.5, -2.5};
  for (DType type : {f32, f16, bf16, e4m3, e5m2, f64}) {
    expectElementwise(type, type, x, {1, 2, 3, -1, -3}, [](const Expr &v) { return round(v); });
    expectElementwise(type, type, x, {0, 2, 2, -0.0, -2}, [](const Expr &v) { return nearbyint(v); });
  }
}

TEST(FieldF36, IntegerToBf16RoundsOnce) {
  const Values from = {257, 259, -259, 33000, 65535, 1077936129}, to = {256, 260, -260, 33024, 65536, 1082130432};
  auto convert = [](const Expr &v) { return cast(v, bf16); };
  expectElementwise(i32, bf16, from, to, convert);
  expectElementwise(i64, bf16, from, to, convert);
  expectElementwise(u32, bf16, {257, 4294967295.0}, {256, 4294967296.0}, convert);
  // As a copy converts.
  ProgramBuilder p("copy");
  Buffer x = p.input("x", i32, {6}), out = p.output("out", bf16, {6});
  p.kernel({1}, [&](Var) {
    Buffer s = allocShared({6}, bf16);
    copy(x, s);
    copy(s, out);
  });
  Program program = p.build();
  onEveryTarget([&](Target &t) {
    Tensor X = t.tensor(i32, {6}, from), Y = t.untouched(bf16, {6});
    t.run(program, X, Y);
    expectValues(Y, to);
  });
}

TEST(FieldF37, AllE4m3Codes) {
  ProgramBuilder p("codes");
  Buffer x = p.input("x", u8, {256}), wide = p.output("wide", f32, {256}), copied = p.output("copied", f32, {256}),
         back = p.output("back", u8, {256});
  p.kernel({1}, [&](Var) {
    Buffer bytes = allocShared({256}, u8), narrow = allocShared({256}, e4m3), f = allocFragment({256}, f32),
           again = allocShared({256}, e4m3);
    copy(x, bytes);
    Buffer codes = view(bytes, {256}, e4m3);
    for (Var i : Parallel(256)) wide(i) = cast(codes(i), f32);
    copy(codes, f);
    copy(f, copied);
    for (Var i : Parallel(256)) again(i) = f(i);
    copy(view(again, {256}, u8), back);
  });
  Program program = p.build();
  Values codes = values({256}, [](const Shape &i) { return i[0]; });
  Values decoded = values({256}, [](const Shape &i) {
    int code = static_cast<int>(i[0]), exponent = code >> 3 & 15, mantissa = code & 7;
    if ((code & 127) == 127) return kNaN;
    double magnitude = exponent ? std::ldexp(1 + mantissa / 8.0, exponent - 7) : std::ldexp(mantissa / 8.0, -6);
    return code & 128 ? -magnitude : magnitude;
  });
  EXPECT_EQ(decoded[0x77], 240);
  EXPECT_EQ(decoded[0x78], 256);
  EXPECT_EQ(decoded[0x7E], 448);
  EXPECT_EQ(decoded[0x08], std::ldexp(1, -6));
  EXPECT_EQ(decoded[0x01], std::ldexp(1, -9));
  onEveryTarget([&](Target &t) {
    Tensor x = t.tensor(u8, {256}, codes), wide = t.untouched(f32, {256}), copied = t.untouched(f32, {256}),
           back = t.untouched(u8, {256});
    t.run(program, x, wide, copied, back);
    expectValues(wide, decoded);
    expectValues(copied, decoded);
    for (int64_t code = 0; code < 256; ++code) // every NaN is still one
      EXPECT_EQ((code & 127) == 127 ? static_cast<int>(back.at({code})) & 127 : back.at({code}),
                (code & 127) == 127 ? 127 : code);
  });
}

TEST(FieldF38, FloorDivisionAtTheLimits) {
  // F76 asks the same of the scalar unit.
  struct Pair {
    int32_t a, b, quotient, remainder;
  };
  const std::vector<Pair> pairs = {{2147483647, 7, 306783378, 1},
                                   {-1, 7, -1, 6},
                                   {INT32_MIN, 7, -306783379, 5},
                                   {7, -3, -3, -2},
                                   {-7, -3, 2, -1},
                                   {-7, 3, -3, 2},
                                   {0, 5, 0, 0},
                                   {INT32_MIN, INT32_MIN, 1, 0}};
  auto n = static_cast<int64_t>(pairs.size());
  auto column = [&](auto member) { return values({n}, [&](const Shape &i) { return pairs[i[0]].*member; }); };
  for (DType type : {i32, i64})
    for (bool parallel : {true, false}) {
      ProgramBuilder p("floor");
      Buffer a = p.input("a", type, {n}), b = p.input("b", type, {n}), q = p.output("q", type, {n}),
             r = p.output("r", type, {n});
      auto body = [&](Var i) {
        q(i) = floordiv(a(i), b(i));
        r(i) = floormod(a(i), b(i));
      };
      p.kernel({1}, [&](Var) {
        if (parallel)
          for (Var i : Parallel(n)) body(i);
        else
          for (Var i : Serial(n)) body(i);
      });
      Program program = p.build();
      onEveryTarget([&](Target &t) {
        Tensor A = t.tensor(type, {n}, column(&Pair::a)), B = t.tensor(type, {n}, column(&Pair::b));
        Tensor Q = t.untouched(type, {n}), R = t.untouched(type, {n});
        t.run(program, A, B, Q, R);
        expectValues(Q, column(&Pair::quotient));
        expectValues(R, column(&Pair::remainder));
      });
    }
}

TEST(FieldF39, SingleElementCopyBetweenTypes) {
  struct Case {
    DType from, to;
    double in, out;
  };
  for (const Case &c : {Case{i64, i32, 41, 41},
                        {i16, i64, -7, -7},
                        {f32, i32, 2.75, 2},
                        {i32, f16, 3, 3},
                        {f32, u8, -1, 0},
                        {u8, i8, 200, -56}}) {
    ProgramBuilder p("one");
    Dim N = p.dim("N");
    Buffer A = p.input("A", c.from, {N}), B = p.inout("B", c.to, {N});
    p.kernel({1}, [&](Var) { copy(A(0), B(0)); });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      for (int64_t n : {1, 3}) {
        Tensor A = t.tensor(c.from, {n}, Values(n, c.in)), B = t.untouched(c.to, {n});
        t.run(program, A, B);
        expectValues(B, values({n}, [&](const Shape &i) { return i[0] == 0 ? c.out : kUntouched; }));
      }
    });
  }
}

TEST(FieldF40, IndexTensorsOf32And64Bits) {
  for (DType type : {i64, i32, i16, u8}) {
    ProgramBuilder p("scatter");
    Dim B = p.dim("B"), D = p.dim("D");
    Buffer pos = p.input("pos", type, {B}), val = p.input("val", f32, {B, D}), cache = p.inout("cache", f32, {B, D});
    p.kernel({B}, [&](Var b) {
      for (Var i : Parallel(D)) cache(pos(b), i) = val(b, i);
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      for (int64_t d : {2, 1, 17}) {
        const int64_t places[3] = {2, 0, 1};
        Tensor pos = t.tensor(type, {3}, {2, 0, 1}),
               val = t.tensor(f32, {3, d}, values({3, d}, [](const Shape &i) { return 10 * i[0] + i[1]; }));
        Tensor cache = t.untouched(f32, {3, d});
        t.run(program, pos, val, cache);
        for (int64_t b = 0; b < 3; ++b)
          for (int64_t i = 0; i < d; ++i) EXPECT_EQ(cache.at({places[b], i}), 10 * b + i);
      }
    });
  }
}

TEST(FieldF41, FunctionsOfTypesThatDoNotHaveThem) {
  for (DType type : {i8, u16, i32}) {
    ProgramBuilder p("exp");
    Buffer x = p.input("x", type, {4}), out = p.output("out", f32, {4});
    p.kernel({1},
             [&](Var i) { EXPECT_ERROR(out(i) = exp(Expr(x(i))), "exp of a " + std::string(name(type)) + " value"); });
  }
  // 8-bit floats are computed in f32: near enough the true value, and never the argument.
  Program program = elementwise(e4m3, f32, [](const Expr &v) { return exp(v); });
  const Values x = {0, -1, 2, 0.5};
  onEveryTarget([&](Target &t) {
    Tensor X = t.tensor(e4m3, {4}, x), Y = t.untouched(f32, {4});
    t.run(program, X, Y);
    for (int64_t i = 0; i < 4; ++i) EXPECT_NEAR(Y.at({i}), std::exp(x[i]), 1e-6 * std::exp(x[i]));
  });
}

TEST(FieldF78, ArithmeticShiftOf64Bits) {
  auto shift = [](const Expr &v) { return v >> 1; };
  expectElementwise(i64, i64, {-8, 7, -1}, {-4, 3, -1}, shift);
  expectElementwise(u64, u64, {8, 4294967296.0}, {4, 2147483648.0}, shift);
}

} // namespace
} // namespace tessera::field
