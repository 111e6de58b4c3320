// Field cases: products of tiles (F24, F25, F67 to F70).
#include "tilelang/driver/test/field_case.h"

namespace tessera::field {
namespace {

using namespace tl;

DType sumType(DType in) { return in == i8 || in == u8 ? i32 : in == f64 ? f64 : f32; }

struct Blocks {
  int64_t m, n, k;
  bool transposeA = false, transposeB = false;
};

Program blockedGemm(DType in, Blocks block) {
  DType sum = sumType(in);
  ProgramBuilder p("gemm");
  Dim M = p.dim("M"), N = p.dim("N"), K = p.dim("K");
  Buffer A = p.input("A", in, block.transposeA ? tl::Shape{K, M} : tl::Shape{M, K});
  Buffer B = p.input("B", in, block.transposeB ? tl::Shape{N, K} : tl::Shape{K, N});
  Buffer C = p.output("C", sum, {M, N});
  p.kernel({ceildiv(N, block.n), ceildiv(M, block.m)}, [&](Var bx, Var by) {
    Buffer As = allocShared(block.transposeA ? tl::Shape{block.k, block.m} : tl::Shape{block.m, block.k}, in, "As");
    Buffer Bs = allocShared(block.transposeB ? tl::Shape{block.n, block.k} : tl::Shape{block.k, block.n}, in, "Bs");
    Buffer acc = allocFragment({block.m, block.n}, sum, "acc");
    clear(acc);
    for (Var k : Pipelined(ceildiv(K, block.k), {.stages = 2})) {
      block.transposeA ? copy(A(k * block.k, by * block.m), As) : copy(A(by * block.m, k * block.k), As);
      block.transposeB ? copy(B(bx * block.n, k * block.k), Bs) : copy(B(k * block.k, bx * block.n), Bs);
      gemm(As, Bs, acc, {.transposeA = block.transposeA, .transposeB = block.transposeB});
    }
    copy(acc, C(by * block.m, bx * block.n));
  });
  return p.build();
}

using Element = std::function<double(int64_t, int64_t)>;

/// Runs C = A . B for A[i, k] and B[k, j] and compares with the triple loop.
Tensor runGemm(Target &t, const Program &program, DType in, Blocks block, std::array<int64_t, 3> mnk,
               const Element &a = ga, const Element &b = gb) {
  auto [m, n, k] = mnk;
  Shape shapeA = block.transposeA ? Shape{k, m} : Shape{m, k}, shapeB = block.transposeB ? Shape{n, k} : Shape{k, n};
  Tensor A = t.tensor(in, shapeA,
                      values(shapeA, [&](const Shape &i) { return block.transposeA ? a(i[1], i[0]) : a(i[0], i[1]); }));
  Tensor B = t.tensor(in, shapeB,
                      values(shapeB, [&](const Shape &i) { return block.transposeB ? b(i[1], i[0]) : b(i[0], i[1]); }));
  Tensor C = t.untouched(sumType(in), {m, n});
  t.run(program, A, B, C);
  expectValues(C, values({m, n}, [&, depth = k](const Shape &i) {
                 double sum = 0;
                 for (int64_t x = 0; x < depth; ++x) sum += a(i[0], x) * b(x, i[1]);
                 return sum;
               }));
  return C;
}

void expectCorner(const Tensor &C, const double (&corner)[3][3]) {
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 3; ++j) EXPECT_EQ(C.at({i, j}), corner[i][j]) << i << ' ' << j;
}

TEST(FieldF24, KTailOfOneAndKOfZero) {
  for (DType type : {f16, bf16, f32, f64, i8, e4m3}) {
    Program program = blockedGemm(type, {64, 64, 32});
    onEveryTarget([&](Target &t) {
      Tensor C = runGemm(t, program, type, {64, 64, 32}, {128, 128, 33});
      expectCorner(C, {{-4, -7, 4}, {4, 4, -10}, {2, 5, 1}});
      EXPECT_EQ(C.at({127, 127}), 5);
      for (int64_t k : {0, 1, 31, 32, 64}) runGemm(t, program, type, {64, 64, 32}, {65, 63, k});
      runGemm(t, program, type, {64, 64, 32}, {1, 129, 2});
      runGemm(t, program, type, {64, 64, 32}, {0, 5, 7});
    });
  }
}

TEST(FieldF25, KTilesOfUnusualSize) {
  struct Tile {
    DType type;
    int64_t k;
  };
  for (Tile tile : {Tile{f16, 8},
                    {f16, 24},
                    {f16, 40},
                    {f16, 56},
                    {i8, 8},
                    {i8, 16},
                    {i8, 24},
                    {bf16, 8},
                    {e4m3, 16},
                    {f32, 7},
                    {bf16, 1}}) {
    ProgramBuilder p("ones");
    Buffer A = p.input("A", tile.type, {64, tile.k}), B = p.input("B", tile.type, {tile.k, 64}),
           C = p.output("C", sumType(tile.type), {64, 64});
    p.kernel({1}, [&](Var) {
      Buffer a = allocShared({64, tile.k}, tile.type), b = allocShared({tile.k, 64}, tile.type),
             c = allocFragment({64, 64}, sumType(tile.type));
      copy(A, a);
      copy(B, b);
      gemm(a, b, c, {.clear = true});
      copy(c, C);
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      SCOPED_TRACE(std::string(name(tile.type)) + " " + std::to_string(tile.k));
      Tensor A = t.tensor(tile.type, {64, tile.k}, Values(64 * tile.k, 1)),
             B = t.tensor(tile.type, {tile.k, 64}, Values(64 * tile.k, 1));
      Tensor C = t.untouched(sumType(tile.type), {64, 64});
      t.run(program, A, B, C);
      expectValues(C, Values(64 * 64, static_cast<double>(tile.k)));
    });
  }
}

TEST(FieldF67, F32GemmOfWholeNumbers) {
  for (bool transposeB : {false, true}) {
    Blocks small{16, 16, 16, false, transposeB}, large{64, 64, 64, false, transposeB};
    Program smallProgram = blockedGemm(f32, small), largeProgram = blockedGemm(f32, large);
    onEveryTarget([&](Target &t) {
      Tensor C = runGemm(
          t, smallProgram, f32, small, {16, 16, 16}, [](int64_t i, int64_t k) { return i + k; },
          [](int64_t k, int64_t j) { return k - j; });
      EXPECT_EQ(C.at({0, 0}), 1240);
      EXPECT_EQ(C.at({0, 15}), -560);
      EXPECT_EQ(C.at({15, 0}), 3040);
      EXPECT_EQ(C.at({15, 15}), -2360);
      runGemm(t, largeProgram, f32, large, {64, 64, 64});
      runGemm(t, largeProgram, f32, large, {63, 65, 66});
    });
  }
}

TEST(FieldF68, GemmWithATransposed) {
  auto a = [](int64_t i, int64_t k) -> double { return (k + 2 * i) % 5 - 2; };
  auto b = [](int64_t k, int64_t j) -> double { return (3 * k + j) % 7 - 3; };
  for (DType type : {f16, f32, i8}) {
    Blocks block{128, 64, 64, true};
    Program program = blockedGemm(type, block);
    onEveryTarget([&](Target &t) {
      Tensor C = runGemm(t, program, type, block, {128, 64, 64}, a, b);
      EXPECT_EQ(C.at({0, 0}), 5);
      EXPECT_EQ(C.at({1, 2}), 10);
      EXPECT_EQ(C.at({127, 63}), -7);
      runGemm(t, program, type, block, {127, 65, 63}, a, b);
    });
  }
}

TEST(FieldF69, FewerTilesThanCores) {
  Blocks block{128, 256, 64};
  Program program = blockedGemm(f16, block);
  onEveryTarget(
      [&](Target &t) {
        Tensor C = runGemm(t, program, f16, block, {512, 512, 512});
        expectCorner(C, {{-5, -1, 10}, {12, -3, -11}, {-1, 0, 8}});
      },
      true);
}

TEST(FieldF70, AtomicAddFromAnAccumulatorToBf16) {
  for (DType type : {bf16, f16, f32}) {
    ProgramBuilder p("split");
    Buffer A = p.input("A", f16, {16, 32}), B = p.input("B", f16, {32, 16}), O = p.inout("O", type, {16, 16});
    p.kernel({2}, [&](Var half) {
      Buffer a = allocShared({16, 16}, f16), b = allocShared({16, 16}, f16), c = allocFragment({16, 16}, f32);
      copy(A(0, half * 16), a);
      copy(B(half * 16, 0), b);
      gemm(a, b, c, {.clear = true});
      atomicAdd(O, c);
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor A = t.tensor(f16, {16, 32}, values({16, 32}, [](const Shape &i) { return ga(i[0], i[1]); }));
      Tensor B = t.tensor(f16, {32, 16}, values({32, 16}, [](const Shape &i) { return gb(i[0], i[1]); }));
      Tensor O = t.tensor(type, {16, 16}, Values(256, 1));
      t.run(program, A, B, O);
      expectValues(O, values({16, 16}, [](const Shape &i) {
                     double sum = 1;
                     for (int64_t k = 0; k < 32; ++k) sum += ga(i[0], k) * gb(k, i[1]);
                     return sum;
                   }));
    });
  }
}

} // namespace
} // namespace tessera::field
