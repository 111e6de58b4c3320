// Overlap of strided tensors, also against a plain count of shared halves of bytes.
#include "tilelang/driver/overlap.h"

#include "core/test/random_source.h"

#include <algorithm>
#include <array>
#include <functional>
#include <gtest/gtest.h>
#include <set>

namespace tessera {
namespace {

TEST(Overlap, SeesApartSameAndPartial) {
  Tensor a = Tensor::zeros(DType::f32, {8, 8}), b = Tensor::zeros(DType::f32, {8, 8});
  EXPECT_EQ(overlap(a, b), Overlap::none);
  EXPECT_EQ(overlap(a, a), Overlap::same);
  EXPECT_EQ(overlap(a, a.slice(0, 0, 4)), Overlap::partial);
  EXPECT_EQ(overlap(a.slice(0, 0, 4), a.slice(0, 4, 8)), Overlap::none);
  EXPECT_EQ(overlap(a.slice(0, 0, 5), a.slice(0, 4, 8)), Overlap::partial);
  EXPECT_EQ(overlap(a, a.transpose(0, 1)), Overlap::partial);
  EXPECT_EQ(overlap(a, a.bitcast(DType::i32)), Overlap::partial);
}

TEST(Overlap, LooksAtElementsNotAtRanges) {
  Tensor packed = Tensor::zeros(DType::f32, {16, 96});
  Tensor q = packed.slice(1, 0, 32), k = packed.slice(1, 32, 64), wide = packed.slice(1, 0, 33);
  EXPECT_EQ(overlap(q, k), Overlap::none);
  EXPECT_EQ(overlap(wide, k), Overlap::partial);
  EXPECT_EQ(overlap(packed.slice(1, 0, 96, 2), packed.slice(1, 1, 96, 2)), Overlap::none);
  EXPECT_EQ(overlap(packed.select(0, 3), k), Overlap::partial);
  EXPECT_EQ(overlap(packed.select(0, 3).slice(0, 64, 96), k), Overlap::none);
}

TEST(Overlap, IgnoresTensorsWithoutElements) {
  Tensor a = Tensor::zeros(DType::f32, {8, 8});
  EXPECT_EQ(overlap(a, a.slice(0, 3, 3)), Overlap::none);
  EXPECT_FALSE(mayOverlapItself(Tensor::zeros(DType::f32, {0, 4})));
}

TEST(Overlap, FindsTensorsThatOverlapThemselves) {
  float data[16] = {};
  auto self = [&](Tensor::Extents shape, Tensor::Extents strides) {
    return mayOverlapItself(Tensor::view(data, DType::f32, std::move(shape), std::move(strides)));
  };
  EXPECT_FALSE(self({4, 4}, {4, 1}));
  EXPECT_FALSE(self({4, 4}, {1, 4}));
  EXPECT_FALSE(self({1, 4}, {0, 1}));
  EXPECT_FALSE(self({2, 3}, {8, 2}));
  EXPECT_TRUE(self({4, 4}, {0, 1}));
  EXPECT_TRUE(self({3, 4}, {2, 1}));
}

/// Every half of a byte of every element.
std::set<int64_t> halves(const Tensor &tensor) {
  std::set<int64_t> all;
  std::vector<int64_t> index(tensor.shape().size());
  int64_t width = bitWidth(tensor.dtype()) / 4;
  std::function<void(size_t, int64_t)> walk = [&](size_t dim, int64_t at) {
    if (dim == index.size()) {
      for (int64_t i = 0; i < width; ++i) all.insert(at + i);
      return;
    }
    for (int64_t i = 0; i < tensor.shape()[dim]; ++i) walk(dim + 1, at + i * tensor.strides()[dim] * width);
  };
  walk(0, 2 * reinterpret_cast<int64_t>(tensor.data()));
  return all;
}

TEST(Overlap, AgreesWithACountOfSharedHalves) {
  auto random = randomSource();
  auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  std::vector<char> memory(4096);
  auto any = [&] {
    DType type = std::array{DType::f32, DType::i16, DType::e2m1}[static_cast<size_t>(pick(0, 2))];
    Tensor::Extents shape, strides;
    for (int d = pick(0, 3); d > 0; --d) shape.push_back(pick(1, 4)), strides.push_back(pick(-12, 12));
    return Tensor::view(memory.data() + 2048 + 4 * pick(-20, 20), type, shape, strides);
  };
  int shared = 0;
  for (int round = 0; round < 4000; ++round) {
    Tensor a = any(), b = any();
    std::set<int64_t> first = halves(a), second = halves(b);
    bool expected = std::ranges::any_of(first, [&](int64_t at) { return second.contains(at); });
    ASSERT_EQ(overlap(a, b) != Overlap::none, expected) << a.text() << " and " << b.text();
    bool repeated = static_cast<int64_t>(first.size()) != a.numel() * bitWidth(a.dtype()) / 4;
    if (repeated) ASSERT_TRUE(mayOverlapItself(a)) << a.text();
    shared += expected;
  }
  EXPECT_GT(shared, 500); // otherwise the tensors are drawn badly
  EXPECT_LT(shared, 3500);
}

} // namespace
} // namespace tessera
