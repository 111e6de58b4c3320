// Field cases: regions, slices, bounds and layouts (F01 to F10, and those of later groups that any target has).
#include "tilelang/driver/test/field_case.h"

#include "core/test/expect_error.h"

namespace tessera::field {
namespace {

using namespace tl;

/// Scans the columns [from, to) of x(rows, cols) in place in a tile.
Program windowScan(DType type, int64_t rows, int64_t cols, int64_t from, int64_t to, bool isMax, bool reverse) {
  ProgramBuilder p("window_scan");
  Buffer x = p.input("x", type, {rows, cols}), out = p.output("out", type, {rows, cols});
  p.kernel({1}, [&](Var) {
    Buffer big = allocShared({rows, cols}, type, "big");
    copy(x, big);
    ScanOptions options{.dim = 1, .reverse = reverse};
    if (isMax)
      cummax(big(all, range(from, to)), options);
    else
      cumsum(big(all, range(from, to)), options);
    copy(big, out);
  });
  return p.build();
}

TEST(FieldF01, ScanOfAColumnWindow) {
  const Values row = {3, 1, 5, 2, 9, 4, 100, 100, 6};
  struct Window {
    int64_t cols, from, to;
  };
  for (DType type : {i32, f32, bf16, u8})
    for (Window w : {Window{8, 0, 6}, {8, 1, 6}, {9, 2, 9}, {8, 3, 4}, {8, 4, 4}, {1, 0, 1}})
      for (bool isMax : {false, true})
        for (bool reverse : {false, true}) {
          if (type != i32 && (reverse || w.cols == 9)) continue;
          Values expected;
          for (int64_t r = 0; r < 4; ++r) {
            Values line(row.begin(), row.begin() + w.cols);
            for (int64_t n = 1; n < w.to - w.from; ++n) {
              int64_t at = reverse ? w.to - 1 - n : w.from + n, before = reverse ? at + 1 : at - 1;
              line[at] = isMax ? std::max(line[at], line[before]) : line[at] + line[before];
            }
            expected.insert(expected.end(), line.begin(), line.end());
          }
          Program program = windowScan(type, 4, w.cols, w.from, w.to, isMax, reverse);
          onEveryTarget(
              [&](Target &t) {
                Tensor x = t.tensor(type, {4, w.cols}, values({4, w.cols}, [&](const Shape &i) { return row[i[1]]; }));
                Tensor out = t.untouched(type, {4, w.cols});
                t.run(program, x, out);
                expectValues(out, expected);
              },
              true);
        }
}

TEST(FieldF02, FillOfAStaticSliceOfAGlobalTensor) {
  for (DType type : {i64, f16, i8}) {
    ProgramBuilder p("fill_slice");
    Buffer x = p.inout("x", type, {256});
    p.kernel({1}, [&](Var) { fill(x(range(64, 192)), 0); });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor x = t.tensor(type, {256}, Values(256, 1));
      t.run(program, x);
      expectValues(x, values({256}, [](const Shape &i) { return i[0] < 64 || i[0] >= 192; }));
    });
  }
}

TEST(FieldF02, FillOfARunTimeSlice) {
  ProgramBuilder p("fill_slice");
  Dim N = p.dim("N");
  Expr a = p.scalar("a", i64), b = p.scalar("b", i64);
  Buffer x = p.inout("x", i64, {N});
  p.kernel({1}, [&](Var) { fill(x(range(a, b)), 5); });
  Program program = p.build();
  for (auto [from, to] :
       {std::pair<int64_t, int64_t>{10, 13}, {0, 0}, {13, 10}, {0, 256}, {255, 256}, {-3, 2}, {250, 300}})
    onEveryTarget([&, from = from, to = to](Target &t) {
      Tensor x = t.tensor(i64, {256}, Values(256, 1));
      t.run(program, from, to, x);
      expectValues(x, values({256}, [&](const Shape &i) { return i[0] >= from && i[0] < to ? 5 : 1; }));
    });
}

TEST(FieldF03, ConstantSliceThatLeavesItsBuffer) {
  auto tryWith = [](const std::function<void(Buffer, Buffer)> &body) {
    ProgramBuilder p("k");
    p.kernel({1}, [&](Var) { body(allocShared({8}, i32, "a"), allocShared({6}, i32, "b")); });
    compile(p.build(), "interpreter");
  };
  const char *what = "error: region [6, 12) of dimension 0 exceeds extent 8 of `a`";
  EXPECT_ERROR(tryWith([](Buffer a, Buffer) { fill(a(range(6, 12)), 7); }), what);
  EXPECT_ERROR(tryWith([](Buffer a, Buffer) { clear(a(range(6, 12))); }), what);
  EXPECT_ERROR(tryWith([](Buffer a, Buffer b) { copy(a(range(6, 12)), b); }), what);
  EXPECT_ERROR(tryWith([](Buffer a, Buffer b) { copy(a(range(6, 12)), b); }), "field_cases_regions_test.cpp:");
  EXPECT_NO_THROW(tryWith([](Buffer a, Buffer) { fill(a(range(6, 8)), 7); }));
  EXPECT_NO_THROW(tryWith([](Buffer a, Buffer) { fill(a(range(8, 8)), 7); }));
}

TEST(FieldF04, PadValueOfATileThatHangsOverTheEdge) {
  for (bool padded : {true, false})
    for (DType type : {i32, f32}) {
      ProgramBuilder p("pad");
      Dim M = p.dim("M"), N = p.dim("N");
      Buffer A = p.input("A", type, {M, N}), out = p.output("out", type, {64, 64});
      p.kernel({1}, [&](Var) {
        Buffer T = padded ? allocShared({64, 64}, type, {.name = "T", .pad = -99}) : allocShared({64, 64}, type, "T");
        copy(A(range(0, 64), range(0, 64)), T);
        copy(T, out);
      });
      Program program = p.build();
      for (auto [m, n] : {std::pair<int64_t, int64_t>{60, 60}, {64, 64}, {63, 1}, {1, 65}, {0, 7}, {70, 63}})
        onEveryTarget([&, m = m, n = n](Target &t) {
          Tensor A = t.tensor(type, {m, n}, values({m, n}, [&](const Shape &i) { return i[0] * n + i[1]; }));
          Tensor out = t.untouched(type, {64, 64});
          t.run(program, A, out);
          expectValues(out, values({64, 64}, [&](const Shape &i) {
                         return i[0] < m && i[1] < n ? i[0] * n + i[1] : padded ? -99 : 0;
                       }));
        });
    }
}

TEST(FieldF05, ParallelLoopShorterThanTheTileItReads) {
  for (int64_t rows : {4, 3, 1, 8}) {
    ProgramBuilder p("short");
    Buffer in = p.input("S", bf16, {8}), out = p.inout("out", f32, {9, 64});
    p.kernel({1}, [&](Var) {
      Buffer S = allocShared({8}, bf16), F = allocFragment({8}, f32), D = allocShared({rows, 64}, f32);
      copy(in, S);
      copy(S, F);
      for (Var k : Serial(64))
        for (Var i : Parallel(rows)) D(i, k) = F(i);
      copy(D, out(0, 0));
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor S = t.tensor(bf16, {8}, values({8}, [](const Shape &i) { return i[0] / 4.0; }));
      Tensor out = t.untouched(f32, {9, 64});
      t.run(program, S, out);
      expectValues(out, values({9, 64}, [&](const Shape &i) { return i[0] < rows ? i[0] / 4.0 : kUntouched; }));
    });
  }
}

TEST(FieldF06, NeighbourAccessInsideARegisterTile) {
  for (int64_t n : {128, 127, 129, 1, 16}) {
    ProgramBuilder p("neighbour");
    Buffer out = p.output("out", f32, {n});
    p.kernel({1}, [&](Var) {
      Buffer F = allocFragment({n}, f32, "F");
      for (Var i : Parallel(n)) F(i) = i;
      for (Var i : Parallel(n)) out(i) = F(i) + F((i + 1) % n);
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor out = t.untouched(f32, {n});
      t.run(program, out);
      expectValues(out, values({n}, [&](const Shape &i) { return i[0] + (i[0] + 1) % n; }));
    });
  }
}

TEST(FieldF07, OddTileWidths) {
  for (int64_t width : {1, 24, 40, 48, 96, 192, 229, 257}) {
    ProgramBuilder p("odd");
    Buffer out = p.output("out", f32, {4, width});
    p.kernel({1},
             [&](Var) {
               Buffer d = allocFragment({width}, f32, "d");
               for (Var j : Parallel(width)) d(j) = j;
               for (auto [i, j] : Parallel(4, width)) out(i, j) = d(j) * 2;
             },
             {.threads = 128});
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor out = t.untouched(f32, {4, width});
      t.run(program, out);
      expectValues(out, values({4, width}, [](const Shape &i) { return 2.0 * i[1]; }));
    });
  }
}

TEST(FieldF08, ModuloIndexInATwoDimensionalLoop) {
  for (auto [k, n] : {std::pair<int64_t, int64_t>{4, 10}, {3, 7}, {1, 5}, {16, 33}}) {
    ProgramBuilder p("modulo");
    Buffer table = p.input("t", i32, {k}), C = p.output("C", i32, {4, n});
    p.kernel({1}, [&](Var) {
      for (auto [i, j] : Parallel(4, n)) C(i, j) = table(j % k);
    });
    Program program = p.build();
    onEveryTarget([&, k = k, n = n](Target &t) {
      Tensor table = t.tensor(i32, {k}, values({k}, [](const Shape &i) { return 10.0 * (i[0] + 1); }));
      Tensor C = t.untouched(i32, {4, n});
      t.run(program, table, C);
      expectValues(C, values({4, n}, [&](const Shape &i) { return 10.0 * (i[1] % k + 1); }));
    });
  }
}

TEST(FieldF09, VectorIndexThatCountsFromTheEnd) {
  ProgramBuilder p("wrap");
  Dim N = p.dim("N");
  Buffer A = p.input("A", f32, {N}), B = p.output("B", f32, {4, 4});
  p.kernel({1}, [&](Var) {
    for (Var t : Serial(4))
      for (Var lane : Vectorized(4)) B(t, lane) = A(floormod(t - 2 + lane, N));
  });
  Program program = p.build();
  for (int64_t n : {1024, 5, 1})
    onEveryTarget([&](Target &t) {
      Tensor A = t.tensor(f32, {n}, values({n}, [](const Shape &i) { return i[0]; }));
      Tensor B = t.untouched(f32, {4, 4});
      t.run(program, A, B);
      expectValues(B, values({4, 4}, [&](const Shape &i) { return ((i[0] - 2 + i[1]) % n + n) % n; }));
    });
}

TEST(FieldF10, GemmOperandThatIsAReshapedVector) {
  for (DType type : {f32, f16, bf16, f64}) {
    DType sum = type == f64 ? f64 : f32;
    ProgramBuilder p("reshaped");
    Buffer A = p.input("A", type, {256}), B = p.input("B", type, {16, 16}), C = p.output("C", sum, {16, 16});
    p.kernel({1}, [&](Var) {
      Buffer a1 = allocShared({256}, type), b = allocShared({16, 16}, type), c = allocFragment({16, 16}, sum);
      copy(A, a1);
      copy(B, b);
      clear(c);
      gemm(reshape(a1, {16, 16}), b, c);
      copy(c, C);
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor A = t.tensor(type, {256}, values({16, 16}, [](const Shape &i) { return ga(i[0], i[1]); }));
      Tensor B = t.tensor(type, {16, 16}, values({16, 16}, [](const Shape &i) { return gb(i[0], i[1]); }));
      Tensor C = t.untouched(sum, {16, 16});
      t.run(program, A, B, C);
      const double corner[3][3] = {{-1, 4, 2}, {15, 7, -8}, {-9, 5, 12}};
      for (int64_t i = 0; i < 3; ++i)
        for (int64_t j = 0; j < 3; ++j) EXPECT_EQ(C.at({i, j}), corner[i][j]);
    });
  }
}

} // namespace
} // namespace tessera::field
