// Reductions, scans, transposes and atomics on the reference interpreter.
#include "tilelang/ir/test/interp_program.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace tessera {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsNan;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNaN = std::nan("");

std::string memref(const Tensor &tensor) {
  std::string shape;
  for (int64_t extent : tensor.shape()) shape += std::to_string(extent) + "x";
  return "memref<" + shape + mlirType(tensor.dtype()) + ", #g>";
}

/// The contents of `dst` after one reduction.
std::vector<double> reduced(const std::string &kind, const Tensor &src, Tensor dst, int64_t dim,
                            const std::string &flags = "") {
  runText(kernelText("%A: " + memref(src) + ", %C: " + memref(dst),
                     fmt::format("tile.reduce {} %A, %C {} {{dim = {} : i64}} : {}, {}", kind, flags, dim, memref(src),
                                 memref(dst))),
          {src, dst});
  return elements(dst);
}

/// Of a vector of one type into one element of another that held `old`.
double reducedVector(const std::string &kind, DType from, const std::vector<double> &values, DType to, double old = 77,
                     const std::string &flags = "") {
  return reduced(kind, tensorOf(from, values), tensorOf(to, {old}), 0, flags)[0];
}
double reducedVector(const std::string &kind, DType type, const std::vector<double> &values) {
  return reducedVector(kind, type, values, type);
}

TEST(InterpReduce, LengthsThatAreNoPowerOfTwo) {
  for (int64_t n : {1, 3, 31, 33, 48, 63, 127, 129}) {
    Tensor rows = Tensor::zeros(DType::f32, {3, n});
    for (int64_t i = 0; i < 3 * n; ++i) rows.set({i / n, i % n}, static_cast<double>(i % n + 1));
    double sum = 0.5 * static_cast<double>(n * (n + 1)), most = static_cast<double>(n);
    Tensor dst = Tensor::zeros(DType::f32, {3});
    EXPECT_THAT(reduced("sum", rows, dst, 1), Each(sum));
    EXPECT_THAT(reduced("max", rows, dst, 1), Each(most));
    EXPECT_THAT(reduced("sum", rows.transpose(0, 1).clone(), dst, 0), Each(sum));
    EXPECT_EQ(reducedVector("sum", DType::f32, elements(rows.select(0, 1))), sum);
  }
}

TEST(InterpReduce, AnyAxisIntoEitherShape) {
  Tensor a = Tensor::zeros(DType::f32, {2, 8, 16});
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t k = 0; k < 8; ++k)
      for (int64_t j = 0; j < 16; ++j) a.set({b, k, j}, static_cast<double>(1000 * b + 16 * k + j));
  for (const Tensor::Extents &shape : {Tensor::Extents{2, 16}, Tensor::Extents{2, 1, 16}}) {
    std::vector<double> out = reduced("sum", a, Tensor::zeros(DType::f32, shape), 1);
    for (int64_t b = 0; b < 2; ++b)
      for (int64_t j = 0; j < 16; ++j)
        EXPECT_EQ(out[static_cast<size_t>(b * 16 + j)], static_cast<double>(8000 * b + 8 * j + 448));
  }
  EXPECT_EQ(reduced("min", a, Tensor::zeros(DType::f32, {2, 8}), 2)[9], 1016);
  EXPECT_EQ(reduced("max", a, Tensor::zeros(DType::f32, {1, 8, 16}), 0)[17], 1017);
}

TEST(InterpReduce, SumsOfTheLastAxisInSixteenLanes) {
  // Lane 0 holds 2^24 and then 1, which it loses; the 1 of lane 8 is lost too, but two ones meet before.
  std::vector<double> values(32, 0);
  values[0] = 0x1p24, values[16] = 1;
  EXPECT_EQ(reducedVector("sum", DType::f32, values), 0x1p24);
  values[8] = 1; // joins lane 0 first
  EXPECT_EQ(reducedVector("sum", DType::f32, values), 0x1p24);
  values[1] = 1; // joins lane 0 last
  EXPECT_EQ(reducedVector("sum", DType::f32, values), 0x1p24);
  values[3] = 1; // joins lane 1 before that
  EXPECT_EQ(reducedVector("sum", DType::f32, values), 0x1p24 + 2);
}

TEST(InterpReduce, SumsOfOtherAxesInOrder) {
  Tensor column = tensorOf(DType::f32, {0x1p24, 1, 1, 1}, {4, 1});
  EXPECT_THAT(reduced("sum", column, Tensor::zeros(DType::f32, {1}), 0), ElementsAre(0x1p24));
  Tensor other = tensorOf(DType::f32, {1, 1, 1, 0x1p24}, {4, 1});
  EXPECT_THAT(reduced("sum", other, Tensor::zeros(DType::f32, {1}), 0), ElementsAre(0x1p24 + 4));
}

TEST(InterpReduce, HalfPrecisionSumsAreKeptInSingle) {
  EXPECT_EQ(reducedVector("sum", DType::f16, std::vector<double>(4096, 1)), 4096);
  Tensor x = Tensor::zeros(DType::f16, {16, 128});
  for (int64_t r = 0; r < 16; ++r)
    for (int64_t c = 0; c < 128; ++c) x.set({r, c}, static_cast<double>(r));
  EXPECT_THAT(reduced("sum", x, Tensor::zeros(DType::f16, {128}), 0), Each(120));
  EXPECT_EQ(reduced("sum", x, Tensor::zeros(DType::f16, {16}), 1)[15], 128 * 15);
}

TEST(InterpReduce, SumsInWiderTypes) {
  EXPECT_EQ(reducedVector("sum", DType::f16, {60000, 60000}, DType::f32), 120000);
  EXPECT_EQ(reducedVector("sum", DType::f32, {0x1p24, 1}, DType::f64), 0x1p24 + 1);
  EXPECT_EQ(reducedVector("sum", DType::i8, {100, 100, -1}, DType::i32), 199);
  EXPECT_EQ(reducedVector("sum", DType::u8, {200, 200}, DType::i32), 400);
  EXPECT_EQ(reducedVector("sum", DType::i8, {100, 100}), -56);
  EXPECT_EQ(reducedVector("sum", DType::e4m3, {400, 400}), 448);
}

TEST(InterpReduce, AbsoluteValues) {
  EXPECT_EQ(reducedVector("absmax", DType::u32, {100, 10, 20, 30}), 100);
  EXPECT_EQ(reducedVector("abssum", DType::u32, {100, 10, 20, 30}), 160);
  for (DType type : {DType::u32, DType::u64}) {
    EXPECT_EQ(reducedVector("absmax", type, {3000000000, 5}), 3000000000);
    EXPECT_EQ(reducedVector("abssum", type, {3000000000, 5}), 3000000005);
  }
  EXPECT_EQ(reducedVector("absmax", DType::u8, {200, 100}), 200);
  EXPECT_EQ(reducedVector("abssum", DType::u8, {200, 100}), 44);
  EXPECT_EQ(reducedVector("absmax", DType::i8, {-3, 2}), 3);
  EXPECT_EQ(reducedVector("absmax", DType::i8, {-128, 127}), -128); // the unsigned 128
  EXPECT_EQ(reducedVector("abssum", DType::i8, {-128, 1}, DType::i32), 129);
  EXPECT_EQ(reducedVector("absmax", DType::f32, {-3, 1, 2}), 3);
  EXPECT_EQ(reducedVector("abssum", DType::f32, {-3, 1, 2}), 6);
  EXPECT_EQ(reducedVector("absmax", DType::f32, {1}, DType::f32, -2, "accumulate"), 2);
  EXPECT_EQ(reducedVector("abssum", DType::f32, {-1}, DType::f32, -2, "accumulate"), -1);
  EXPECT_EQ(reducedVector("absmax", DType::i32, {1}, DType::i32, -2, "accumulate"), 2);
  EXPECT_EQ(reducedVector("abssum", DType::i32, {-1}, DType::i32, -2, "accumulate"), -1);
}

TEST(InterpReduce, NaNWithAnOldValue) {
  for (DType type : {DType::f16, DType::bf16, DType::f32, DType::f64}) {
    std::vector<double> x{1, kNaN, 2};
    EXPECT_EQ(reducedVector("max", type, x, type, -1, "accumulate"), 2);
    EXPECT_EQ(reducedVector("min", type, x, type, -1, "accumulate"), -1);
    EXPECT_EQ(reducedVector("absmax", type, x, type, -1, "accumulate"), 2);
    for (const char *kind : {"max", "min", "absmax"}) {
      EXPECT_THAT(reducedVector(kind, type, x, type, -1, "accumulate nan"), IsNan());
      EXPECT_THAT(reducedVector(kind, type, {1}, type, kNaN, "accumulate nan"), IsNan());
      EXPECT_EQ(reducedVector(kind, type, {1}, type, kNaN, "accumulate"), 1);
      EXPECT_EQ(reducedVector(kind, type, {1}, type, kNaN), 1);
    }
    EXPECT_EQ(reducedVector("max", type, {kNaN, kNaN}), -kInfinity);
  }
}

TEST(InterpReduce, IdentitiesOfAnEmptyAxis) {
  auto empty = [](const std::string &kind, DType type, DType to) { return reducedVector(kind, type, {}, to, 5); };
  EXPECT_EQ(empty("sum", DType::f32, DType::f32), 0);
  EXPECT_EQ(empty("max", DType::bf16, DType::bf16), -kInfinity);
  EXPECT_EQ(empty("min", DType::e5m2, DType::e5m2), kInfinity);
  EXPECT_EQ(empty("max", DType::e4m3, DType::e4m3), -448);
  EXPECT_EQ(empty("absmax", DType::f32, DType::f32), 0);
  EXPECT_EQ(empty("max", DType::i16, DType::i16), -32768);
  EXPECT_EQ(empty("min", DType::i16, DType::i16), 32767);
  EXPECT_EQ(empty("min", DType::u8, DType::u8), 255);
  EXPECT_EQ(empty("max", DType::u8, DType::u8), 0);
  EXPECT_EQ(empty("bitand", DType::u8, DType::u8), 255);
  EXPECT_EQ(empty("bitor", DType::i32, DType::i32), 0);
  EXPECT_EQ(empty("any", DType::f32, DType::boolean), 0);
  EXPECT_EQ(empty("all", DType::f32, DType::boolean), 1);
  EXPECT_EQ(reducedVector("sum", DType::f32, {}, DType::f32, 5, "accumulate"), 5);
}

TEST(InterpReduce, BitsAndTruth) {
  EXPECT_EQ(reducedVector("bitand", DType::u8, {14, 7}), 6);
  EXPECT_EQ(reducedVector("bitor", DType::i16, {1, -256}), -255);
  EXPECT_EQ(reducedVector("bitxor", DType::i32, {5, 3, 1}), 7);
  EXPECT_EQ(reducedVector("bitxor", DType::boolean, {1, 1, 1}), 1);
  EXPECT_EQ(reducedVector("bitxor", DType::i32, {5}, DType::i32, 4, "accumulate"), 1);
  EXPECT_EQ(reducedVector("any", DType::f32, {0, -0.0, kNaN}, DType::boolean), 1);
  EXPECT_EQ(reducedVector("any", DType::f32, {0, -0.0}, DType::boolean), 0);
  EXPECT_EQ(reducedVector("all", DType::i8, {1, -1}, DType::boolean), 1);
  EXPECT_EQ(reducedVector("all", DType::i8, {1, 0}, DType::boolean), 0);
  EXPECT_EQ(reducedVector("all", DType::i8, {1}, DType::boolean, 0, "accumulate"), 0);
  EXPECT_EQ(reducedVector("any", DType::i8, {0}, DType::boolean, 1, "accumulate"), 1);
}

TEST(InterpReduce, ExtremesCompareLikeTheirTypeAndGivePositiveZero) {
  EXPECT_EQ(reducedVector("max", DType::u8, {200, 100}), 200);
  EXPECT_EQ(reducedVector("max", DType::i8, {-56, 100}), 100);
  EXPECT_EQ(reducedVector("min", DType::u64, {0x1p63, 1}), 1);
  EXPECT_EQ(reducedVector("max", DType::e5m2, {kInfinity, 1}), kInfinity);
  for (const char *kind : {"max", "min"}) EXPECT_FALSE(std::signbit(reducedVector(kind, DType::f32, {-0.0, -0.0})));
  EXPECT_FALSE(std::signbit(reducedVector("sum", DType::f32, {-0.0})));
}

TEST(InterpReduce, RunTimeExtents) {
  std::string text = kernelText("%A: memref<?x?xf32, #g>, %C: memref<?xf32, #g>", R"(
    tile.reduce sum %A, %C {dim = 1 : i64} : memref<?x?xf32, #g>, memref<?xf32, #g>)");
  Tensor c = tensorOf(DType::f32, {9, 9, 9});
  runText(text, {tensorOf(DType::f32, {1, 2, 3, 4}, {2, 2}), c});
  EXPECT_THAT(elements(c), ElementsAre(3, 7, 9));
  Tensor shorter = tensorOf(DType::f32, {9});
  runText(text, {tensorOf(DType::f32, {1, 2, 3, 4}, {2, 2}), shorter});
  EXPECT_THAT(elements(shorter), ElementsAre(3));
}

std::vector<double> scanned(const std::string &kind, Tensor tensor, int64_t dim, const std::string &flags = "") {
  runText(kernelText("%A: " + memref(tensor), fmt::format("tile.scan {} %A, %A {} {{dim = {} : i64}} : {}, {}", kind,
                                                          flags, dim, memref(tensor), memref(tensor))),
          {tensor});
  return elements(tensor);
}

TEST(InterpScan, SumsAndMaximaInPlace) {
  EXPECT_THAT(scanned("sum", tensorOf(DType::i32, {1, 2, 3, 4}), 0), ElementsAre(1, 3, 6, 10));
  EXPECT_THAT(scanned("sum", tensorOf(DType::i32, {1, 2, 3, 4}), 0, "reverse"), ElementsAre(10, 9, 7, 4));
  EXPECT_THAT(scanned("max", tensorOf(DType::i32, {3, 1, 5, 2, 9, 4}), 0), ElementsAre(3, 3, 5, 5, 9, 9));
  EXPECT_THAT(scanned("sum", tensorOf(DType::f32, {1, 2, 3, 4, 5, 6}, {2, 3}), 0), ElementsAre(1, 2, 3, 5, 7, 9));
  EXPECT_THAT(scanned("sum", tensorOf(DType::f32, {1, 2, 3, 4, 5, 6}, {2, 3}), 1), ElementsAre(1, 3, 6, 4, 9, 15));
  EXPECT_THAT(scanned("sum", tensorOf(DType::i8, {100, 100}), 0), ElementsAre(100, -56));
  EXPECT_THAT(scanned("max", tensorOf(DType::u8, {100, 200, 1}), 0), ElementsAre(100, 200, 200));
  EXPECT_THAT(scanned("max", tensorOf(DType::f32, {kNaN, -1, kNaN, 2}), 0), ElementsAre(-kInfinity, -1, -1, 2));
  EXPECT_THAT(scanned("sum", tensorOf(DType::f32, {-3, 1, 2}), 0), ElementsAre(-3, -2, 0));
  // Kept in f32: the running sum itself is never rounded to f16.
  EXPECT_THAT(scanned("sum", tensorOf(DType::f16, {2048, 1, 1}), 0), ElementsAre(2048, 2048, 2050));
}

TEST(InterpScan, ColumnWindowOfAWiderTile) {
  std::string text = kernelText("%A: memref<4x8xi32, #g>", R"(
    %w = tile.region %A[0, 0] [4, 6] : memref<4x8xi32, #g> -> <4x6xi32, #g>
    tile.scan sum %w, %w {dim = 1 : i64} : !tile.region<4x6xi32, #g>, !tile.region<4x6xi32, #g>)");
  std::vector<double> row{1, 1, 1, 1, 1, 1, 100, 100}, all;
  for (int r = 0; r < 4; ++r) all.insert(all.end(), row.begin(), row.end());
  Tensor a = tensorOf(DType::i32, all, {4, 8});
  runText(text, {a});
  for (int r = 0; r < 4; ++r) EXPECT_THAT(elements(a.select(0, r)), ElementsAre(1, 2, 3, 4, 5, 6, 100, 100));
}

TEST(InterpTranspose, SwapsTheLastAxesWithEdges) {
  std::string text = kernelText("%A: memref<?x?xf32, #g>, %C: memref<3x2xf32, #g>", R"(
    %t = tile.alloc "T" pad(-1.0) : memref<3x2xf32, #s>
    %a = tile.region %A[%c0, %c0] [2, 3] : memref<?x?xf32, #g> -> <2x3xf32, #g>
    tile.transpose %a, %t : !tile.region<2x3xf32, #g>, memref<3x2xf32, #s>
    tile.copy %t, %C : memref<3x2xf32, #s>, memref<3x2xf32, #g>)");
  Tensor c = Tensor::zeros(DType::f32, {3, 2});
  runText(text, {tensorOf(DType::f32, {1, 2, 3, 4, 5, 6}, {2, 3}), c});
  EXPECT_THAT(elements(c), ElementsAre(1, 4, 2, 5, 3, 6));
  runText(text, {tensorOf(DType::f32, {1, 2, 3, 4}, {2, 2}), c});
  EXPECT_THAT(elements(c), ElementsAre(1, 3, 2, 4, -1, -1));
}

/// An atomic update of a vector and the old values it gives.
std::pair<std::vector<double>, std::vector<double>>
updated(const std::string &kind, DType type, const std::vector<double> &old, const std::vector<double> &values) {
  Tensor c = tensorOf(type, old), given = tensorOf(type, old);
  std::string memrefText = memref(c), scalar = scalarType(type);
  std::string text = kernelText(fmt::format("%C: {0}, %V: {0}, %O: {0}", memrefText),
                                fmt::format(R"(
    %n = arith.constant {3} : index
    tile.parallel (%i) in (%n) {{
      %v = tile.load %V[%i] : {1} -> {2}
      %o = tile.atomic {0} %v, %C[%i] : {2}, {1}
      tile.store %o, %O[%i] : {2}, {1}
    }})",
                                            kind, memrefText, scalar, old.size()));
  runText(text, {c, tensorOf(type, values), given});
  EXPECT_EQ(elements(given), old);
  Tensor whole = tensorOf(type, old);
  runText(kernelText(fmt::format("%C: {0}, %V: {0}", memrefText),
                     fmt::format("tile.atomic_tile {0} %V, %C : {1}, {1}", kind, memrefText)),
          {whole, tensorOf(type, values)});
  return {elements(c), elements(whole)};
}

TEST(InterpAtomic, ElementsAndTilesOfAllKinds) {
  auto expect = [](const std::string &kind, DType type, const std::vector<double> &old,
                   const std::vector<double> &values, const std::vector<double> &result) {
    EXPECT_EQ(updated(kind, type, old, values), std::pair(result, result)) << kind << " " << name(type);
  };
  expect("add", DType::i32, {1, 2, 3, 2147483647}, {10, 20, 30, 1}, {11, 22, 33, -2147483648.0});
  expect("add", DType::f16, {0, 0, 2048}, {1.5, 2, 1}, {1.5, 2, 2048});
  expect("add", DType::bf16, {256, 1}, {1, 0.5}, {256, 1.5});
  expect("max", DType::i8, {-1, 5}, {3, -7}, {3, 5});
  expect("max", DType::u8, {255, 5}, {3, 200}, {255, 200});
  expect("min", DType::u64, {0x1p63, 5}, {3, 0x1p63}, {3, 5});
  expect("min", DType::f32, {1, 2}, {kNaN, -3}, {1, -3});
  expect("max", DType::f64, {-0.0, 2}, {0, kNaN}, {0, 2});
}

TEST(InterpAtomic, TilesConvertAndSkipWhatIsOutside) {
  std::string text = kernelText("%A: memref<2xf32, #g>, %C: memref<?xf16, #g>", R"(
    %a = tile.region %A[%c0] [4] : memref<2xf32, #g> -> <4xf32, #g>
    %c = tile.region %C[%c1] [4] : memref<?xf16, #g> -> <4xf16, #g>
    tile.atomic_tile max %a, %c : !tile.region<4xf32, #g>, !tile.region<4xf16, #g>)");
  Tensor c = tensorOf(DType::f16, {-5, -5, -5, -5});
  runText(text, {tensorOf(DType::f32, {0.1, -7}), c});
  EXPECT_THAT(elements(c), ElementsAre(-5, 0.0999755859375, -5, -5));
}

TEST(InterpAtomic, OutsideTheBufferNothingHappens) {
  std::string text = kernelText("%C: memref<2xi32, #g>, %O: memref<1xi32, #g>", R"(
    %one = arith.constant 1 : i32
    %o = tile.atomic add %one, %C[%c2] : i32, memref<2xi32, #g>
    tile.store %o, %O[%c0] : i32, memref<1xi32, #g>)");
  Tensor c = tensorOf(DType::i32, {5, 6}), o = tensorOf(DType::i32, {9});
  runText(text, {c, o});
  EXPECT_THAT(elements(c), ElementsAre(5, 6));
  EXPECT_THAT(elements(o), ElementsAre(0));
  EXPECT_ERROR(runText(text, {c, o}, {.trapOutOfBounds = true}), "index 2");
}

TEST(InterpAtomic, TheOldValueMayBeUsedTwice) {
  auto run = [](int64_t cap) {
    std::string text =
        kernelText("%x: memref<64xi32, #g>, %count: memref<1xi32, #g>, %out: memref<64xi32, #g>, %cap: i32", R"(
      %c64 = arith.constant 64 : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      tile.parallel (%i) in (%c64) {
        %x0 = tile.load %x[%i] : memref<64xi32, #g> -> i32
        %positive = arith.cmpi sgt, %x0, %zero : i32
        tile.if %positive {
          %p = tile.atomic add %one, %count[%c0] : i32, memref<1xi32, #g>
          %fits = arith.cmpi slt, %p, %cap : i32
          tile.if %fits {
            %at = arith.index_cast %p : i32 to index
            %i32 = arith.index_cast %i : index to i32
            tile.store %i32, %out[%at] : i32, memref<64xi32, #g>
          }
        }
      })");
    Tensor count = Tensor::zeros(DType::i32, {1}), out = tensorOf(DType::i32, std::vector<double>(64, -1));
    runText(text, {tensorOf(DType::i32, std::vector<double>(64, 1)), count, out, cap});
    EXPECT_EQ(count.at({0}), 64);
    return elements(out);
  };
  std::vector<double> all(64);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(run(64), all);
  std::fill(all.begin() + 10, all.end(), -1);
  EXPECT_EQ(run(10), all);
}

} // namespace
} // namespace tessera
