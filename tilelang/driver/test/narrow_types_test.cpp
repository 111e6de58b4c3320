// e2m1 and e8m0 as users meet them: tensors of two elements per byte, scales, checks of calls, many threads.
#include "core/numbers.h"
#include "core/test/expect_error.h"
#include "tilelang/driver/compile.h"
#include "tilelang/driver/overlap.h"
#include "tilelang/dsl/tl.h"

#include <array>
#include <cmath>

namespace tessera::tl {
namespace {

std::vector<std::string> targets() { return {"interpreter", "cpu"}; }

/// y = code * 2^(scale - 127) for one scale to `group` columns.
Program dequantized(DType to, int64_t group) {
  ProgramBuilder p("dequantized");
  Dim M = p.dim("M"), N = p.dim("N");
  Buffer X = p.input("X", e2m1, {M, N}), S = p.input("S", e8m0, {M, ceildiv(N, group)});
  Buffer Y = p.output("Y", to, {M, N});
  p.kernel({M}, [&](Var i) {
    for (Var j : Parallel(N)) Y(i, j) = X(i, j) * S(i, j / group);
  });
  return p.build();
}

TEST(NarrowTypes, ScaledCodesOfEveryKind) {
  for (const std::string &target : targets())
    for (DType to : {f32, bf16}) {
      Kernel kernel = compile(dequantized(to, 5), target);
      for (int64_t n : {1, 16, 37}) {
        Tensor x = Tensor::empty(e2m1, {16, n}), s = Tensor::empty(e8m0, {16, ceildiv(n, 5)}),
               y = Tensor::empty(to, {16, n});
        for (int64_t i = 0; i < 16; ++i)
          for (int64_t j = 0; j < n; ++j) x.set({i, j}, decode(e2m1, static_cast<uint64_t>(i + j) % 16));
        s.fillRandom(2, 0x1p-20, 0x1p10);
        kernel(x, s, y);
        for (int64_t i = 0; i < 16; ++i)
          for (int64_t j = 0; j < n; ++j)
            ASSERT_EQ(y.at({i, j}), x.at({i, j}) * s.at({i, j / 5})) << target << " " << i << ", " << j;
      }
    }
}

TEST(NarrowTypes, ScalesAtTheirLimits) {
  ProgramBuilder p("scales");
  Dim N = p.dim("N");
  Buffer S = p.input("S", e8m0, {N}), Y = p.output("Y", f32, {N});
  p.kernel({1}, [&](Var) {
    for (Var i : Parallel(N)) Y(i) = cast(S(i), f32);
  });
  Program program = p.build();
  Tensor codes = Tensor::empty(u8, {256}), y = Tensor::empty(f32, {256});
  for (int64_t i = 0; i < 256; ++i) codes.set({i}, static_cast<double>(i));
  for (const std::string &target : targets()) {
    compile(program, target)(codes.bitcast(e8m0), y);
    for (int64_t i = 0; i < 255; ++i) ASSERT_EQ(y.at({i}), std::ldexp(1.0, static_cast<int>(i) - 127)) << target;
    EXPECT_TRUE(std::isnan(y.at({255}))) << target;
  }
}

/// What copies put from outside is a value of the destination, also where the source has no zero.
TEST(NarrowTypes, CopiesOfScalesPadWithZero) {
  for (bool fused : {false, true}) {
    ProgramBuilder p("padded");
    Dim N = p.dim("N");
    Buffer S = p.input("S", e8m0, {N}), Y = p.output("Y", f32, {40});
    p.kernel({1}, [&](Var) {
      Buffer s = allocShared({40}, f32, "s"), t = allocFragment({40}, f32, "t");
      copy(S(range(0, 40)), s);
      if (!fused) clear(t);
      for (Var i : Parallel(40)) t(i) = fused ? s(i) * 2 : s(39 - i) * 2;
      copy(t, Y);
    });
    Program program = p.build();
    for (const std::string &target : targets()) {
      Tensor scales = Tensor::empty(e8m0, {21}), y = Tensor::empty(f32, {40});
      scales.fill(0x1p60);
      compile(program, target)(scales, y);
      for (int64_t i = 0; i < 40; ++i) {
        int64_t from = fused ? i : 39 - i;
        EXPECT_EQ(y.at({i}), from < 21 ? 0x1p61 : 0) << target << " " << i;
      }
    }
  }
}

TEST(NarrowTypes, StoresRoundToNearestEvenAndSaturate) {
  ProgramBuilder p("narrowed");
  Dim N = p.dim("N");
  Buffer X = p.input("X", f32, {N}), Y = p.output("Y", e2m1, {N}), Z = p.output("Z", e2m1, {N});
  p.kernel({1}, [&](Var) {
    copy(X, Y);
    for (Var i : Parallel(N)) Z(i) = X(i);
  });
  Program program = p.build();
  std::vector<float> x = {0.25f, 0.26f, 0.75f, 1.25f, 1.75f, 2.5f, 3.5f, 5, 5.1f, 100, -INFINITY, NAN, -0.2f};
  std::vector<double> rounded = {0, 0.5, 1, 1, 2, 2, 4, 4, 6, 6, -6, 6, -0.0};
  auto n = static_cast<int64_t>(x.size());
  for (const std::string &target : targets()) {
    Tensor y = Tensor::empty(e2m1, {n}), z = Tensor::empty(e2m1, {n});
    compile(program, target)(Tensor::fromVector(x), y, z);
    for (int64_t i = 0; i < n; ++i) {
      EXPECT_EQ(y.at({i}), rounded[static_cast<size_t>(i)]) << target << " " << x[static_cast<size_t>(i)];
      EXPECT_EQ(std::signbit(y.at({i})), std::signbit(rounded[static_cast<size_t>(i)])) << target;
      EXPECT_EQ(z.at({i}), y.at({i})) << target;
    }
  }
}

/// Every block writes the elements of its own number modulo the count of blocks: no byte is written by one alone.
TEST(NarrowTypes, BlocksShareBytes) {
  constexpr int64_t kBlocks = 7;
  ProgramBuilder p("interleaved");
  Dim N = p.dim("N");
  Buffer X = p.input("X", e2m1, {N, kBlocks}), Y = p.output("Y", e2m1, {N, kBlocks});
  p.kernel({kBlocks}, [&](Var b) {
    for (Var i : Parallel(N)) Y(i, b) = X(i, b);
  });
  Kernel kernel = compile(p.build(), "cpu", {.threads = 2});
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Tensor x = Tensor::empty(e2m1, {999, kBlocks}), y = Tensor::zeros(e2m1, {999, kBlocks});
    x.fillRandom(seed, -6, 6);
    kernel(x, y);
    for (int64_t i = 0; i < 999 * kBlocks; ++i)
      ASSERT_EQ(y.at({i / kBlocks, i % kBlocks}), x.at({i / kBlocks, i % kBlocks})) << "seed " << seed;
  }
}

/// Unscaled weights go straight into a bf16 operand, zeros from outside.
TEST(NarrowTypes, CopiesIntoGemmOperands) {
  for (bool transposed : {false, true}) {
    ProgramBuilder p("weights");
    Dim M = p.dim("M"), N = p.dim("N"), K = p.dim("K");
    Buffer A = p.input("A", bf16, {M, K}), W = transposed ? p.input("W", e2m1, {N, K}) : p.input("W", e2m1, {K, N});
    Buffer C = p.output("C", f32, {M, N});
    p.kernel({ceildiv(N, 32), ceildiv(M, 32)}, [&](Var bx, Var by) {
      Buffer a = allocShared({32, 48}, bf16, "a"), acc = allocFragment({32, 32}, f32, "acc");
      Buffer w = transposed ? allocShared({32, 48}, bf16, "w") : allocShared({48, 32}, bf16, "w");
      clear(acc);
      for (Var k : Pipelined(ceildiv(K, 48), {.stages = 2})) {
        copy(A(by * 32, k * 48), a);
        if (transposed)
          copy(W(bx * 32, k * 48), w);
        else
          copy(W(k * 48, bx * 32), w);
        gemm(a, w, acc, {.transposeB = transposed});
      }
      copy(acc, C(by * 32, bx * 32));
    });
    Program program = p.build();
    for (const std::string &target : targets())
      for (auto [m, n, k] : {std::array<int64_t, 3>{32, 32, 48}, {1, 1, 1}, {35, 37, 51}, {33, 64, 100}}) {
        Tensor a = Tensor::empty(bf16, {m, k}), c = Tensor::empty(f32, {m, n});
        Tensor w = transposed ? Tensor::empty(e2m1, {n, k}) : Tensor::empty(e2m1, {k, n});
        a.fillRandom(1, -8, 8);
        a = a.to(i8).to(bf16); // integers: sums are exact
        w.fillRandom(2, -6, 6);
        compile(program, target)(a, w, c);
        for (int64_t i = 0; i < m; ++i)
          for (int64_t j = 0; j < n; ++j) {
            double sum = 0;
            for (int64_t x = 0; x < k; ++x) sum += a.at({i, x}) * (transposed ? w.at({j, x}) : w.at({x, j}));
            ASSERT_EQ(c.at({i, j}), sum) << target << " " << i << ", " << j << " of " << m << "x" << n << "x" << k;
          }
      }
  }
}

TEST(NarrowTypes, CallsCheckPackedTensors) {
  ProgramBuilder p("packed");
  Dim N = p.dim("N");
  Buffer X = p.input("X", e2m1, {N}), Y = p.output("Y", e2m1, {N});
  p.kernel({1}, [&](Var) { copy(X, Y); });
  Kernel kernel = compile(p.build(), "cpu");
  Tensor x = Tensor::zeros(e2m1, {9}), bytes = Tensor::zeros(u8, {8});
  EXPECT_ERROR(kernel(x, bytes), "has element type u8, expected e2m1");
  EXPECT_ERROR(kernel(x, Tensor::zeros(e2m1, {8})), "has extent 8 in dimension 0, expected N = 9");
  // Eight elements are four bytes.
  auto at = [&](int64_t byte) { return Tensor::view(static_cast<char *>(bytes.mutableData()) + byte, e2m1, {8}); };
  EXPECT_ERROR(kernel(at(0), at(3)), "shares memory with argument `X`");
  kernel(at(0), at(4));
  Tensor rows = Tensor::view(bytes.mutableData(), e2m1, {2, 3}, {3, 1}), same = rows;
  EXPECT_EQ(overlap(rows, same), Overlap::same);
  EXPECT_FALSE(mayOverlapItself(rows)) << "rows of three elements share bytes, not elements";
}

TEST(NarrowTypes, LiteralsMustFit) {
  ProgramBuilder p("literals");
  Buffer Y = p.output("Y", e2m1, {4});
  p.kernel({1}, [&](Var) {
    fill(Y, 6);
    EXPECT_ERROR(fill(Y, 7), "7 is not representable in e2m1");
    EXPECT_ERROR(Y(0) = -1e9, "-1000000000 is not representable in e2m1");
  });
}

} // namespace
} // namespace tessera::tl
