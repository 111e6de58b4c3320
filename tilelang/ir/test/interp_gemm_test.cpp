// Matrix products on the reference interpreter.
#include "tilelang/ir/test/interp_program.h"

#include <fmt/format.h>

#include <cmath>

namespace tessera {
namespace {

using testing::Each;
using testing::ElementsAre;

double ga(int64_t i, int64_t k) { return static_cast<double>((i + k) % 5 - 2); }
double gb(int64_t k, int64_t j) { return static_cast<double>((2 * k + j) % 7 - 3); }

template <class F> Tensor filled(DType type, int64_t rows, int64_t cols, F f) {
  Tensor tensor = Tensor::zeros(type, {rows, cols});
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j) tensor.set({i, j}, f(i, j));
  return tensor;
}

/// Statements that put a tensor parameter into an on-chip tile and make %<name>t a window onto the whole of it.
std::string staged(const std::string &name, const Tensor &tensor) {
  // Buffers have no zero extents, but windows may.
  int64_t rows = tensor.shape()[0], cols = tensor.shape()[1];
  std::string type = mlirType(tensor.dtype()), size = fmt::format("{}x{}x{}", rows, cols, type);
  std::string buffer =
      fmt::format("memref<{}x{}x{}, #s>", std::max<int64_t>(rows, 1), std::max<int64_t>(cols, 1), type);
  return fmt::format("%{0}b = tile.alloc \"{0}\" : {1}\n"
                     "%{0}t = tile.region %{0}b[0, 0] [{2}, {3}] : {1} -> <{4}, #s>\n"
                     "tile.copy %{0}, %{0}t : memref<{4}, #g>, !tile.region<{4}, #s>\n",
                     name, buffer, rows, cols, size);
}

/// c + a . b or, with "clear %clear" among the flags, a . b.
Tensor product(const Tensor &a, const Tensor &b, Tensor c, const std::string &flags) {
  auto shaped = [](const Tensor &t) {
    return fmt::format("{}x{}x{}", t.shape()[0], t.shape()[1], mlirType(t.dtype()));
  };
  std::string sizes[] = {shaped(a), shaped(b), shaped(c)};
  std::string parameters = fmt::format("%a: memref<{}, #g>, %b: memref<{}, #g>, %c: memref<{}, #g>, %clear: i1",
                                       sizes[0], sizes[1], sizes[2]);
  std::string gemm = fmt::format("tile.gemm %at, %bt, %ct {} : !tile.region<{}, #s>, !tile.region<{}, #s>, "
                                 "!tile.region<{}, #s>\n",
                                 flags, sizes[0], sizes[1], sizes[2]);
  std::string out = fmt::format("tile.copy %ct, %c : !tile.region<{0}, #s>, memref<{0}, #g>", sizes[2]);
  runText(kernelText(parameters, staged("a", a) + staged("b", b) + staged("c", c) + gemm + out), {a, b, c, int64_t{1}});
  return c;
}

TEST(InterpGemm, AllTransposesOfAllTypes) {
  constexpr int64_t kM = 3, kN = 5, kK = 9;
  auto expected = [](int64_t i, int64_t j) {
    double sum = 0;
    for (int64_t k = 0; k < kK; ++k) sum += ga(i, k) * gb(k, j);
    return sum;
  };
  struct Types {
    DType a, b, c;
  };
  for (Types t : {Types{DType::f32, DType::f32, DType::f32}, Types{DType::bf16, DType::bf16, DType::f32},
                  Types{DType::f16, DType::f16, DType::f16}, Types{DType::e4m3, DType::e5m2, DType::bf16},
                  Types{DType::f64, DType::f64, DType::f64}, Types{DType::i8, DType::i8, DType::i32}})
    for (int flags = 0; flags < 4; ++flags) {
      Tensor a = filled(t.a, kM, kK, ga), b = filled(t.b, kK, kN, gb);
      std::string text = std::string(flags & 1 ? "transposeA " : "") + (flags & 2 ? "transposeB" : "");
      if (flags & 1) a = a.transpose(0, 1).clone();
      if (flags & 2) b = b.transpose(0, 1).clone();
      Tensor c = filled(t.c, kM, kN, [](int64_t, int64_t) { return 100; });
      c = product(a, b, c, text);
      Tensor sum = filled(t.c, kM, kN, [&](int64_t i, int64_t j) { return expected(i, j) + 100; });
      EXPECT_EQ(elements(c), elements(sum)) << name(t.a) << " " << text;
    }
}

TEST(InterpGemm, ClearIgnoresOldContentsEvenNaN) {
  Tensor c = tensorOf(DType::f32, {std::nan("")}, {1, 1});
  c = product(tensorOf(DType::f32, {2, 3}, {1, 2}), tensorOf(DType::f32, {5, 7}, {2, 1}), c, "clear %clear");
  EXPECT_THAT(elements(c), ElementsAre(31));
}

TEST(InterpGemm, UsesOneFusedStepForEachK) {
  // (1 + e)^2 - (1 + 2e) = e^2 shows only if the product is not rounded.
  double e = std::ldexp(1, -12);
  Tensor c = tensorOf(DType::f32, {-(1 + 2 * e)}, {1, 1}), x = tensorOf(DType::f32, {1 + e}, {1, 1});
  c = product(x, x, c, "");
  EXPECT_THAT(elements(c), ElementsAre(e * e));
  // In ascending k: 2^24 + 1 stays, and so does the next 1.
  c = product(tensorOf(DType::f32, {0x1p24, 1, 1}, {1, 3}), tensorOf(DType::f32, {1, 1, 1}, {3, 1}),
              Tensor::zeros(DType::f32, {1, 1}), "");
  EXPECT_THAT(elements(c), ElementsAre(0x1p24));
}

TEST(InterpGemm, NarrowResultsAreRoundedOncePerOperation) {
  // 2048 + 1 + 1 in f16: stepwise rounding would stay at 2048.
  Tensor ones = tensorOf(DType::f16, {1, 1}, {1, 2});
  Tensor c = product(ones, ones.reshape({2, 1}), tensorOf(DType::f16, {2048}, {1, 1}), "");
  EXPECT_THAT(elements(c), ElementsAre(2050));
}

TEST(InterpGemm, IntegersMixSignsAndWrap) {
  Tensor a = tensorOf(DType::u8, {200, 255}, {1, 2}), b = tensorOf(DType::i8, {-100, 127}, {2, 1});
  Tensor c = product(a, b, Tensor::zeros(DType::i32, {1, 1}), "");
  EXPECT_THAT(elements(c), ElementsAre(200 * -100 + 255 * 127));
  Tensor most = tensorOf(DType::i32, {2147483647}, {1, 1}), one = tensorOf(DType::i8, {1}, {1, 1});
  EXPECT_THAT(elements(product(one, one, most, "")), ElementsAre(-2147483648.0));
}

TEST(InterpGemm, ZeroExtents) {
  Tensor c = tensorOf(DType::f32, {5, 5}, {1, 2});
  Tensor a = Tensor::zeros(DType::f32, {1, 0}), b = Tensor::zeros(DType::f32, {0, 2});
  EXPECT_THAT(elements(product(a, b, c, "")), Each(5));
  EXPECT_THAT(elements(product(a, b, c, "clear %clear")), Each(0));
}

TEST(InterpGemm, ReadsZeroOutsideTheBufferAndSkipsWritesThere) {
  std::string text = kernelText("%A: memref<2x2xf32, #g>, %C: memref<2x2xf32, #g>", R"(
    %As = tile.alloc "As" : memref<2x2xf32, #s>
    %Cs = tile.alloc "Cs" : memref<2x2xf32, #f>
    tile.copy %A, %As : memref<2x2xf32, #g>, memref<2x2xf32, #s>
    tile.copy %C, %Cs : memref<2x2xf32, #g>, memref<2x2xf32, #f>
    %a = tile.region %As[%c1, %c0] [2, 2] : memref<2x2xf32, #s> -> <2x2xf32, #s>
    %c = tile.region %Cs[%c0, %c1] [2, 2] : memref<2x2xf32, #f> -> <2x2xf32, #f>
    tile.gemm %a, %a, %c transposeB : !tile.region<2x2xf32, #s>, !tile.region<2x2xf32, #s>, !tile.region<2x2xf32, #f>
    tile.copy %Cs, %C : memref<2x2xf32, #f>, memref<2x2xf32, #g>)");
  Tensor a = tensorOf(DType::f32, {1, 2, 3, 4}, {2, 2}), c = tensorOf(DType::f32, {1, 1, 1, 1}, {2, 2});
  runText(text, {a, c});
  EXPECT_THAT(elements(c), ElementsAre(1, 26, 1, 1));
}

TEST(InterpGemm, RunTimeExtentsUseTheCommonPart) {
  std::string text = kernelText("%C: memref<2x2xf32, #g>, %m: index, %k: index", R"(
    %As = tile.alloc "As" : memref<3x4xf32, #s>
    %Bs = tile.alloc "Bs" : memref<4x2xf32, #s>
    %Cs = tile.alloc "Cs" : memref<2x2xf32, #f>
    %one = arith.constant 1.0 : f32
    tile.fill %one, %As : f32, memref<3x4xf32, #s>
    tile.fill %one, %Bs : f32, memref<4x2xf32, #s>
    tile.fill %one, %Cs : f32, memref<2x2xf32, #f>
    %a = tile.region %As[0, 0] [%m, 4] : memref<3x4xf32, #s> -> <?x4xf32, #s>
    %b = tile.region %Bs[0, 0] [%k, 2] : memref<4x2xf32, #s> -> <?x2xf32, #s>
    tile.gemm %a, %b, %Cs : !tile.region<?x4xf32, #s>, !tile.region<?x2xf32, #s>, memref<2x2xf32, #f>
    tile.copy %Cs, %C : memref<2x2xf32, #f>, memref<2x2xf32, #g>)");
  auto run = [&](int64_t m, int64_t k) {
    Tensor c = Tensor::zeros(DType::f32, {2, 2});
    runText(text, {c, m, k});
    return elements(c);
  };
  EXPECT_THAT(run(3, 3), ElementsAre(4, 4, 4, 4));
  EXPECT_THAT(run(1, 4), ElementsAre(5, 5, 1, 1));
  EXPECT_THAT(run(2, -1), Each(1));
}

/// The blocked program that tile kernels are made of, on ragged sizes and over a pipelined loop.
TEST(InterpGemm, BlockedProgramOverRaggedSizes) {
  std::string text = functionText(
      "%A: memref<?x?xbf16, #g> {tile.name = \"A\"}, %B: memref<?x?xbf16, #g>, %C: memref<?x?xf32, #g>", R"(
    %c16 = arith.constant 16 : index
    %m = memref.dim %A, %c0 : memref<?x?xbf16, #g>
    %k = memref.dim %A, %c1 : memref<?x?xbf16, #g>
    %n = memref.dim %B, %c1 : memref<?x?xbf16, #g>
    %gx = arith.ceildivsi %n, %c16 : index
    %gy = arith.ceildivsi %m, %c16 : index
    tile.kernel (%bx, %by) in (%gx, %gy) {
      %As = tile.alloc "As" : memref<16x8xbf16, #s>
      %Bs = tile.alloc "Bs" : memref<8x16xbf16, #s>
      %acc = tile.alloc "acc" : memref<16x16xf32, #f>
      %zero = arith.constant 0.0 : f32
      tile.fill %zero, %acc : f32, memref<16x16xf32, #f>
      %kt = arith.ceildivsi %k, %c8 : index
      %row = arith.muli %by, %c16 : index
      %col = arith.muli %bx, %c16 : index
      tile.for pipelined %ko = %c0 to %kt step %c1 attributes {stages = 3 : i64} {
        %kk = arith.muli %ko, %c8 : index
        %a = tile.region %A[%row, %kk] [16, 8] : memref<?x?xbf16, #g> -> <16x8xbf16, #g>
        tile.copy %a, %As : !tile.region<16x8xbf16, #g>, memref<16x8xbf16, #s>
        %b = tile.region %B[%kk, %col] [8, 16] : memref<?x?xbf16, #g> -> <8x16xbf16, #g>
        tile.copy %b, %Bs : !tile.region<8x16xbf16, #g>, memref<8x16xbf16, #s>
        tile.gemm %As, %Bs, %acc : memref<16x8xbf16, #s>, memref<8x16xbf16, #s>, memref<16x16xf32, #f>
      }
      %c = tile.region %C[%row, %col] [16, 16] : memref<?x?xf32, #g> -> <16x16xf32, #g>
      tile.copy %acc, %c : memref<16x16xf32, #f>, !tile.region<16x16xf32, #g>
    })");
  for (auto [m, n, k] : {std::array<int64_t, 3>{1, 1, 1}, {16, 16, 8}, {17, 33, 9}, {5, 40, 0}, {0, 3, 4}}) {
    Tensor c = filled(DType::f32, m, n, [](int64_t, int64_t) { return -1; });
    runText(text, {filled(DType::bf16, m, k, ga), filled(DType::bf16, k, n, gb), c});
    Tensor expected = filled(DType::f32, m, n, [&, k = k](int64_t i, int64_t j) {
      double sum = 0;
      for (int64_t l = 0; l < k; ++l) sum += ga(i, l) * gb(l, j);
      return sum;
    });
    EXPECT_EQ(elements(c), elements(expected)) << fmt::format("{} x {} x {}", m, n, k);
  }
}

} // namespace
} // namespace tessera
