// Tile operations through the language: that each does what its declaration says, and refuses what it must.
#include "tilelang/dsl/test/run.h"

namespace tessera::tl {
namespace {

using Values = std::vector<double>;

int ga(int i, int k) { return (i + k) % 5 - 2; }
int gb(int k, int j) { return (2 * k + j) % 7 - 3; }

TEST(Copy, PadsWhatHangsOverTheEdge) { // field case F04
  Tensor a = Tensor::empty(DType::i32, {6, 6}), out = Tensor::empty(DType::i32, {8, 8});
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 6; ++c) a.set({r, c}, r * 6 + c);
  enum class By { none, buffer, copy };
  for (By by : {By::none, By::buffer, By::copy}) {
    ProgramBuilder p("pad");
    Buffer A = p.input("A", i32, {6, 6}), O = p.output("O", i32, {8, 8});
    p.kernel({1}, [&](Var) {
      Buffer t = by == By::buffer ? allocShared({8, 8}, i32, {.pad = -99}) : allocShared({8, 8}, i32);
      if (by == By::copy)
        copy(A(0, 0), t, {.pad = -99});
      else
        copy(A(0, 0), t);
      copy(t, O);
    });
    onEveryTarget(p.build(), {a, out}, [&](const std::vector<Argument> &arguments) {
      std::vector<double> got = doubles(arguments[1]);
      for (int r = 0; r < 8; ++r)
        for (int c = 0; c < 8; ++c)
          EXPECT_EQ(got[r * 8 + c], r < 6 && c < 6 ? r * 6 + c : by == By::none ? 0 : -99) << r << ' ' << c;
    });
  }
}

TEST(Copy, ConvertsAndClips) {
  EXPECT_EQ(run(i8, {4},
                [](Buffer out) {
                  Buffer a = allocShared({4}, f32);
                  a(0) = -1.5, a(1) = 2.7, a(2) = 300.0, a(3) = 0.0;
                  copy(a, out, {.relu = true});
                }),
            (Values{0, 2, 127, 0}));
}

TEST(Copy, Refusals) {
  record([] {
    Buffer a = allocShared({4, 8}, f32, "a"), b = allocShared({4, 9}, f32, "b");
    EXPECT_ERROR(copy(a, b), "shapes differ: `a` (4x8) vs `b` (4x9)");
    EXPECT_ERROR(copy(a, a, {.pad = 1e39}), "1e+39 is not representable in f32");
  });
  ProgramBuilder p("outside");
  Buffer a = p.input("a", f32, {4}), b = p.output("b", f32, {4});
  EXPECT_ERROR(copy(a, b), "copy is used outside a kernel");
}

TEST(Fill, OfBytes) { // field case F32
  EXPECT_EQ(run(i8, {33}, [](Buffer out) { fill(out, -37); }), Values(33, -37));
  EXPECT_EQ(run(u8, {33}, [](Buffer out) { fill(out, 213); }), Values(33, 213));
  EXPECT_EQ(run(i8, {33}, [](Buffer out) { fill(out, loaded(i8, -37)); }), Values(33, -37));
  EXPECT_EQ(run(i8, {3}, [](Buffer out) { clear(out); }), Values(3, 0));
  EXPECT_ERROR(record([] { fill(allocShared({4}, u8), -37); }), "-37 is not representable in u8");
}

TEST(Gemm, AllForms) {
  for (bool transposeA : {false, true})
    for (bool transposeB : {false, true})
      for (int mode : {0, 1, 2}) { // add, clear, clear by a condition
        std::vector<double> out = run(i32, {4, 6}, [&](Buffer out) {
          Buffer a = transposeA ? allocShared({5, 4}, i8) : allocShared({4, 5}, i8);
          Buffer b = transposeB ? allocShared({6, 5}, i8) : allocShared({5, 6}, i8);
          Buffer c = allocFragment({4, 6}, i32);
          for (int i = 0; i < 4; ++i)
            for (int k = 0; k < 5; ++k) (transposeA ? a(k, i) : a(i, k)) = ga(i, k);
          for (int k = 0; k < 5; ++k)
            for (int j = 0; j < 6; ++j) (transposeB ? b(j, k) : b(k, j)) = gb(k, j);
          fill(c, 1000);
          GemmOptions options{.transposeA = transposeA, .transposeB = transposeB};
          if (mode == 1) options = {.transposeA = transposeA, .transposeB = transposeB, .clear = true};
          for (Var step : Serial(2)) {
            if (mode == 2)
              gemm(a, b, c, {.transposeA = transposeA, .transposeB = transposeB, .clear = step == 0});
            else
              gemm(a, b, c, options);
          }
          copy(c, out);
        });
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 6; ++j) {
            int sum = 0;
            for (int k = 0; k < 5; ++k) sum += ga(i, k) * gb(k, j);
            EXPECT_EQ(out[i * 6 + j], mode == 0 ? 1000 + 2 * sum : mode == 1 ? sum : 2 * sum);
          }
      }
}

TEST(Gemm, OfAReshapedTile) { // field case F10
  std::vector<double> out = run(f32, {16, 16}, [](Buffer out) {
    Buffer flat = allocShared({256}, f16), b = allocShared({16, 16}, f16), c = allocFragment({16, 16}, f32);
    for (auto [i, k] : Parallel(16, 16)) flat(i * 16 + k) = (i + k) % 5 - 2;
    for (auto [k, j] : Parallel(16, 16)) b(k, j) = (2 * k + j) % 7 - 3;
    gemm(reshape(flat, {16, 16}), b, c, {.clear = true});
    copy(c, out);
  });
  const int expected[3][3] = {{-1, 4, 2}, {15, 7, -8}, {-9, 5, 12}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_EQ(out[i * 16 + j], expected[i][j]);
}

TEST(Gemm, Refusals) {
  record([] {
    Buffer a = allocShared({4, 32}, bf16, "a"), b = allocShared({64, 8}, bf16, "b"),
           c = allocFragment({4, 8}, f32, "c");
    Buffer h = allocShared({32, 8}, f16, "h"), v = allocShared({32}, bf16, "v"), w = allocFragment({4, 9}, f32, "w");
    EXPECT_ERROR(gemm(a, b, c), "K extents differ: 32 vs 64");
    EXPECT_ERROR(gemm(a, h, c), "gemm of bf16 by f16 into f32 is not supported");
    EXPECT_ERROR(gemm(a, v, c), "gemm operand b, `v` (32), has rank 1");
    EXPECT_ERROR(gemm(h, h, w, {.transposeA = true}), "M extents differ: 8 vs 4");
    EXPECT_ERROR(gemm(a, a, w, {.transposeB = true}), "N extents differ: 4 vs 9");
    EXPECT_ERROR(gemm(a, a, c, {.transposeB = true, .clear = 1}), "a condition has the type i32, not bool");
  });
}

TEST(Reduce, EveryKind) {
  auto reduced = [](DType type, DType to, std::vector<double> x, auto reduce, ReduceOptions options = {}) {
    return run(to, {1}, [&](Buffer out) {
      Buffer a = allocShared({1, static_cast<int64_t>(x.size())}, type), r = allocFragment({1}, to);
      for (size_t i = 0; i < x.size(); ++i) a(0, i) = x[i];
      fill(r, 1);
      reduce(a, r, options, At::current());
      copy(r, out);
    })[0];
  };
  Values x = {3, -5, 4, 1};
  EXPECT_EQ(reduced(f32, f32, x, reduceSum), 3);
  EXPECT_EQ(reduced(f32, f32, x, reduceMax), 4);
  EXPECT_EQ(reduced(f32, f32, x, reduceMin), -5);
  EXPECT_EQ(reduced(f32, f32, x, reduceAbsSum), 13);
  EXPECT_EQ(reduced(f32, f32, x, reduceAbsMax), 5);
  EXPECT_EQ(reduced(f32, f32, x, reduceSum, {.clear = false}), 4);
  EXPECT_EQ(reduced(i32, i32, {12, 10, 14}, reduceBitAnd), 8);
  EXPECT_EQ(reduced(i32, i32, {12, 10, 1}, reduceBitOr), 15);
  EXPECT_EQ(reduced(i32, i32, {12, 10, 1}, reduceBitXor), 7);
  EXPECT_EQ(reduced(i32, boolean, {0, 3, 0}, reduceAny), 1);
  EXPECT_EQ(reduced(i32, boolean, {0, 3, 0}, reduceAll), 0);
  EXPECT_EQ(reduced(u8, u8, {200, 100}, reduceAbsSum), 44); // field case F29
  EXPECT_EQ(reduced(u32, u32, {3000000000, 5}, reduceAbsMax), 3000000000);
  EXPECT_TRUE(std::isnan(reduced(f32, f32, {1, kNaN, 2}, reduceMax, {.nanPropagate = true}))); // F28
  EXPECT_EQ(reduced(f32, f32, {1, kNaN, 2}, reduceMax), 2);
  EXPECT_EQ(reduced(f16, f16, Values(4096, 1), reduceSum), 4096) << "f16 is summed in f32"; // F71
  EXPECT_EQ(reduced(f16, f32, Values(4096, 1), reduceSum), 4096);
}

TEST(Reduce, EitherDimensionAndKeptOnes) {
  auto sums = [](int dim, Shape to) {
    int64_t extent = dim == 0 || dim == -2 ? 3 : 2;
    return run(i32, {extent}, [&](Buffer out) {
      Buffer a = allocShared({2, 3}, i32), r = allocShared(to, i32);
      for (auto [i, j] : Parallel(2, 3)) a(i, j) = 10 * i + j;
      reduceSum(a, r, {.dim = dim});
      copy(r, out);
    });
  };
  EXPECT_EQ(sums(0, {3}), (Values{10, 12, 14}));
  EXPECT_EQ(sums(-2, {1, 3}), (Values{10, 12, 14}));
  EXPECT_EQ(sums(-1, {2}), (Values{3, 33}));
  EXPECT_EQ(sums(1, {2, 1}), (Values{3, 33}));
  EXPECT_ERROR(sums(2, {2}), "dim 2 of a tile (2x3) does not exist");
  EXPECT_ERROR(sums(-3, {3}), "dim -1 of a tile (2x3) does not exist");
  EXPECT_ERROR(sums(1, {3}), "does not fit a tile (3)");
}

TEST(Reduce, IntoAVariable) {
  EXPECT_EQ(run(i32, {1},
                [](Buffer out) {
                  Buffer a = allocShared({5}, i32);
                  for (Var i : Parallel(5)) a(i) = i;
                  Variable sum = var(i32);
                  reduceSum(a, sum);
                  out(0) = sum;
                }),
            (Values{10}));
}

TEST(Scan, OfAWindowInPlace) { // field case F01
  auto scanned = [](auto scan, std::vector<int> row, bool reverse) {
    return run(i32, {2, 8}, [&](Buffer out) {
      Buffer big = allocShared({2, 8}, i32);
      fill(big, 100);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 6; ++j) big(i, j) = row[j];
      scan(big(range(0, 2), range(0, 6)), {.dim = 1, .reverse = reverse}, At::current());
      copy(big, out);
    });
  };
  auto sum = [](const Tile &t, const ScanOptions &o, const At &at) { cumsum(t, o, at); };
  auto maximum = [](const Tile &t, const ScanOptions &o, const At &at) { cummax(t, o, at); };
  auto twice = [](Values row) {
    row.insert(row.end(), row.begin(), row.end());
    return row;
  };
  EXPECT_EQ(scanned(sum, {1, 1, 1, 1, 1, 1}, false), twice({1, 2, 3, 4, 5, 6, 100, 100}));
  EXPECT_EQ(scanned(sum, {1, 1, 1, 1, 1, 1}, true), twice({6, 5, 4, 3, 2, 1, 100, 100}));
  EXPECT_EQ(scanned(maximum, {3, 1, 5, 2, 9, 4}, false), twice({3, 3, 5, 5, 9, 9, 100, 100}));
}

TEST(Scan, IntoAnotherTile) {
  EXPECT_EQ(run(i32, {3},
                [](Buffer out) {
                  Buffer a = allocShared({3}, i32), b = allocShared({3}, i32);
                  for (Var i : Parallel(3)) a(i) = i + 1;
                  cumsum(a, b);
                  cummax(a, a, {.dim = -1});
                  copy(b, out);
                }),
            (Values{1, 3, 6}));
}

TEST(Transpose, SwapsTheLastTwo) {
  EXPECT_EQ(run(i32, {3, 2},
                [](Buffer out) {
                  Buffer a = allocShared({2, 3}, i32);
                  for (auto [i, j] : Parallel(2, 3)) a(i, j) = 10 * i + j;
                  transpose(a, out(0, 0)); // the corner takes the swapped extents
                }),
            (Values{0, 10, 1, 11, 2, 12}));
  EXPECT_ERROR(record([] { transpose(allocShared({2, 3}, i32), allocShared({2, 3}, i32)); }),
               "shapes differ: 3x2 (transposed) vs a tile (2x3)");
}

TEST(Atomic, OfAnElementGivesTheOldValue) { // field case F16
  for (int cap : {64, 10}) {
    std::vector<double> out = run(i32, {66}, [&](Buffer out) {
      out(64) = 0;
      for (Var i : Parallel(64)) {
        Expr p = atomicAdd(out(64), 1);
        If(p < cap, [&] { out(p) = i; });
      }
    });
    EXPECT_EQ(out[64], 64);
    std::vector<bool> seen(64);
    for (int i = 0; i < cap; ++i) {
      EXPECT_FALSE(seen.at(static_cast<size_t>(out[i])));
      seen[static_cast<size_t>(out[i])] = true;
    }
    for (int i = cap; i < 64; ++i) EXPECT_EQ(out[i], kUntouched);
  }
}

TEST(Atomic, Converts) { // field case F30
  for (DType type : {f16, bf16})
    EXPECT_EQ(run(type, {8},
                  [](Buffer out) {
                    Buffer a = allocFragment({8}, f32);
                    for (Var i : Parallel(8)) a(i) = i + 0.5;
                    clear(out);
                    for (Var i : Parallel(8)) atomicAdd(out(i), a(i));
                  }),
              (Values{0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5}));
}

TEST(Atomic, OfHalfPrecisionGivesTheOldValue) {
  for (DType type : {f16, bf16})
    EXPECT_EQ(run(type, {6},
                  [](Buffer out) {
                    clear(out);
                    out(1) = atomicAdd(out(0), 2.5);
                    out(2) = atomicMax(out(0), 4);
                    out(3) = atomicMin(out(0), -1);
                    for (Var i : Parallel(2)) out(4 + i) = atomicAdd(out(0), 0.5 + i);
                  }),
              (Values{1, 0, 2.5, 4, -1, -0.5}));
}

TEST(Atomic, OfTilesAndExtremes) {
  EXPECT_EQ(run(f16, {6},
                [](Buffer out) {
                  Buffer a = allocShared({4}, f32);
                  for (Var i : Parallel(4)) a(i) = i + 1;
                  clear(out);
                  atomicAdd(out(1), a);              // corner
                  atomicAdd(out(range(1, 5)), a);    // window
                  atomicAdd(out(4), a(range(0, 2))); // a window as the source
                  atomicMax(out(0), 7);
                  atomicMin(out(5), -3);
                }),
            (Values{7, 2, 4, 6, 9, -3}))
      << "out(4) = 8 + 1, out(5) = min(2, -3)";
  record([] {
    Buffer a = allocShared({4}, f32, "a"), e = allocShared({4}, e4m3, "e");
    EXPECT_ERROR(atomicAdd(a, a), "atomic update of `a` (4) in the space shared");
    EXPECT_ERROR(atomicAdd(e(0), 1), "atomic add on `e` of type e4m3");
  });
}

TEST(Control, AssumeAssertPrintDump) {
  ProgramBuilder p("print");
  Buffer a = p.input("a", f32, {2});
  Expr n = p.scalar("n", i32);
  p.kernel({1}, [&](Var b) {
    assume(n > 0);
    print("block %d of %d: %g%%\n", b, n, a(0));
    print("done\n");
    dump("a", a);
    deviceAssert(n < 5, "n is too large");
    EXPECT_ERROR(print("%d", a(0)), "conversion %d does not fit value 0 of type f32");
    EXPECT_ERROR(print("%d"), "has 1 conversions for 0 values");
    EXPECT_ERROR(print("%s", n), "has an unknown conversion at position 0");
    EXPECT_ERROR(deviceAssert(n, "no bool"), "a condition has the type i32, not bool");
    EXPECT_ERROR(assume(n), "a condition has the type i32, not bool");
  });
  Program program = p.build();
  std::vector<Argument> arguments = {Tensor::fromVector<float>({1.5, 2.5}), int64_t(3)};
  for (const std::string &target : kTargets) {
    SCOPED_TRACE(target);
    std::string printed;
    CompileOptions options{.useCache = false, .print = [&](std::string_view text) { printed += text; }};
    Kernel kernel = compile(program, target, options);
    arguments[1] = int64_t(3);
    kernel.run(arguments);
    EXPECT_THAT(printed, testing::StartsWith("block 0 of 3: 1.5%\ndone\n"));
    EXPECT_THAT(printed, testing::HasSubstr("2.5"));
    arguments[1] = int64_t(6);
    EXPECT_ERROR(kernel.run(arguments), "n is too large");
  }
}

TEST(Control, Swizzle) {
  ProgramBuilder p("swizzle");
  p.kernel({4, 4}, [&](Var, Var) {
    for (Var i : Serial(2)) swizzle(2, true);
    EXPECT_ERROR(swizzle(0), "swizzle panel is 0");
  });
  std::string text = p.build().text();
  EXPECT_THAT(text, testing::HasSubstr("swizzle = 2"));
  EXPECT_THAT(text, testing::HasSubstr("swizzleColumns"));
}

TEST(Sync, ExpertOperations) {
  ProgramBuilder p("sync");
  p.kernel({2}, [&](Var) {
    scope(Core::vector, [&] {
      setFlag(Pipe::mte2, Pipe::v, 3);
      waitFlag(Pipe::mte2, Pipe::v, 3);
      pipeBarrier(Pipe::v);
      setCrossFlag(Pipe::mte3, 2);
      EXPECT_ERROR(scope(Core::cube, [] {}), "scope inside a scope");
    });
    waitCrossFlag(2);
    waitCrossFlag(2, Pipe::mte2);
    barrierAll();
    syncAll();
    EXPECT_ERROR(setFlag(Pipe::v, Pipe::v, 0), "flag from pipe v to itself");
    EXPECT_ERROR(setCrossFlag(Pipe::v, 1, 3), "cross-core flag mode 3 does not exist");
  });
  std::string text = p.build().text();
  for (const char *part :
       {"tile.scope +vector", "tile.set_flag +mte2, +v, %c3", "tile.wait_flag +mte2, +v, %c3", "tile.pipe_barrier +v",
        "tile.set_cross_flag +mte3, %c2 mode 2", "tile.wait_cross_flag %c2\n", "tile.wait_cross_flag %c2, +mte2",
        "tile.barrier_all", "tile.sync_all"})
    EXPECT_THAT(text, testing::ContainsRegex(part));
  EXPECT_ERROR(run(i32, {1}, [](Buffer) { setFlag(Pipe::v, Pipe::mte3, 8); }), "flag id 8 does not exist");
  EXPECT_ERROR(syncAll(), "syncAll is used outside a program");
}

} // namespace
} // namespace tessera::tl
