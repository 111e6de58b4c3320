// Elements, windows, corners, variables, views, and conversion on stores.
#include "tilelang/dsl/test/run.h"

namespace tessera::tl {
namespace {

using Values = std::vector<double>;

TEST(Access, StoresConvert) {
  EXPECT_EQ(run(e4m3, {3},
                [](Buffer out) {
                  out(0) = loaded(f32, 1000.0); // saturates
                  out(1) = loaded(i32, -7);
                  out(2) = 0.3;
                }),
            (Values{448, -7, 0.3125}));
  EXPECT_EQ(run(u8, {3},
                [](Buffer out) {
                  out(0) = loaded(i32, 300); // wraps
                  out(1) = loaded(f32, 300.0);
                  out(2) = 2.0;
                }),
            (Values{44, 255, 2}));
  EXPECT_ERROR(run(u8, {1}, [](Buffer out) { out(0) = 256; }), "256 is not representable in u8");
  EXPECT_ERROR(run(i32, {1}, [](Buffer out) { out(0) = 2.5; }), "2.5 is not representable in i32");
  EXPECT_ERROR(run(e4m3, {1}, [](Buffer out) { out(0) = 1000; }), "1000 is not representable in e4m3");
}

TEST(Access, CompoundAssignment) {
  EXPECT_EQ(run(i32, {4},
                [](Buffer out) {
                  for (int i = 0; i < 4; ++i) out(i) = 10;
                  out(0) += 3;
                  out(1) -= out(0);
                  out(2) *= 4;
                  out(3) /= 4;
                }),
            (Values{13, -3, 40, 2}));
}

TEST(Access, AssigningAPlaceCopiesTheElement) {
  EXPECT_EQ(run(i32, {2},
                [](Buffer out) {
                  out(0) = 5;
                  out(1) = out(0);
                  out(0) = 6;
                }),
            (Values{6, 5}));
}

TEST(Access, IndexedByElementsOfAnyInteger) { // field case F40
  for (DType type : {i32, i64, u8})
    EXPECT_EQ(run(i32, {3, 2},
                  [&](Buffer out) {
                    Buffer place = allocLocal({3}, type);
                    for (int b = 0; b < 3; ++b) place(b) = (b + 2) % 3;
                    for (int b = 0; b < 3; ++b)
                      for (int i = 0; i < 2; ++i) out(place(b), i) = 10 * b + i;
                  }),
              (Values{10, 11, 20, 21, 0, 1}));
}

TEST(Access, ChecksConstantIndices) {
  record([] {
    Buffer a = allocShared({4, 8}, f32, "a");
    EXPECT_ERROR(a(4, 0) = 1, "index 4 of dimension 0 is outside the extent 4");
    EXPECT_ERROR(a(0, -1) = 1, "index -1 of dimension 1 is outside the extent 8");
    EXPECT_ERROR(a(0) = 1, "a buffer of rank 2 is given 1 subscripts");
    EXPECT_ERROR(a(0, 1, 2) = 1, "a buffer of rank 2 is given 3 subscripts");
    EXPECT_ERROR(a(0, 0.5) = 1, "a subscript or bound has the type f32, not an integer");
    EXPECT_ERROR(a(0, all) = 1, "subscript 1 is a window where an element is meant");
    EXPECT_ERROR(a.extent(2), "dimension 2 of a buffer of rank 2 is asked for");
  });
}

TEST(Window, OfARunTimeSlice) { // field case F02
  Tensor x = Tensor::empty(DType::i64, {256});
  for (auto [a, b] : {std::pair{10, 13}, {13, 10}, {64, 192}}) {
    ProgramBuilder p("slice");
    Buffer out = p.inout("x", i64, {256});
    Expr from = p.scalar("from", i64), to = p.scalar("to", i64);
    p.kernel({1}, [&](Var) { fill(out(range(from, to)), 5); });
    x.fill(1);
    onEveryTarget(p.build(), {x, int64_t(a), int64_t(b)}, [&](const std::vector<Argument> &arguments) {
      std::vector<double> got = doubles(arguments[0]);
      for (int i = 0; i < 256; ++i) EXPECT_EQ(got[i], i >= a && i < b ? 5 : 1) << i;
    });
  }
}

TEST(Window, ThatLeavesItsBuffer) { // field case F03
  record([] {
    Buffer a = allocShared({8}, i32, "a"), b = allocShared({6}, i32, "b");
    EXPECT_ERROR(fill(a(range(6, 12)), 7), "region [6, 12) of dimension 0 exceeds extent 8 of `a`");
    EXPECT_ERROR(clear(a(range(6, 12))), "region [6, 12) of dimension 0 exceeds extent 8 of `a`");
    EXPECT_ERROR(copy(a(range(6, 12)), b), "region [6, 12) of dimension 0 exceeds extent 8 of `a`");
    EXPECT_ERROR(fill(a(range(6, 4)), 7), "region of `a` has the size -2 in dimension 0");
    fill(a(range(6, 8)), 7);
  });
}

TEST(Window, HasStaticExtentsWhereTheBoundsDifferByAConstant) {
  ProgramBuilder p("windows");
  Dim n = p.dim("n");
  Buffer a = p.input("a", f32, {n, 64});
  p.kernel({4}, [&](Var b) {
    Buffer t = allocShared({16, 64}, f32);
    copy(a(range(b * 16, (b + 1) * 16), all), t);
    copy(a(range(b * 16 + 4, b * 16 + 20), all), t);
    copy(a(window(b, 16), all), t);
    EXPECT_ERROR(copy(a(range(b * 16, b * 16 + 8), all), t), "shapes differ: `a` (8x64) vs a tile (16x64)");
  });
  std::string text = p.build().text();
  size_t count = 0;
  for (size_t at = text.find("[16, 64]"); at != std::string::npos; at = text.find("[16, 64]", at + 1)) ++count;
  EXPECT_EQ(count, 3u) << text;
}

TEST(Window, ColumnOfATensor) { // field case F48
  EXPECT_EQ(run(f32, {4},
                [](Buffer out) {
                  Buffer a = allocShared({8, 8}, f32), u = allocUb({4}, f32);
                  for (auto [r, c] : Parallel(8, 8)) a(r, c) = 10 * r + c;
                  copy(a(range(2, 6), 3), u);
                  copy(u, out);
                }),
            (Values{23, 33, 43, 53}));
}

TEST(Corner, TakesItsExtentsFromTheOtherSide) {
  std::vector<double> out = run(i32, {2, 3, 4}, [](Buffer out) {
    Buffer t = allocShared({2, 2}, i32), row = allocShared({1, 1, 1, 3}, i32);
    fill(t, 1);
    fill(row, 2);
    copy(t, out(0, 1, 2));   // rank 2 into rank 3: a leading extent of 1
    copy(row, out(1, 0, 0)); // leading extents of 1 are dropped
  });
  Values expected(24, kUntouched);
  for (int i : {6, 7, 10, 11}) expected[i] = 1;
  for (int i : {12, 13, 14}) expected[i] = 2;
  EXPECT_EQ(out, expected);
}

TEST(Corner, OfTwoElementsCopiesOne) { // field case F39
  EXPECT_EQ(run(i32, {3},
                [](Buffer out) {
                  Buffer a = allocLocal({1}, i64), b = allocLocal({1}, f32), c = allocLocal({1}, i16);
                  a(0) = 41, b(0) = 2.75, c(0) = -7;
                  copy(a(0), out(0));
                  copy(b(0), out(1));
                  copy(c(0), out(2));
                }),
            (Values{41, 2, -7}));
}

TEST(Corner, NeedsAnotherSide) {
  record([] {
    Buffer a = allocShared({4, 8}, f32, "a"), b = allocShared({4, 8, 2}, f32, "b"), r = allocShared({4}, f32, "r");
    EXPECT_ERROR(copy(b, a(0, 0)), "the other side has rank 3 but the corner has 2 subscripts");
    EXPECT_ERROR(reduceSum(a(0, 0), r), "the extents of an operand of reduceSum are not given");
    EXPECT_ERROR(gemm(a(0, 0), a, a), "the extents of an operand of gemm are not given");
  });
}

TEST(Variable, InitialValues) { // field case F18
  EXPECT_EQ(run(f64, {5},
                [](Buffer out) {
                  Variable a = var(i32, 1), b = var(i32, a);
                  a = 2;
                  Variable d = var(i32, a);
                  out(0) = b;
                  out(1) = d;
                  out(2) = var(f64, 1e300);
                  out(3) = var(f16, 0.1);
                  out(4) = var(f32, kInf);
                }),
            (Values{1, 2, 1e300, 0.0999755859375, kInf}));
  EXPECT_ERROR(record([] { var(f32, 1e300); }), "1e+300 is not representable in f32");
}

TEST(Variable, Assignment) {
  EXPECT_EQ(run(i32, {5},
                [](Buffer out) {
                  Variable v = var(i32, 10), w = var(i32, 3);
                  v += 5, out(0) = v;
                  v -= w, out(1) = v;
                  v *= 2, out(2) = v;
                  v /= 5, out(3) = v;
                  w = v;
                  v = 100;
                  out(4) = w;
                }),
            (Values{15, 12, 24, 4, 4}));
}

TEST(Variable, OfAParallelLoopIsPrivate) { // field case F17
  std::vector<double> out = run(i32, {300}, [](Buffer out) {
    Variable v = var(i32, 0);
    for (Var i : Parallel(300)) {
      v = i;
      Variable inner = var(i32, v * 2);
      out(i) = v + inner;
    }
  });
  for (int i = 0; i < 300; ++i) EXPECT_EQ(out[i], 3 * i);
}

TEST(View, SharesStorage) {
  EXPECT_EQ(run(i32, {2, 2},
                [](Buffer out) {
                  Buffer bits = allocShared({4}, f32);
                  fill(bits, 1.0);
                  Buffer square = reshape(bits, {2, 2}), ints = view(square, {2, 2}, i32);
                  square(1, 1) = 2;
                  copy(ints, out);
                }),
            (Values{0x3f800000, 0x3f800000, 0x3f800000, 0x40000000}));
  record([] {
    Buffer a = allocShared({4}, f32, "a");
    EXPECT_ERROR(reshape(a, {3}), "`a`");
    EXPECT_ERROR(view(a, {4}, hif8), "hif8 is not an element type of tile programs");
  });
}

TEST(Alloc, Refusals) {
  ProgramBuilder p("alloc");
  Dim n = p.dim("n");
  p.input("x", f32, {n});
  EXPECT_ERROR(allocShared({4}, f32), "allocShared is used outside a kernel");
  p.kernel({1}, [&](Var) {
    EXPECT_ERROR(allocShared({n, 4}, f32, "t"), "`t` has the shape ?x4, which is not known at compile time");
    EXPECT_ERROR(allocFragment({0}, f32, "t"), "`t` has the shape 0");
    EXPECT_ERROR(allocFragment({-3}, f32, "t"), "extent -3 is below zero");
    EXPECT_ERROR(allocLocal({4}, hif8), "hif8 is not an element type of tile programs");
    EXPECT_ERROR(alloc(Space::global, {4}, f32, {.name = "g"}), "`g` is allocated in the space global");
    EXPECT_ERROR(alloc(Space::var, {4}, f32, {.name = "v"}), "`v` is a variable of rank 1");
    EXPECT_ERROR(allocShared({4}, f32, {.name = "t", .address = 64}), "`t` has a fixed address in the space shared");
    EXPECT_ERROR(allocShared({4}, u8, {.pad = -1}), "-1 is not representable in u8");
    allocL0A({16, 16}, f16, {.name = "t", .address = 0});
  });
  EXPECT_ERROR(allocShared({4}, f32), "allocShared is used outside a kernel");
  p.build();
  EXPECT_ERROR(allocShared({4}, f32), "allocShared is used outside a program");
}

TEST(Alloc, BuffersKnowWhereTheyMayBeUsed) {
  std::vector<Buffer> kept;
  record([&] {
    for (Var i : Serial(2)) kept.push_back(allocShared({4}, f32));
    EXPECT_ERROR(clear(kept[0]), "the buffer is used outside the kernel, loop or condition that allocates it");
    kept.push_back(allocShared({4}, f32));
  });
  EXPECT_ERROR(record([&] { clear(kept[1]); }), "the buffer belongs to another program than 'test'");
}

} // namespace
} // namespace tessera::tl
