// Programs that users of tile languages met in the field: regions, pipelines, products and numbers.
#include "tilelang/dsl/test/run.h"

namespace tessera::tl {
namespace {

using Values = std::vector<double>;

int ga(int64_t i, int64_t k) { return static_cast<int>((i + k) % 5) - 2; }
int gb(int64_t k, int64_t j) { return static_cast<int>((2 * k + j) % 7) - 3; }

Tensor filled(DType type, std::vector<int64_t> shape, const std::function<double(int64_t, int64_t)> &value) {
  Tensor tensor = Tensor::empty(type, shape);
  for (int64_t i = 0; i < shape[0]; ++i)
    for (int64_t j = 0; j < shape[1]; ++j) tensor.set({i, j}, value(i, j));
  return tensor;
}

TEST(Field, ParallelLoopShorterThanTheTileItReads) { // F05
  Values out = run(f32, {5, 64}, [](Buffer out) {
    Buffer s = allocShared({8}, bf16), f = allocFragment({8}, f32), d = allocShared({4, 64}, f32);
    for (Var i : Parallel(8)) s(i) = i * 0.25;
    copy(s, f);
    for (Var k : Serial(64))
      for (Var i : Parallel(4)) d(i, k) = f(i);
    copy(d, out(0, 0));
  });
  for (int i = 0; i < 5 * 64; ++i) {
    int block = i / 64;
    EXPECT_EQ(out[i], i < 256 ? block * 0.25 : kUntouched);
  }
}

TEST(Field, NeighbourAccessInsideARegisterTile) { // F06
  Values out = run(i32, {128}, [](Buffer out) {
    Buffer f = allocFragment({128}, i32);
    for (Var i : Parallel(128)) f(i) = i;
    for (Var i : Parallel(128)) out(i) = f(i) + f((i + 1) % 128);
  });
  for (int i = 0; i < 128; ++i) EXPECT_EQ(out[i], i == 127 ? 127 : 2 * i + 1);
}

TEST(Field, OddTileWidths) { // F07
  for (int width : {1, 24, 40, 48, 96, 192, 229, 257}) {
    Values out = run(f32, {4, width}, [&](Buffer out) {
      Buffer d = allocFragment({width}, f32);
      for (Var j : Parallel(width)) d(j) = j;
      for (auto [i, j] : Parallel(4, width)) out(i, j) = d(j) * 2;
    });
    for (int i = 0; i < 4 * width; ++i) ASSERT_EQ(out[i], i % width * 2) << width;
  }
}

TEST(Field, OneScratchTileUsedTwiceAnIteration) { // F22
  Tensor a = filled(i32, {6, 4}, [](int64_t k, int64_t) { return k + 1; });
  Tensor b = filled(i32, {6, 4}, [](int64_t k, int64_t) { return 10 * (k + 1); });
  for (int stages = 0; stages <= 3; ++stages) {
    ProgramBuilder p("scratch");
    Buffer A = p.input("A", i32, {6, 4}), B = p.input("B", i32, {6, 4}), out = p.output("out", i32, {4});
    p.kernel({1}, [&](Var) {
      Buffer s = allocShared({4}, i32), acc = allocFragment({4}, i32);
      clear(acc);
      for (Var k : Pipelined(6, {.stages = stages})) {
        copy(A(k, all), s);
        for (Var i : Parallel(4)) acc(i) += s(i);
        copy(B(k, all), s);
        for (Var i : Parallel(4)) acc(i) += 2 * s(i);
      }
      copy(acc, out);
    });
    onEveryTarget(p.build(), {a, b, Tensor::zeros(i32, {4})},
                  [](const std::vector<Argument> &arguments) { EXPECT_EQ(doubles(arguments[2]), Values(4, 441)); });
  }
}

/// c = a . b in blocks with a pipelined loop; `byHand` stages b element by element.
Program blockedGemm(DType in, int64_t block, int64_t bk, int64_t stages, bool byHand = false) {
  ProgramBuilder p("gemm");
  Dim M = p.dim("M"), N = p.dim("N"), K = p.dim("K");
  Buffer A = p.input("A", in, {M, K}), B = p.input("B", in, {K, N}), C = p.output("C", f32, {M, N});
  p.kernel({ceildiv(N, block), ceildiv(M, block)}, [&](Var bx, Var by) {
    Buffer As = allocShared({block, bk}, in), Bs = allocShared({bk, block}, in),
           acc = allocFragment({block, block}, f32);
    clear(acc);
    for (Var ko : Pipelined(ceildiv(K, bk), {.stages = stages})) {
      copy(A(by * block, ko * bk), As);
      if (!byHand)
        copy(B(ko * bk, bx * block), Bs);
      else
        for (auto [k, j] : Parallel(bk, block)) Bs(k, j) = B(ko * bk + k, bx * block + j);
      gemm(As, Bs, acc);
    }
    copy(acc, C(by * block, bx * block));
  });
  return p.build();
}

/// Compares with a triple loop; every product and sum is an integer that all types hold.
void checkGemm(const Program &program, DType in, int64_t m, int64_t n, int64_t k) {
  SCOPED_TRACE(std::string(name(in)) + " " + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k));
  Tensor a = filled(in, {m, k}, ga), b = filled(in, {k, n}, gb), c = Tensor::empty(f32, {m, n});
  c.fill(kUntouched);
  onEveryTarget(program, {a, b, c}, [&](const std::vector<Argument> &arguments) {
    Values got = doubles(arguments[2]);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t x = 0; x < k; ++x) sum += ga(i, x) * gb(x, j);
        ASSERT_EQ(got[i * n + j], sum) << i << ' ' << j;
      }
  });
}

TEST(Field, PipelinedGemmWithOneHandStagedOperand) { // F23
  for (int stages = 0; stages <= 3; ++stages) checkGemm(blockedGemm(f16, 32, 32, stages, true), f16, 64, 64, 64);
}

TEST(Field, GemmTailsOfOneAndZero) { // F24
  Program program = blockedGemm(f16, 64, 32, 2);
  for (int64_t k : {33, 1, 0}) checkGemm(program, f16, 128, 128, k);
}

TEST(Field, GemmTilesOfUnusualSize) { // F25
  struct Case {
    DType type, sum;
    int64_t k;
  };
  for (Case c : {Case{f16, f32, 8},
                 {f16, f32, 24},
                 {f16, f32, 40},
                 {f16, f32, 56},
                 {i8, i32, 8},
                 {i8, i32, 16},
                 {i8, i32, 24},
                 {bf16, f32, 8},
                 {e4m3, f32, 16}}) {
    Values out = run(c.sum, {64, 64}, [&](Buffer out) {
      Buffer a = allocShared({64, c.k}, c.type), b = allocShared({c.k, 64}, c.type),
             acc = allocFragment({64, 64}, c.sum);
      fill(a, 1);
      fill(b, 1);
      gemm(a, b, acc, {.clear = true});
      copy(acc, out);
    });
    EXPECT_EQ(out, Values(64 * 64, static_cast<double>(c.k))) << name(c.type);
  }
}

TEST(Field, GemmInF32) { // F67
  Tensor a = filled(f32, {16, 16}, [](int64_t i, int64_t k) { return i + k; });
  Tensor b = filled(f32, {16, 16}, [](int64_t k, int64_t j) { return k - j; });
  onEveryTarget(blockedGemm(f32, 16, 16, 0), {a, b, Tensor::empty(f32, {16, 16})},
                [](const std::vector<Argument> &arguments) {
                  Values c = doubles(arguments[2]);
                  EXPECT_EQ(c[0], 1240);
                  EXPECT_EQ(c[15], -560);
                  EXPECT_EQ(c[15 * 16], 3040);
                  EXPECT_EQ(c[15 * 16 + 15], -2360);
                });
  checkGemm(blockedGemm(f32, 32, 16, 2), f32, 64, 64, 64);
}

TEST(Field, GemmWithATransposed) { // F68
  Tensor a = filled(bf16, {64, 128}, [](int64_t k, int64_t i) { return (k + 2 * i) % 5 - 2; });
  Tensor b = filled(bf16, {64, 64}, [](int64_t k, int64_t j) { return (3 * k + j) % 7 - 3; });
  ProgramBuilder p("transposed");
  Buffer A = p.input("A", bf16, {64, 128}), B = p.input("B", bf16, {64, 64}), C = p.output("C", f32, {128, 64});
  p.kernel({1}, [&](Var) {
    Buffer As = allocShared({64, 128}, bf16), Bs = allocShared({64, 64}, bf16), acc = allocFragment({128, 64}, f32);
    copy(A, As);
    copy(B, Bs);
    gemm(As, Bs, acc, {.transposeA = true, .clear = true});
    copy(acc, C);
  });
  onEveryTarget(p.build(), {a, b, Tensor::empty(f32, {128, 64})}, [](const std::vector<Argument> &arguments) {
    Values c = doubles(arguments[2]);
    EXPECT_EQ(c[0], 5);
    EXPECT_EQ(c[1 * 64 + 2], 10);
    EXPECT_EQ(c[127 * 64 + 63], -7);
  });
}

TEST(Field, AtomicAddFromTheAccumulatorToBf16) { // F70
  Tensor a = filled(bf16, {16, 32}, ga), b = filled(bf16, {32, 16}, gb), o = Tensor::zeros(bf16, {16, 16});
  ProgramBuilder p("parts");
  Buffer A = p.input("A", bf16, {16, 32}), B = p.input("B", bf16, {32, 16}), O = p.inout("O", bf16, {16, 16});
  p.kernel({2}, [&](Var part) {
    Buffer As = allocShared({16, 16}, bf16), Bs = allocShared({16, 16}, bf16), acc = allocFragment({16, 16}, f32);
    copy(A(0, part * 16), As);
    copy(B(part * 16, 0), Bs);
    gemm(As, Bs, acc, {.clear = true});
    atomicAdd(O(0, 0), acc);
  });
  onEveryTarget(p.build(), {a, b, o}, [](const std::vector<Argument> &arguments) {
    Values got = doubles(arguments[2]);
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j) {
        int sum = 0;
        for (int k = 0; k < 32; ++k) sum += ga(i, k) * gb(k, j);
        EXPECT_EQ(got[i * 16 + j], sum);
      }
  });
}

TEST(Field, ATileThatLivesAcrossALoop) { // F63
  EXPECT_EQ(run(i32, {64},
                [](Buffer out) {
                  Buffer x = allocShared({64}, i32, "x"), acc = allocFragment({64}, i32, "acc");
                  fill(x, 3);
                  clear(acc);
                  for (Var k : Serial(4)) {
                    Buffer t = allocShared({64}, i32, "t");
                    fill(t, k);
                    for (Var i : Parallel(64)) acc(i) += x(i) * t(i);
                  }
                  copy(acc, out);
                }),
            Values(64, 18));
}

TEST(Field, TwoTilesOfOneName) { // F66
  EXPECT_EQ(run(i32, {4},
                [](Buffer out) {
                  clear(out);
                  auto add = [&](int c) {
                    Buffer tmp = allocShared({4}, i32, "tmp");
                    fill(tmp, c);
                    for (Var i : Parallel(4)) out(i) += tmp(i);
                  };
                  add(1);
                  add(10);
                }),
            Values(4, 11));
}

TEST(Field, StoreToGlobalMemoryThenLoadItAgain) { // F55
  Tensor x = filled(f32, {1, 8}, [](int64_t, int64_t j) { return j; });
  ProgramBuilder p("again");
  Buffer X = p.input("x", f32, {1, 8}), out = p.inout("out", f32, {1, 8});
  p.kernel({1}, [&](Var) {
    Buffer u = allocUb({1, 8}, f32), w = allocUb({1, 8}, f32);
    copy(X, u);
    for (auto [i, j] : Parallel(1, 8)) u(i, j) += 1;
    copy(u, out);
    copy(out, w);
    for (auto [i, j] : Parallel(1, 8)) w(i, j) += 1;
    copy(w, out);
  });
  onEveryTarget(p.build(), {x, Tensor::zeros(f32, {1, 8})}, [](const std::vector<Argument> &arguments) {
    EXPECT_EQ(doubles(arguments[1]), (Values{2, 3, 4, 5, 6, 7, 8, 9}));
  });
}

TEST(Field, SubTileCopiesAtAnyOffset) { // F49
  for (auto [type, side] : {std::pair<DType, int>{f32, 8}, {bf16, 4}, {i16, 4}}) {
    Tensor x = filled(type, {24, 40}, [](int64_t r, int64_t c) { return (40 * r + c) % 256; });
    ProgramBuilder p("tiles");
    Buffer X = p.input("x", type, {24, 40}), Y = p.output("y", type, {24, 40});
    p.kernel({1}, [&](Var) {
      Buffer ub = allocUb({24, 40}, type), tile = allocUb({side, side}, type), y = allocUb({24, 40}, type);
      copy(X, ub);
      for (Var ti : Serial(24 / side))
        for (Var tj : Serial(40 / side)) {
          copy(ub(ti * side, tj * side), tile);
          copy(tile, y(ti * side, tj * side));
        }
      copy(y, Y);
    });
    onEveryTarget(p.build(), {x, Tensor::zeros(type, {24, 40})},
                  [&](const std::vector<Argument> &arguments) { EXPECT_EQ(doubles(arguments[1]), doubles(x)); });
  }
}

TEST(Field, RowStoresOfAnyWidth) { // F50
  for (int width : {126, 1, 7, 127}) {
    Tensor y = Tensor::empty(f32, {2, 3, 4, width});
    y.fill(-1);
    ProgramBuilder p("rows");
    Buffer Y = p.inout("Y", f32, {2, 3, 4, width});
    p.kernel({4, 3, 2}, [&](Var h, Var c, Var n) {
      Buffer u = allocUb({width}, f32);
      for (Var j : Parallel(width)) u(j) = 1000 * ((n * 3 + c) * 4 + h) + j;
      copy(u, Y(n, c, h, 0));
    });
    onEveryTarget(p.build(), {y}, [&](const std::vector<Argument> &arguments) {
      Values got = doubles(arguments[0]);
      for (int i = 0; i < 24 * width; ++i) ASSERT_EQ(got[i], 1000 * (i / width) + i % width);
    });
  }
}

TEST(Field, CompactRowsIntoPaddedRows) { // F51
  Values out = run(f32, {6, 8}, [](Buffer out) {
    Buffer src = allocShared({5, 4}, f32), dst = allocShared({5, 8}, f32), top = allocFragment({5}, f32);
    for (auto [g, i] : Parallel(5, 4)) src(g, i) = 10 * g + i + 1;
    clear(dst);
    for (auto [g, i] : Parallel(5, 4)) dst(g, i) = src(g, i);
    reduceMax(dst, top);
    copy(dst, out(0, 0));
    copy(top, out(5, range(0, 5)));
  });
  for (int i = 0; i < 40; ++i) EXPECT_EQ(out[i], i % 8 < 4 ? 10 * (i / 8) + i % 8 + 1 : 0);
  EXPECT_EQ(Values(out.begin() + 40, out.begin() + 45), (Values{4, 14, 24, 34, 44}));
}

TEST(Field, OperationsOnAColumnWindow) { // F52
  for (DType type : {f32, f16})
    for (auto [from, to] : {std::pair{8, 40}, {1, 9}}) {
      Values out = run(type, {4, 64}, [&](Buffer out) {
        Buffer a = allocUb({4, 64}, type), d = allocUb({4, 64}, type);
        for (auto [r, c] : Parallel(4, 64)) a(r, c) = 64 * r + c;
        fill(d, -1);
        copy(a(all, range(from, to)), d(all, range(from, to)));
        for (auto [r, c] : Parallel(4, to - from)) d(r, c + from) += 1;
        copy(d, out);
      });
      for (int i = 0; i < 256; ++i) EXPECT_EQ(out[i], i % 64 >= from && i % 64 < to ? i + 1 : -1);
    }
}

TEST(Field, BroadcastOfAOneColumnTile) { // F53
  for (int rows : {1, 2, 4, 7}) {
    Values out = run(f32, {rows, 8}, [&](Buffer out) {
      Buffer src = allocShared({rows, 1}, f32);
      for (Var i : Parallel(rows)) src(i, 0) = i + 1;
      for (auto [i, j] : Parallel(rows, 8)) out(i, j) = src(i, 0) + src(i, 0);
    });
    for (int i = 0; i < 8 * rows; ++i) EXPECT_EQ(out[i], 2 * (i / 8 + 1));
  }
}

TEST(Field, ABarrierInABranch) { // F61: here the values; barriers are the business of targets that have them
  for (int n : {0, 1}) {
    ProgramBuilder p("branch");
    Buffer out = p.output("out", f32, {8});
    Expr count = p.scalar("n", i32);
    p.kernel({1}, [&](Var) {
      Buffer a = allocUb({8}, f32), b = allocUb({8}, f32), c = allocUb({8}, f32), d = allocUb({8}, f32);
      fill(a, 1);
      If(count > 0, [&] {
        fill(b, 2);
        for (Var i : Parallel(8)) c(i) = b(i) + b(i);
      });
      for (Var i : Parallel(8)) d(i) = a(i) + a(i);
      copy(d, out);
    });
    onEveryTarget(p.build(), {Tensor::zeros(f32, {8}), int64_t(n)},
                  [](const std::vector<Argument> &arguments) { EXPECT_EQ(doubles(arguments[0]), Values(8, 2)); });
  }
}

TEST(Field, InPlaceCompoundFunctions) { // F75
  const double x[5] = {-1, 0, 1, 8, -20};
  for (bool inPlace : {true, false}) {
    Values out = run(
        f32, {5},
        [&](Buffer out) {
          Buffer a = allocShared({5}, f32), d = inPlace ? a : allocShared({5}, f32);
          for (int i = 0; i < 5; ++i) a(i) = x[i];
          for (Var i : Parallel(5)) d(i) = a(i) * sigmoid(a(i));
          copy(d, out);
        },
        Agreement::nearly);
    for (int i = 0; i < 5; ++i) {
      double exact = x[i] / (1 + std::exp(-x[i]));
      EXPECT_NEAR(out[i], exact, 1e-6 * std::abs(exact));
    }
  }
}

TEST(Field, RaggedTailWithRunTimeSlices) { // F79
  constexpr int64_t kLength = 13243, kBlock = 1024;
  Tensor a = filled(f32, {1, kLength}, [](int64_t, int64_t i) { return i; }).reshape({kLength});
  ProgramBuilder p("ragged");
  Dim n = p.dim("n");
  Buffer A = p.input("A", f32, {n}), C = p.output("C", f32, {n});
  p.kernel({ceildiv(n, kBlock)}, [&](Var b) {
    for (Var half : Serial(2)) { // as two vector cores share a block
      Expr from = b * kBlock + half * (kBlock / 2), valid = clamp(n - from, 0, kBlock / 2);
      Buffer u = allocUb({kBlock / 2}, f32);
      copy(A(window(from, valid)), u(window(0, valid)));
      for (Var i : Parallel(valid)) u(i) = (u(i) + 1) * 1;
      copy(u(window(0, valid)), C(window(from, valid)));
    }
  });
  Tensor c = Tensor::empty(f32, {kLength});
  c.fill(kUntouched);
  onEveryTarget(p.build(), {a, c}, [](const std::vector<Argument> &arguments) {
    Values got = doubles(arguments[1]);
    for (int64_t i = 0; i < kLength; ++i) ASSERT_EQ(got[i], i + 1);
  });
}

} // namespace
} // namespace tessera::tl
