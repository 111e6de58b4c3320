// Copies, fills, products and element accesses on the reference interpreter.
#include "tilelang/ir/test/interp_program.h"

#include <cmath>
#include <limits>

namespace tessera {
namespace {

using testing::Each;
using testing::ElementsAre;

Tensor counting(DType type, const Tensor::Extents &shape) {
  Tensor tensor = Tensor::zeros(type, shape);
  Tensor flat = tensor.reshape({tensor.numel()});
  for (int64_t i = 0; i < flat.numel(); ++i) flat.set({i}, static_cast<double>(i));
  return tensor;
}

TEST(InterpCopy, PadsOutsideTheSourceAndSkipsOutsideTheDestination) {
  std::string text = kernelText("%A: memref<?x?xf32, #g>, %C: memref<?x?xf32, #g>", R"(
    %t = tile.alloc "T" : memref<4x4xf32, #s>
    %m1 = arith.constant -1 : index
    %a = tile.region %A[%m1, %c1] [4, 4] : memref<?x?xf32, #g> -> <4x4xf32, #g>
    tile.copy %a, %t pad(-9.0) : !tile.region<4x4xf32, #g>, memref<4x4xf32, #s>
    %c = tile.region %C[%c1, %c0] [4, 4] : memref<?x?xf32, #g> -> <4x4xf32, #g>
    tile.copy %t, %c : memref<4x4xf32, #s>, !tile.region<4x4xf32, #g>)");
  Tensor a = counting(DType::f32, {2, 3}), c = tensorOf(DType::f32, std::vector<double>(20, 7), {4, 5});
  runText(text, {a, c});
  EXPECT_THAT(elements(c), ElementsAre(7, 7, 7, 7, 7, -9, -9, -9, -9, 7, 1, 2, -9, -9, 7, 4, 5, -9, -9, 7));
}

TEST(InterpCopy, PadOfTheAllocationAndZeroWithoutOne) {
  auto run = [](const std::string &pad) {
    std::string text = kernelText("%A: memref<2xi32, #g>, %C: memref<4xi32, #g>",
                                  "%t = tile.alloc \"T\" " + pad + R"( : memref<4xi32, #s>
      %a = tile.region %A[0] [4] : memref<2xi32, #g> -> <4xi32, #g>
      tile.copy %a, %t : !tile.region<4xi32, #g>, memref<4xi32, #s>
      tile.copy %t, %C : memref<4xi32, #s>, memref<4xi32, #g>)");
    Tensor a = tensorOf(DType::i32, {1, 2}), c = Tensor::zeros(DType::i32, {4});
    runText(text, {a, c});
    return elements(c);
  };
  EXPECT_THAT(run("pad(-99)"), ElementsAre(1, 2, -99, -99));
  EXPECT_THAT(run(""), ElementsAre(1, 2, 0, 0));
}

TEST(InterpCopy, RunTimeExtentsCopyTheCommonPart) {
  std::string text = kernelText("%A: memref<?xf32, #g>, %C: memref<?xf32, #g>, %n: index, %m: index", R"(
    %a = tile.region %A[%c1] [%n] : memref<?xf32, #g> -> <?xf32, #g>
    %c = tile.region %C[%c0] [%m] : memref<?xf32, #g> -> <?xf32, #g>
    tile.copy %a, %c : !tile.region<?xf32, #g>, !tile.region<?xf32, #g>)");
  auto run = [&](int64_t n, int64_t m) {
    Tensor a = counting(DType::f32, {5}), c = tensorOf(DType::f32, {-1, -1, -1, -1});
    runText(text, {a, c, n, m});
    return elements(c);
  };
  EXPECT_THAT(run(3, 2), ElementsAre(1, 2, -1, -1));
  EXPECT_THAT(run(2, 4), ElementsAre(1, 2, -1, -1));
  EXPECT_THAT(run(0, 4), Each(-1));
  EXPECT_THAT(run(-3, 4), Each(-1));
  EXPECT_THAT(run(std::numeric_limits<int64_t>::max(), 3), ElementsAre(1, 2, 3, -1));
}

TEST(InterpCopy, DropsUnitExtentsAndFollowsStrides) {
  // Column 3 of an 8 x 8 matrix, stored transposed.
  std::string text = kernelText("%A: memref<?x?xf32, #g>, %C: memref<?xf32, #g>", R"(
    %t = tile.alloc "T" : memref<4xf32, #s>
    %a = tile.region %A[%c2, 3] [4, 1] : memref<?x?xf32, #g> -> <4x1xf32, #g>
    tile.copy %a, %t : !tile.region<4x1xf32, #g>, memref<4xf32, #s>
    tile.copy %t, %C : memref<4xf32, #s>, memref<?xf32, #g>)");
  Tensor a = counting(DType::f32, {8, 8}).transpose(0, 1), c = Tensor::zeros(DType::f32, {4});
  runText(text, {a, c});
  EXPECT_THAT(elements(c), ElementsAre(26, 27, 28, 29));
}

TEST(InterpCopy, MatchesRunTimeExtentsByPositionWhereUnitsDiffer) {
  std::string text = kernelText("%A: memref<?x?xf32, #g>, %C: memref<1x3xf32, #g>", R"(
    tile.copy %A, %C : memref<?x?xf32, #g>, memref<1x3xf32, #g>)");
  Tensor c = tensorOf(DType::f32, {-1, -1, -1}, {1, 3});
  runText(text, {counting(DType::f32, {4, 2}), c});
  EXPECT_THAT(elements(c), ElementsAre(0, 1, -1));
}

double copied(DType from, double value, DType to, const std::string &flags = "") {
  std::string a = "memref<1x" + mlirType(from) + ", #g>", c = "memref<1x" + mlirType(to) + ", #g>";
  Tensor out = tensorOf(to, {0});
  runText(kernelText("%A: " + a + ", %C: " + c, "tile.copy %A, %C " + flags + " : " + a + ", " + c),
          {tensorOf(from, {value}), out});
  return out.at({0});
}

TEST(InterpCopy, ConvertsLikeACast) {
  EXPECT_EQ(copied(DType::i64, 41, DType::i32), 41);
  EXPECT_EQ(copied(DType::i16, -7, DType::i64), -7);
  EXPECT_EQ(copied(DType::f32, 2.75, DType::i32), 2);
  EXPECT_EQ(copied(DType::i32, 3, DType::f16), 3);
  EXPECT_EQ(copied(DType::i32, 1077936129, DType::bf16), 1082130432);
  EXPECT_EQ(copied(DType::f32, 1e9, DType::e4m3), 448);
  EXPECT_EQ(copied(DType::f32, 1e9, DType::f16), std::numeric_limits<double>::infinity());
  EXPECT_EQ(copied(DType::f32, -3, DType::u8), 0);
  EXPECT_EQ(copied(DType::i32, 300, DType::u8), 44);
  EXPECT_EQ(copied(DType::u8, 200, DType::f32), 200);
  EXPECT_EQ(copied(DType::f32, std::nan(""), DType::i32), 0);
  EXPECT_EQ(copied(DType::f32, 0.5, DType::boolean), 1);
}

TEST(InterpCopy, ReluAfterTheConversion) {
  EXPECT_EQ(copied(DType::f32, -2, DType::f16, "relu"), 0);
  EXPECT_EQ(copied(DType::f32, 2, DType::f16, "relu"), 2);
  EXPECT_EQ(copied(DType::i32, -2, DType::i8, "relu"), 0);
  EXPECT_EQ(copied(DType::i32, -2, DType::u8, "relu"), 254);
  EXPECT_TRUE(std::isnan(copied(DType::f32, std::nan(""), DType::bf16, "relu")));
}

TEST(InterpCopy, RefusesTilesThatOverlap) {
  std::string text = kernelText("%A: memref<8xf32, #g>, %n: index", R"(
    %a = tile.region %A[0] [4] : memref<8xf32, #g> -> <4xf32, #g>
    %c = tile.region %A[%n] [4] : memref<8xf32, #g> -> <4xf32, #g>
    tile.copy %a, %c : !tile.region<4xf32, #g>, !tile.region<4xf32, #g>)");
  EXPECT_ERROR(runText(text, {counting(DType::f32, {8}), int64_t{2}}), "source and destination in the buffer overlap");
  Tensor a = counting(DType::f32, {8});
  runText(text, {a, int64_t{0}});
  runText(text, {a, int64_t{4}});
  EXPECT_THAT(elements(a), ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
}

TEST(InterpFill, WritesAWindowAndNothingElse) {
  std::string text = kernelText("%A: memref<?xi64, #g>, %a: index, %b: index", R"(
    %five = arith.constant 5 : i64
    %n = arith.subi %b, %a : index
    %r = tile.region %A[%a] [%n] : memref<?xi64, #g> -> <?xi64, #g>
    tile.fill %five, %r : i64, !tile.region<?xi64, #g>)");
  auto run = [&](int64_t begin, int64_t end) {
    Tensor a = tensorOf(DType::i64, {1, 1, 1, 1, 1});
    runText(text, {a, begin, end});
    return elements(a);
  };
  EXPECT_THAT(run(1, 3), ElementsAre(1, 5, 5, 1, 1));
  EXPECT_THAT(run(3, 1), Each(1));
  EXPECT_THAT(run(-2, 2), ElementsAre(5, 5, 1, 1, 1));
  EXPECT_THAT(run(4, 9), ElementsAre(1, 1, 1, 1, 5));
}

TEST(InterpAlloc, StartsPoisonedEachTime) {
  std::string text = kernelText("%F: memref<2xf32, #g>, %I: memref<2xi32, #g>", R"(
    tile.for serial %i = %c0 to %c2 step %c1 {
      %f = tile.alloc "F" : memref<1xf32, #f>
      %n = tile.alloc "N" : memref<1xi32, #s>
      %x = tile.load %f[%c0] : memref<1xf32, #f> -> f32
      %y = tile.load %n[%c0] : memref<1xi32, #s> -> i32
      tile.store %x, %F[%i] : f32, memref<2xf32, #g>
      tile.store %y, %I[%i] : i32, memref<2xi32, #g>
      %one = arith.constant 1.0 : f32
      tile.fill %one, %f : f32, memref<1xf32, #f>
    })");
  Tensor f = Tensor::zeros(DType::f32, {2}), i = Tensor::zeros(DType::i32, {2});
  runText(text, {f, i});
  EXPECT_TRUE(std::isnan(f.at({0})) && std::isnan(f.at({1})));
  EXPECT_THAT(elements(i), ElementsAre(-1, -1));
}

TEST(InterpView, SharesTheStorage) {
  std::string text = kernelText("%C: memref<2x2xf32, #g>", R"(
    %t = tile.alloc "T" : memref<4xi32, #s>
    %v = tile.view %t : memref<4xi32, #s> to memref<2x2xf32, #s>
    %bits = arith.constant 0x3f800000 : i32
    tile.fill %bits, %t : i32, memref<4xi32, #s>
    %two = arith.constant 2.0 : f32
    tile.store %two, %v[%c1, %c0] : f32, memref<2x2xf32, #s>
    tile.copy %v, %C : memref<2x2xf32, #s>, memref<2x2xf32, #g>)");
  Tensor c = Tensor::zeros(DType::f32, {2, 2});
  runText(text, {c});
  EXPECT_THAT(elements(c), ElementsAre(1, 1, 2, 1));
}

TEST(InterpElement, OutsideTheBufferGivesZeroAndWritesNothing) {
  std::string text = kernelText("%A: memref<?xi32, #g>, %C: memref<?xi32, #g>, %i: index, %o: index", R"(
    %r = tile.region %A[%o] [2] : memref<?xi32, #g> -> <2xi32, #g>
    %x = tile.load %r[%i] : !tile.region<2xi32, #g> -> i32
    tile.store %x, %C[%i] : i32, memref<?xi32, #g>)");
  auto run = [&](int64_t i, int64_t offset, bool trap) {
    Tensor c = tensorOf(DType::i32, {-5, -5, -5});
    runText(text, {tensorOf(DType::i32, {10, 20, 30}), c, i, offset}, {.trapOutOfBounds = trap});
    return elements(c);
  };
  EXPECT_THAT(run(1, 1, false), ElementsAre(-5, 30, -5));
  EXPECT_THAT(run(2, 1, false), ElementsAre(-5, -5, 0));
  EXPECT_THAT(run(2, -1, false), ElementsAre(-5, -5, 20));
  EXPECT_THAT(run(-1, 1, false), Each(-5));
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_THAT(run(kLeast, kLeast, false), Each(-5));
  EXPECT_ERROR(run(2, 1, true), "index 3 of dimension 0 of the buffer is outside extent 3");
  EXPECT_THAT(run(1, 1, true), ElementsAre(-5, 30, -5));
}

TEST(InterpElement, UnsignedAndBooleanElements) {
  std::string text = kernelText("%A: memref<2xui8, #g>, %B: memref<2xi1, #g>, %C: memref<3xi32, #g>", R"(
    %x = tile.load %A[%c0] : memref<2xui8, #g> -> i8
    %x32 = arith.extui %x : i8 to i32
    tile.store %x32, %C[%c0] : i32, memref<3xi32, #g>
    %b = tile.load %B[%c1] : memref<2xi1, #g> -> i1
    %b32 = arith.extui %b : i1 to i32
    tile.store %b32, %C[%c1] : i32, memref<3xi32, #g>
    tile.store %b, %B[%c0] : i1, memref<2xi1, #g>)");
  Tensor b = tensorOf(DType::boolean, {0, 1}), c = Tensor::zeros(DType::i32, {3});
  runText(text, {tensorOf(DType::u8, {200, 1}), b, c});
  EXPECT_THAT(elements(c), ElementsAre(200, 1, 0));
  EXPECT_THAT(elements(b), ElementsAre(1, 1));
}

} // namespace
} // namespace tessera
