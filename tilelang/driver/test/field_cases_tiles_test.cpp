// Field cases first met on a chip, as far as every target has their operations: copies at odd offsets, windows, loops
// of any trip count, planning and whole-tile arithmetic (F48 to F57, F63, F66, F74, F75, F77, F79).
#include "tilelang/driver/test/field_case.h"

#include "core/test/expect_error.h"

#include <cmath>

namespace tessera::field {
namespace {

using namespace tl;

TEST(FieldF48, ColumnSliceOfAGlobalTensor) {
  ProgramBuilder p("column");
  Dim M = p.dim("M");
  Expr row = p.scalar("row", i64);
  Buffer A = p.input("A", f32, {M, 8}), out = p.output("out", f32, {2, 4});
  p.kernel({1}, [&](Var) {
    Buffer u = allocShared({4}, f32, "u"), v = allocShared({4}, f32, "v");
    copy(A(range(2, 6), 3), u);
    copy(A(window(row, 4), 7), v);
    copy(u, out(0, all));
    copy(v, out(1, all));
  });
  Program program = p.build();
  onEveryTarget([&](Target &t) {
    for (auto [m, from] : {std::pair<int64_t, int64_t>{8, 1}, {8, 6}, {8, -2}, {5, 0}, {0, 0}}) {
      Tensor A = t.tensor(f32, {m, 8}, values({m, 8}, [](const Shape &i) { return 10 * i[0] + i[1]; })),
             out = t.untouched(f32, {2, 4});
      t.run(program, from, A, out);
      expectValues(out, values({2, 4}, [&, m = m, from = from](const Shape &i) {
                     int64_t r = (i[0] == 0 ? 2 : from) + i[1];
                     return r >= 0 && r < m ? 10 * r + (i[0] == 0 ? 3 : 7) : 0;
                   }));
    }
  });
}

TEST(FieldF49, SubTileCopiesAtAnyOffset) {
  for (auto [type, size] : {std::pair{f32, 8}, {bf16, 16}, {i16, 16}, {i8, 5}}) {
    int64_t rows = 3 * size, cols = 5 * size;
    ProgramBuilder p("subtiles");
    Buffer in = p.input("x", type, {rows, cols}), out = p.output("y", type, {rows, cols});
    p.kernel({1}, [&, type = type, size = size](Var) {
      Buffer x = allocShared({rows, cols}, type, "x"), y = allocShared({rows, cols}, type, "y"),
             tile = allocShared({size, size}, type, "tile");
      copy(in, x);
      for (Var i : Serial(3))
        for (Var j : Serial(5)) {
          copy(x(i * size, j * size), tile);
          copy(tile, y(i * size, j * size));
        }
      copy(y, out);
    });
    Program program = p.build();
    onEveryTarget([&, type = type](Target &t) {
      Values content = values({rows, cols}, [&](const Shape &i) { return (40 * i[0] + i[1]) % 128; });
      Tensor x = t.tensor(type, {rows, cols}, content), y = t.untouched(type, {rows, cols});
      t.run(program, x, y);
      expectValues(y, content);
    });
  }
}

TEST(FieldF50, RowStoresOfOddWidth) {
  for (int64_t width : {1, 7, 126, 127}) {
    ProgramBuilder p("rows");
    Buffer Y = p.inout("Y", f32, {2, 3, 4, width});
    p.kernel({4, 3, 2}, [&](Var h, Var c, Var n) {
      Buffer u = allocShared({width}, f32, "u");
      for (Var j : Parallel(width)) u(j) = cast(1000 * ((n * 3 + c) * 4 + h) + j, f32);
      copy(u, Y(n, c, h, 0));
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor Y = t.untouched(f32, {2, 3, 4, width});
      t.run(program, Y);
      expectValues(
          Y, values({2, 3, 4, width}, [](const Shape &i) { return 1000 * ((i[0] * 3 + i[1]) * 4 + i[2]) + i[3]; }));
    });
  }
}

TEST(FieldF51, CompactRowsIntoPaddedRows) {
  for (DType type : {f32, i32, f16}) {
    ProgramBuilder p("padded");
    Buffer in = p.input("src", type, {5, 4}), rows = p.output("dst", type, {5, 8}), most = p.output("max", type, {5});
    p.kernel({1}, [&](Var) {
      Buffer src = allocShared({5, 4}, type), dst = allocShared({5, 8}, type), top = allocFragment({5}, type);
      copy(in, src);
      clear(dst);
      for (auto [g, i] : Parallel(5, 4)) dst(g, i) = src(g, i);
      reduceMax(dst, top);
      copy(dst, rows);
      copy(top, most);
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor src = t.tensor(type, {5, 4}, values({5, 4}, [](const Shape &i) { return 10 * i[0] + i[1] + 1; }));
      Tensor dst = t.untouched(type, {5, 8}), top = t.untouched(type, {5});
      t.run(program, src, dst, top);
      expectValues(dst, values({5, 8}, [](const Shape &i) { return i[1] < 4 ? 10 * i[0] + i[1] + 1 : 0; }));
      expectValues(top, {4, 14, 24, 34, 44});
    });
  }
}

TEST(FieldF52, TileOperationsOnAColumnWindow) {
  for (DType type : {f32, f16})
    for (auto [from, to] : {std::pair<int64_t, int64_t>{8, 40}, {1, 9}, {0, 64}, {63, 64}}) {
      int64_t width = to - from;
      ProgramBuilder p("window_add");
      Buffer in = p.input("a", type, {4, 64}), out = p.output("d", type, {4, 64});
      p.kernel({1}, [&, from = from, to = to](Var) {
        Buffer a = allocShared({4, 64}, type), b = allocShared({4, width}, type), d = allocShared({4, 64}, type);
        copy(in, a);
        fill(b, 1);
        fill(d, -1);
        copy(a(all, range(from, to)), d(all, range(from, to)));
        for (auto [i, j] : Parallel(4, width)) d(i, from + j) += b(i, j);
        copy(d, out);
      });
      Program program = p.build();
      onEveryTarget([&, from = from, to = to](Target &t) {
        Tensor a = t.tensor(type, {4, 64}, values({4, 64}, [](const Shape &i) { return 64 * i[0] + i[1]; })),
               d = t.untouched(type, {4, 64});
        t.run(program, a, d);
        expectValues(
            d, values({4, 64}, [&](const Shape &i) { return i[1] >= from && i[1] < to ? 64 * i[0] + i[1] + 1 : -1; }));
      });
    }
}

TEST(FieldF53, BroadcastOfAOneColumnTile) {
  for (int64_t m : {1, 2, 4, 7}) {
    ProgramBuilder p("broadcast");
    Buffer in = p.input("src", f32, {m, 1}), out = p.output("out", f32, {m, 8}), twice = p.output("twice", f32, {m, 1});
    p.kernel({1}, [&](Var) {
      Buffer src = allocShared({m, 1}, f32), wide = allocShared({m, 8}, f32), sum = allocShared({m, 1}, f32);
      copy(in, src);
      for (auto [i, j] : Parallel(m, 8)) wide(i, j) = src(i, 0);
      for (Var i : Parallel(m)) sum(i, 0) = src(i, 0) + src(i, 0);
      copy(wide, out);
      copy(sum, twice);
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor src = t.tensor(f32, {m, 1}, values({m, 1}, [](const Shape &i) { return i[0] + 1; }));
      Tensor out = t.untouched(f32, {m, 8}), twice = t.untouched(f32, {m, 1});
      t.run(program, src, out, twice);
      expectValues(out, values({m, 8}, [](const Shape &i) { return i[0] + 1; }));
      expectValues(twice, values({m, 1}, [](const Shape &i) { return 2 * (i[0] + 1); }));
    });
  }
}

TEST(FieldF54, ExplicitMemoriesRunEverywhere) {
  ProgramBuilder p("spaces");
  Buffer A = p.input("A", f16, {64, 64}), out = p.output("out", f16, {64, 64});
  p.kernel({1}, [&](Var) {
    Buffer l1 = allocL1({64, 64}, f16, {.name = "l1"}), ub = allocUb({64, 64}, f16, {.name = "ub"});
    copy(A, l1);
    copy(l1, ub);
    copy(ub, out);
  });
  Program program = p.build();
  EXPECT_NE(program.text().find("#tile.space<l1>"), std::string::npos);
  onEveryTarget([&](Target &t) {
    Values content = values({64, 64}, [](const Shape &i) { return i[0] - i[1]; });
    Tensor A = t.tensor(f16, {64, 64}, content), out = t.untouched(f16, {64, 64});
    t.run(program, A, out);
    expectValues(out, content);
  });
}

TEST(FieldF55, StoreToGlobalMemoryThenLoadItAgain) {
  for (int64_t n : {64, 63, 1}) {
    ProgramBuilder p("store_load");
    Buffer x = p.input("x", f32, {n}), out = p.inout("out", f32, {n});
    p.kernel({1}, [&](Var) {
      Buffer u = allocShared({n}, f32, "u"), w = allocShared({n}, f32, "w");
      copy(x, u);
      for (Var i : Parallel(n)) u(i) += 1;
      copy(u, out);
      copy(out, w);
      for (Var i : Parallel(n)) w(i) += 1;
      copy(w, out);
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor x = t.tensor(f32, {n}, values({n}, [](const Shape &i) { return i[0]; })), out = t.untouched(f32, {n});
      t.run(program, x, out);
      expectValues(out, values({n}, [](const Shape &i) { return i[0] + 2; }));
    });
  }
}

TEST(FieldF56, RowLoopWithConversion) {
  for (auto [rows, cols] : {std::pair<int64_t, int64_t>{64, 128}, {1, 127}, {3, 1}}) {
    ProgramBuilder p("rows");
    Buffer A = p.input("A", f16, {rows, cols}), B = p.output("B", f16, {rows, cols});
    p.kernel({1}, [&, rows = rows, cols = cols](Var) {
      Buffer src = allocShared({rows, cols}, f16), dst = allocShared({rows, cols}, f16),
             row = allocShared({1, cols}, f32);
      copy(A, src);
      for (Var i : Serial(rows)) {
        copy(src(window(i, 1), all), row);
        copy(row, dst(window(i, 1), all));
      }
      copy(dst, B);
    });
    Program program = p.build();
    onEveryTarget([&, rows = rows, cols = cols](Target &t) {
      Values content = values({rows, cols}, [](const Shape &i) { return i[0] - i[1] * 0.5; });
      Tensor A = t.tensor(f16, {rows, cols}, content), B = t.untouched(f16, {rows, cols});
      t.run(program, A, B);
      expectValues(B, content);
    });
  }
}

TEST(FieldF57, PipelineForAnyTripCount) {
  for (int64_t stages : {0, 2, 3, 4}) {
    ProgramBuilder p("pipeline");
    Expr start = p.scalar("start", i64), stop = p.scalar("stop", i64);
    Buffer A = p.input("A", f16, {8, 16, 16}), out = p.inout("out", f32, {8, 16, 16}),
           visits = p.inout("visits", i32, {8});
    p.kernel({1}, [&](Var) {
      Buffer a = allocShared({16, 16}, f16), eye = allocShared({16, 16}, f16), w = allocFragment({16, 16}, f32);
      for (auto [i, j] : Parallel(16, 16)) eye(i, j) = select(i == j, 1.0, 0.0);
      for (Var k : Pipelined(start, stop, {.stages = stages})) {
        copy(A(k, all, all), a);
        gemm(a, eye, w, {.clear = true});
        copy(w, out(k, all, all));
        visits(k) += 1;
      }
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      for (auto [from, to] : {std::pair<int64_t, int64_t>{0, 1}, {0, 3}, {0, 5}, {2, 7}, {0, 7}, {0, 0}, {5, 3}}) {
        Shape cube = {8, 16, 16};
        Tensor A = t.tensor(f16, cube, values(cube, [](const Shape &i) { return i[0]; }));
        Tensor out = t.untouched(f32, cube), visits = t.tensor(i32, {8}, Values(8, 0));
        t.run(program, from, to, A, out, visits);
        expectValues(out, values(cube, [&](const Shape &i) {
                       return i[0] >= from && i[0] < to ? static_cast<double>(i[0]) : kUntouched;
                     }));
        expectValues(visits, values({8}, [&](const Shape &i) { return i[0] >= from && i[0] < to; }));
      }
    });
  }
}

TEST(FieldF63, ATileThatLivesAcrossALoop) {
  // Sizes at which only tiles that are never alive together may share bytes.
  for (int64_t n : {1024, 65536, 1}) {
    ProgramBuilder p("across");
    Buffer out = p.output("out", i32, {n});
    p.kernel({1}, [&](Var) {
      Buffer x = allocShared({n}, i32, "x"), acc = allocShared({n}, i32, "acc");
      fill(x, 3);
      clear(acc);
      for (Var k : Serial(4)) {
        Buffer t = allocShared({n}, i32, "t"), u = allocShared({n}, i32, "u");
        fill(t, k);
        for (Var i : Parallel(n)) u(i) = x(i) * t(i);
        for (Var i : Parallel(n)) acc(i) += u(i);
      }
      copy(acc, out);
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor out = t.untouched(i32, {n});
      t.run(program, out);
      expectValues(out, Values(n, 18));
    });
  }
}

TEST(FieldF66, TwoTilesWithTheSameName) {
  ProgramBuilder p("macro");
  Buffer out = p.output("y", i32, {8});
  p.kernel({1}, [&](Var) {
    Buffer y = allocShared({8}, i32, "y");
    clear(y);
    auto macro = [&](int c) {
      Buffer tmp = allocShared({8}, i32, "tmp");
      fill(tmp, c);
      for (Var i : Parallel(8)) y(i) += tmp(i);
    };
    macro(1);
    macro(10);
    copy(y, out);
  });
  Program program = p.build();
  onEveryTarget([&](Target &t) {
    Tensor y = t.untouched(i32, {8});
    t.run(program, y);
    expectValues(y, Values(8, 11));
  });
}

TEST(FieldF74, OperandsOfDifferentSize) {
  ProgramBuilder p("sizes");
  p.kernel({1}, [&](Var) {
    Buffer a = allocShared({256}, f32, "a"), b = allocShared({128}, f32, "b");
    EXPECT_ERROR(copy(a, b), "shapes differ: `a` (256) vs `b` (128)");
  });
}

TEST(FieldF75, InPlaceCompoundFunctions) {
  ProgramBuilder p("silu");
  Buffer x = p.inout("x", f32, {5}), apart = p.output("apart", f32, {5}), power = p.output("power", f32, {5});
  p.kernel({1}, [&](Var) {
    Buffer s = allocShared({5}, f32), o = allocShared({5}, f32), d = allocShared({5}, f32);
    copy(x, s);
    for (Var i : Parallel(5)) o(i) = s(i) * sigmoid(s(i));
    for (Var i : Parallel(5)) s(i) = s(i) * sigmoid(s(i));
    for (Var i : Parallel(5)) d(i) = pow(x(i), 2);
    copy(o, apart);
    copy(s, x);
    copy(d, power);
  });
  Program program = p.build();
  const Values input = {-1, 0, 1, 8, -20},
               expected = {-0.2689414213699951, 0, 0.7310585786300049, 7.997317198956269, -4.122307244877116e-8};
  onEveryTarget([&](Target &t) {
    Tensor x = t.tensor(f32, {5}, input), apart = t.untouched(f32, {5}), power = t.untouched(f32, {5});
    t.run(program, x, apart, power);
    for (int64_t i = 0; i < 5; ++i) {
      EXPECT_NEAR(x.at({i}), expected[i], 1e-6 * std::abs(expected[i]));
      EXPECT_EQ(x.at({i}), apart.at({i}));
    }
    expectValues(power, {1, 0, 1, 64, 400});
  });
}

TEST(FieldF77, GatherFromALargerSource) {
  for (int64_t n : {16, 1, 33}) {
    ProgramBuilder p("gather");
    Buffer in = p.input("src", f32, {1024}), off = p.input("off", u32, {n}), out = p.output("dst", f32, {n});
    p.kernel({1}, [&](Var) {
      Buffer src = allocShared({1024}, f32), dst = allocShared({n}, f32);
      copy(in, src);
      for (Var j : Parallel(n)) dst(j) = src(off(j) / 4);
      copy(dst, out);
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor src = t.tensor(f32, {1024}, values({1024}, [](const Shape &i) { return i[0]; }));
      Tensor off = t.tensor(u32, {n}, values({n}, [](const Shape &i) { return 4 * (61 * i[0] % 1024); })),
             dst = t.untouched(f32, {n});
      t.run(program, src, off, dst);
      expectValues(dst, values({n}, [](const Shape &i) { return 61 * i[0] % 1024; }));
    });
  }
}

TEST(FieldF79, RaggedTailWithRunTimeSlices) {
  ProgramBuilder p("tail");
  Dim N = p.dim("N");
  Buffer A = p.input("A", f32, {N}), B = p.input("B", f32, {N}), C = p.output("C", f32, {N});
  p.kernel({ceildiv(N, 1024)}, [&](Var b) {
    Buffer u = allocShared({1024}, f32, "u"), w = allocShared({1024}, f32, "w");
    Expr valid = min(1024, N - b * 1024);
    copy(A(window(b * 1024, valid)), u(range(0, valid)));
    copy(B(window(b * 1024, valid)), w(range(0, valid)));
    for (Var i : Parallel(valid)) u(i) += w(i);
    copy(u(range(0, valid)), C(window(b * 1024, valid)));
  });
  Program program = p.build();
  onEveryTarget([&](Target &t) {
    for (int64_t n : {13243, 1024, 1023, 1025, 1, 0}) {
      Tensor A = t.tensor(f32, {n}, values({n}, [](const Shape &i) { return i[0]; })),
             B = t.tensor(f32, {n}, Values(n, 1)), C = t.untouched(f32, {n});
      t.run(program, A, B, C);
      expectValues(C, values({n}, [](const Shape &i) { return i[0] + 1; }));
    }
  });
}

} // namespace
} // namespace tessera::field
