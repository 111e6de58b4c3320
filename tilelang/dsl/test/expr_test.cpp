// Promotion, literals, operators and their values.
#include "tilelang/dsl/test/run.h"

namespace tessera::tl {
namespace {

struct Meeting {
  DType a, b;
  const char *type;
};

TEST(Promotion, OfTwoValues) {
  for (Meeting m : {
           Meeting{i8, i32, "i32"},    {i64, i16, "i64"},   {u8, u32, "u32"},          {u8, i16, "i16"},
           Meeting{u32, i64, "i64"},   {boolean, i8, "i8"}, {boolean, boolean, "i32"}, {boolean, f16, "f16"},
           Meeting{i32, f16, "f16"},   {u64, f32, "f32"},   {f16, f16, "f16"},         {f16, bf16, "f32"},
           Meeting{bf16, f32, "f32"},  {f32, f64, "f64"},   {e4m3, e4m3, "f32"},       {e4m3, e5m2, "f32"},
           Meeting{e5m2, bf16, "f32"}, {e8m0, f32, "f32"},  {e4m3, i8, "f32"},         {bf16, bf16, "bf16"},
       }) {
    SCOPED_TRACE(std::string(name(m.a)) + " with " + std::string(name(m.b)));
    EXPECT_EQ(typeOf([&] { return loaded(m.a, 1) + loaded(m.b, 1); }), m.type);
    EXPECT_EQ(typeOf([&] { return loaded(m.b, 1) * loaded(m.a, 1); }), m.type);
    EXPECT_EQ(typeOf([&] { return max(loaded(m.b, 1), loaded(m.a, 1)); }),
              m.a == boolean && m.b == boolean ? "bool" : m.type);
    EXPECT_EQ(typeOf([&] { return loaded(m.b, 1) < loaded(m.a, 1); }), "bool");
  }
}

TEST(Promotion, SignednessIsNeverGuessed) {
  for (Meeting m : {Meeting{u8, i8, ""}, Meeting{u32, i32, ""}, Meeting{u32, i16, ""}, Meeting{u64, i64, ""}})
    EXPECT_ERROR(record([&] { loaded(m.a, 1) + loaded(m.b, 1); }),
                 "operands of + have the types " + std::string(name(m.a)) + " and " + std::string(name(m.b)));
  EXPECT_ERROR(record([&] {
                 for (Var i : Serial(3)) If(i < loaded(u64, 1), [] {});
               }),
               "operands of < have the types index and u64");
}

TEST(Promotion, OfLiterals) {
  EXPECT_EQ(typeOf([] { return loaded(i8, 1) + 1; }), "i8");
  EXPECT_EQ(typeOf([] { return 1 + loaded(u64, 1); }), "u64");
  EXPECT_EQ(typeOf([] { return loaded(bf16, 1) * 2; }), "bf16");
  EXPECT_EQ(typeOf([] { return loaded(f16, 1) * 0.5; }), "f16");
  EXPECT_EQ(typeOf([] { return loaded(e4m3, 1) * 0.5; }), "f32");
  EXPECT_EQ(typeOf([] { return loaded(i32, 1) * 0.5; }), "f32");
  EXPECT_EQ(typeOf([] { return loaded(boolean, 1) + 2; }), "i32");
  EXPECT_EQ(typeOf([] { return loaded(boolean, 1) + 0.5f; }), "f32");
  EXPECT_EQ(typeOf([] { return Expr(1) + 2; }), "i32");
  EXPECT_EQ(typeOf([] { return Expr(1) + (int64_t(1) << 40); }), "i64");
  EXPECT_EQ(typeOf([] { return Expr(1) + 2.0; }), "f32");
  EXPECT_EQ(typeOf([] { return -Expr(1); }), "i32");
  EXPECT_ERROR(record([] { loaded(u8, 1) + 256; }), "256 is not representable in u8");
  EXPECT_ERROR(record([] { loaded(u8, 1) + -1; }), "-1 is not representable in u8");
  EXPECT_ERROR(record([] { loaded(i8, 1) * 128; }), "128 is not representable in i8");
  EXPECT_ERROR(record([] { loaded(f16, 1) * 1e5; }), "100000 is not representable in f16");
  EXPECT_EQ(valueOf([] { return loaded(i8, 1) * -128; }), -128);
  EXPECT_EQ(valueOf([] { return loaded(u64, 0) + 0xffffffffffffffffu > 1; }), 1);
}

TEST(Promotion, OfIndices) {
  std::vector<std::string> types;
  record([&] {
    for (Var i : Serial(3)) {
      types.push_back((i + 1).type().text());
      types.push_back((i * loaded(i32, 2)).type().text());
      types.push_back((loaded(i64, 2) - i).type().text());
      types.push_back((i + loaded(u32, 2)).type().text());
      types.push_back((i * 0.5).type().text());
      types.push_back((i * loaded(bf16, 2)).type().text());
    }
  });
  EXPECT_EQ(types, (std::vector<std::string>{"index", "index", "index", "index", "f32", "bf16"}));
}

TEST(Operators, OnIntegers) {
  auto on = [](DType type, Number a, Number b, auto op) {
    return valueOf([&] { return op(loaded(type, a), loaded(type, b)); });
  };
  auto div = [](Expr a, Expr b) { return a / b; };
  auto mod = [](Expr a, Expr b) { return a % b; };
  EXPECT_EQ(on(i32, -7, 3, div), -2);
  EXPECT_EQ(on(i32, -7, 3, mod), -1);
  EXPECT_EQ(on(u8, 200, 3, div), 66);
  EXPECT_EQ(on(u32, 3000000000u, 7, mod), 3000000000u % 7);
  EXPECT_EQ(on(i8, 127, 1, [](Expr a, Expr b) { return a + b; }), -128) << "wraps";
  EXPECT_EQ(on(u8, 0, 1, [](Expr a, Expr b) { return a - b; }), 255);
  EXPECT_EQ(on(i32, 6, 3, [](Expr a, Expr b) { return (a & b) * 100 + (a | b) * 10 + (a ^ b); }), 275);
  EXPECT_EQ(valueOf([] { return ~loaded(u8, 15); }), 240);
  EXPECT_EQ(valueOf([] { return -loaded(i16, 5); }), -5);
  EXPECT_EQ(on(u32, 3000000000u, 5, [](Expr a, Expr b) { return a > b; }), 1) << "unsigned comparison";
  EXPECT_EQ(on(i32, -1, 5, [](Expr a, Expr b) { return a > b; }), 0);
}

TEST(Operators, ShiftsOfNarrowIntegers) { // field case F33
  auto leftRight = [](DType type, int64_t x, int by) { return valueOf([&] { return (loaded(type, x) << by) >> by; }); };
  EXPECT_EQ(leftRight(u8, 48, 4), 0);
  EXPECT_EQ(leftRight(i8, 8, 4), -8);
  EXPECT_EQ(leftRight(u16, 0xABCD, 8), 205);
  EXPECT_EQ(leftRight(i16, 0x00FF, 8), -1);
  EXPECT_EQ(valueOf([] { return loaded(i8, -128) << 1; }), 0);
  EXPECT_EQ(valueOf([] { return loaded(u8, 200) << 1; }), 144);
  EXPECT_EQ(valueOf([] { return loaded(i64, -8) >> loaded(u8, 1); }), -4) << "the amount may have any integer type";
}

TEST(Operators, OnFloatingPoint) {
  EXPECT_EQ(valueOf([] { return loaded(f32, 1.0) / loaded(f32, 4.0); }), 0.25);
  EXPECT_EQ(valueOf([] { return -loaded(f32, 0.0) < 0; }), 0);
  EXPECT_EQ(valueOf([] { return loaded(e4m3, 448.0) * loaded(e4m3, 448.0); }), 200704) << "computed in f32";
  EXPECT_EQ(valueOf([] { return loaded(bf16, 256.0) + loaded(bf16, 1.0); }), 256) << "rounded to bf16";
  for (auto compare : {+[](Expr x) { return x < x; }, +[](Expr x) { return x >= x; }, +[](Expr x) { return x == x; }})
    EXPECT_EQ(valueOf([&] { return compare(loaded(f32, kNaN)); }), 0);
  EXPECT_EQ(valueOf([] { return loaded(f32, kNaN) != loaded(f32, kNaN); }), 1);
}

TEST(Operators, OnBool) {
  auto b = [](bool x) { return loaded(boolean, x ? 1 : 0); };
  EXPECT_EQ(valueOf([&] { return b(true) && !b(false); }), 1);
  EXPECT_EQ(valueOf([&] { return b(false) || b(false); }), 0);
  EXPECT_EQ(valueOf([&] { return (b(true) ^ b(true)) | b(true); }), 1);
  EXPECT_EQ(valueOf([&] { return b(true) + b(true); }), 2) << "counts as i32";
  EXPECT_EQ(valueOf([&] { return b(true) == true; }), 1);
  EXPECT_EQ(typeOf([&] { return b(true) & b(true); }), "bool");
}

TEST(Operators, RefuseOtherTypes) {
  EXPECT_ERROR(record([] { loaded(f32, 1) % 2; }), "operands of % have the types f32 and i32");
  EXPECT_ERROR(record([] { loaded(f32, 1) & 2; }), "& of f32 values");
  EXPECT_ERROR(record([] { ~loaded(boolean, 1); }), "~ of a bool value");
  EXPECT_ERROR(record([] { loaded(f32, 1) << 2; }), "<< of f32 by i32");
  EXPECT_ERROR(record([] { loaded(i32, 1) << 2.0; }), "<< of i32 by f32");
  EXPECT_ERROR(record([] { loaded(i8, 1) << 8; }), "<< by 8 of a value of 8 bits");
  EXPECT_ERROR(record([] { loaded(i8, 1) >> -1; }), ">> by -1 of a value of 8 bits");
  EXPECT_ERROR(record([] { loaded(i32, 1) / 0; }), "/ by 0");
  EXPECT_ERROR(record([] { loaded(i32, 1) % 0; }), "% by 0");
  EXPECT_ERROR(record([] { loaded(i32, 1) && true; }), "a condition has the type i32, not bool");
  EXPECT_ERROR(record([] { !loaded(f32, 1); }), "a condition has the type f32, not bool");
  EXPECT_EQ(valueOf([] { return loaded(f32, 1) / 0; }), kInf) << "floating-point division by 0 is defined";
}

TEST(Expr, IsASnapshot) { // field case F15
  std::vector<double> out = run(f32, {6}, [](Buffer out) {
    Buffer a = allocLocal({2}, f32);
    for (bool storeFirst : {false, true}) {
      int64_t at = storeFirst ? 3 : 0;
      a(0) = 3;
      Expr t = max(a(0), 1);
      if (storeFirst) a(0) = t * 2;
      out(at) = t / 2;
      if (!storeFirst) a(0) = t * 2;
      out(at + 1) = a(0);
    }
  });
  EXPECT_EQ(out, (std::vector<double>{1.5, 6, kUntouched, 1.5, 6, kUntouched}));
}

TEST(Expr, KnowsWhereItMayBeUsed) {
  Expr outside;
  record([&] {
    std::vector<Expr> kept;
    for (Var i : Serial(3)) kept.push_back(i + 1);
    EXPECT_ERROR(kept[0] + 1, "the value is used outside the kernel, loop or condition that computes it");
    EXPECT_ERROR(Expr() + 1, "the expression has no value");
    outside = loaded(i32, 1);
  });
  EXPECT_ERROR(outside + 1, "+ is used outside a program");
  EXPECT_ERROR(record([&] { outside + 1; }), "the value belongs to another program than 'test'");
}

TEST(Expr, IsNotAssignedUnderAConditionOfTheKernel) { // field case F20
  int line = 0;
  try {
    record([&] {
      Expr v = loaded(i32, 1);
      If(v > 3, [&] {
        line = __LINE__ + 1;
        v = 5;
      });
    });
    ADD_FAILURE();
  } catch (const Error &error) {
    ASSERT_EQ(error.diagnostics().size(), 1u);
    EXPECT_EQ(error.diagnostics()[0].where.line, line);
    EXPECT_THAT(error.what(), testing::HasSubstr("assigned inside a loop or condition"));
    EXPECT_THAT(error.what(), testing::HasSubstr("var(type, initial)"));
  }
  // C++ loops run while the program is built: there assignment is what it says.
  EXPECT_EQ(valueOf([] {
              Expr sum = 0;
              for (int i = 1; i <= 4; ++i) sum = sum + loaded(i32, i);
              return sum;
            }),
            10);
}

} // namespace
} // namespace tessera::tl
