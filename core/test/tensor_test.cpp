// Tensor: factories, views, bounds, conversion, and every message.
#include "core/tensor.h"

#include "core/numbers.h"
#include "core/test/expect_error.h"

#include <cmath>
#include <limits>

using namespace tessera;

namespace {

using Extents = Tensor::Extents;

Tensor iota(const Extents &shape) {
  int64_t n = 1;
  for (int64_t e : shape) n *= e;
  std::vector<float> values(static_cast<size_t>(n));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return Tensor::fromVector(values, shape);
}

TEST(Tensor, DefaultHasNoElements) {
  Tensor t;
  EXPECT_EQ(t.numel(), 0);
  EXPECT_EQ(t.shape(), Extents{0});
  EXPECT_TRUE(t.isContiguous());
  t.fill(1);
}

TEST(Tensor, EmptyIsAlignedRowMajor) {
  for (DType type : {DType::boolean, DType::f16, DType::f64, DType::e2m1}) {
    Tensor t = Tensor::empty(type, {2, 3, 5});
    EXPECT_TRUE(t.isAligned(Tensor::kAlignment)) << name(type);
    EXPECT_EQ(t.strides(), (Extents{15, 5, 1}));
    EXPECT_TRUE(t.isContiguous());
    EXPECT_EQ(t.numel(), 30);
    EXPECT_EQ(t.bytes(), (30 * bitWidth(type) + 7) / 8);
  }
}

TEST(Tensor, ScalarHasOneElement) {
  Tensor t = Tensor::zeros(DType::i32, {});
  EXPECT_EQ(t.numel(), 1);
  t.set({}, -7);
  EXPECT_EQ(t.at({}), -7);
  EXPECT_EQ(t.clone().at({}), -7);
}

TEST(Tensor, HandlesShareAndClonesDoNot) {
  Tensor a = iota({2, 2}), b = a, c = a.clone();
  b.set({1, 1}, 42);
  EXPECT_EQ(a.at({1, 1}), 42);
  EXPECT_EQ(c.at({1, 1}), 3);
}

TEST(Tensor, SliceOutlivesItsOwner) {
  Tensor row;
  {
    Tensor a = iota({4, 4});
    row = a.select(0, 2);
  }
  EXPECT_EQ(row.at({3}), 11);
}

TEST(Tensor, SliceSelectTranspose) {
  Tensor a = iota({4, 6});
  Tensor s = a.slice(1, 1, 6, 2);
  EXPECT_EQ(s.shape(), (Extents{4, 3}));
  EXPECT_EQ(s.strides(), (Extents{6, 2}));
  EXPECT_EQ(s.at({2, 2}), 17);
  EXPECT_FALSE(s.isContiguous());
  Tensor t = s.transpose(0, 1);
  EXPECT_EQ(t.at({2, 2}), 17);
  EXPECT_EQ(t.at({0, 3}), 19);
  EXPECT_EQ(a.select(1, 5).at({3}), 23);
  EXPECT_EQ(a.slice(0, 4, 4).numel(), 0);
  EXPECT_EQ(a.slice(0, 1, 2, 1000).at({0, 0}), 6);
}

TEST(Tensor, ZeroAndNegativeStrides) {
  float data[6] = {0, 1, 2, 3, 4, 5};
  Tensor broadcast = Tensor::view(data + 4, DType::f32, {3, 2}, {0, 1});
  EXPECT_EQ(broadcast.at({2, 1}), 5);
  Tensor reversed = Tensor::view(data + 5, DType::f32, {6}, {-1});
  EXPECT_EQ(reversed.at({0}), 5);
  EXPECT_EQ(reversed.at({5}), 0);
  EXPECT_EQ(reversed.slice(0, 1, 6, 2).at({2}), 0);
  EXPECT_EQ(reversed.clone().at({1}), 4);
}

TEST(Tensor, CopyOntoItselfReversed) {
  Tensor a = iota({5});
  Tensor back = Tensor::view(a.data<float>() + 4, DType::f32, {5}, {-1});
  a.copyFrom(back);
  for (int64_t i = 0; i < 5; ++i) EXPECT_EQ(a.at({i}), 4 - i);
}

TEST(Tensor, ContiguityIgnoresExtentOne) {
  float data[4];
  EXPECT_TRUE(Tensor::view(data, DType::f32, {1, 4}, {99, 1}).isContiguous());
  EXPECT_TRUE(Tensor::view(data, DType::f32, {4, 1}, {1, 77}).isContiguous());
  EXPECT_TRUE(Tensor::view(data, DType::f32, {0, 4}, {9, 9}).isContiguous());
  EXPECT_FALSE(Tensor::view(data, DType::f32, {2, 2}, {1, 2}).isContiguous());
}

TEST(Tensor, Reshape) {
  Tensor a = iota({2, 6}).reshape({3, 4});
  EXPECT_EQ(a.at({2, 3}), 11);
  EXPECT_ERROR((void)a.reshape({5}), "element counts differ: shape [3, 4] has 12, shape [5] has 5");
  EXPECT_ERROR((void)a.transpose(0, 1).reshape({12}), "cannot reshape f32[4, 3] strides [1, 4] on cpu:0 to [12]");
  EXPECT_EQ(Tensor::empty(DType::f32, {0, 3}).reshape({7, 0}).numel(), 0);
}

TEST(Tensor, ZeroSizeEverywhere) {
  Tensor z = Tensor::empty(DType::bf16, {3, 0, 2});
  z.fill(1);
  z.fillRandom(1, 0, 1);
  z.copyFrom(Tensor::empty(DType::f32, {3, 0, 2}));
  EXPECT_EQ(z.clone().shape(), z.shape());
  EXPECT_EQ(z.to(DType::i8).numel(), 0);
  EXPECT_EQ(z.select(0, 2).shape(), (Extents{0, 2}));
  EXPECT_EQ(z.slice(0, 1, 3).shape(), (Extents{2, 0, 2}));
  EXPECT_EQ(z.transpose(0, 1).shape(), (Extents{0, 3, 2}));
  EXPECT_EQ(Tensor::view(static_cast<void *>(nullptr), DType::f32, {0}).numel(), 0);
  constexpr int64_t kHuge = int64_t{1} << 40;
  Tensor wide = Tensor::empty(DType::f32, {kHuge, 0, kHuge, kHuge});
  EXPECT_EQ(wide.numel(), 0);
  EXPECT_EQ(wide.slice(0, 5, 9, 2).select(2, 5).numel(), 0);
}

TEST(Tensor, TypedAccess) {
  Tensor a = iota({3});
  EXPECT_EQ(a.data<float>()[2], 2.0f);
  EXPECT_EQ(a.asReadOnly().data<const float>()[1], 1.0f);
  EXPECT_ERROR(a.data<double>(), "element types differ: tensor has f32, asked for f64");
  EXPECT_ERROR(a.asReadOnly().data<float>(), "f32[3] strides [1] on cpu:0 is read-only");
  EXPECT_ERROR(a.asReadOnly().mutableData(), "is read-only");
  alignas(8) char raw[12] = {};
  EXPECT_ERROR(Tensor::view(raw + 1, DType::f32, {2}).data<float>(), "is not aligned to 4 bytes");
  EXPECT_EQ(Tensor::view(raw + 1, DType::f32, {2}).at({1}), 0);
}

TEST(Tensor, ReadOnlySpreadsToViews) {
  const float data[4] = {1, 2, 3, 4};
  Tensor a = Tensor::view(data, DType::f32, {2, 2});
  EXPECT_TRUE(a.readOnly());
  for (Tensor t : {a.slice(0, 0, 1), a.select(0, 1), a.transpose(0, 1), a.reshape({4}), a.bitcast(DType::i32)}) {
    EXPECT_TRUE(t.readOnly());
    EXPECT_ERROR(t.fill(0), "is read-only");
    EXPECT_ERROR(t.fillRandom(0, 0, 1), "is read-only");
    EXPECT_ERROR(t.copyFrom(t.clone()), "is read-only");
  }
  EXPECT_ERROR(a.set({0, 0}, 1), "is read-only");
  EXPECT_FALSE(a.clone().readOnly());
}

TEST(Tensor, BoundsMessages) {
  Tensor a = iota({2, 3});
  EXPECT_ERROR((void)a.at({2, 0}), "index [2, 0] is out of bounds for shape [2, 3]");
  EXPECT_ERROR((void)a.at({0, -1}), "index [0, -1] is out of bounds for shape [2, 3]");
  EXPECT_ERROR((void)a.at({0}), "index [0] has 1 dimensions, tensor has 2");
  EXPECT_ERROR((void)a.slice(0, 1, 3), "slice 1:3 is out of bounds for extent 2 of dimension 0");
  EXPECT_ERROR((void)a.slice(0, 2, 1), "slice 2:1 is out of bounds");
  EXPECT_ERROR((void)a.slice(0, -1, 1), "slice -1:1 is out of bounds");
  EXPECT_ERROR((void)a.slice(1, 0, 3, 0), "slice step 0 is not positive");
  EXPECT_ERROR((void)a.slice(2, 0, 1), "dimension 2 is out of range for rank 2 (shape [2, 3])");
  EXPECT_ERROR((void)a.select(1, 3), "index 3 is out of bounds for extent 3 of dimension 1");
  EXPECT_ERROR((void)a.transpose(0, -1), "dimension -1 is out of range");
  EXPECT_ERROR((void)a.extent(5), "dimension 5 is out of range");
}

TEST(Tensor, FactoryMessages) {
  float data[4];
  constexpr int64_t kHuge = int64_t{1} << 40;
  EXPECT_ERROR((void)Tensor::empty(DType::f32, {2, -3}), "extent -3 of dimension 1 is negative");
  EXPECT_ERROR((void)Tensor::empty(DType::f32, {kHuge, kHuge}), "has too many elements");
  EXPECT_ERROR((void)Tensor::view(data, DType::f32, {2, 2}, {1}), "ranks of shape and strides differ: [2, 2] vs [1]");
  EXPECT_ERROR((void)Tensor::view(static_cast<void *>(nullptr), DType::f32, {2}),
               "null data for a tensor of shape [2]");
  EXPECT_ERROR((void)Tensor::view(data, DType::f32, {3}, {int64_t{1} << 62}), "reach too far");
  EXPECT_ERROR((void)Tensor::view(data, DType::f32, {2}, {std::numeric_limits<int64_t>::min()}), "reach too far");
  EXPECT_ERROR((void)Tensor::fromVector(std::vector<float>{1, 2}, {3}), "2 values do not fill shape [3], which has 3");
  EXPECT_ERROR(iota({2}).copyFrom(iota({3})), "shapes differ: cannot copy [3] to [2]");
  EXPECT_ERROR(iota({2}).fillRandom(0, 1, 0), "random range is empty: 1 to 0");
  constexpr double kInfinity = std::numeric_limits<double>::infinity(), kLargest = std::numeric_limits<double>::max();
  EXPECT_ERROR(iota({2}).fillRandom(0, 0, kInfinity), "random range 0 to inf is not finite");
  EXPECT_ERROR(iota({2}).fillRandom(0, -kInfinity, -kInfinity), "random range -inf to -inf is not finite");
  EXPECT_ERROR(iota({2}).fillRandom(0, -kLargest, kLargest), "give bounds whose difference is a finite double");
  EXPECT_ERROR((void)iota({2}).bitcast(DType::f16), "element widths differ: f32 has 32 bits, f16 has 16");
}

TEST(Tensor, OutOfMemory) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the sanitizers end the process instead of refusing memory";
#endif
  EXPECT_ERROR((void)Tensor::empty(DType::i8, {int64_t{1} << 55}),
               "out of memory for a tensor of 36028797018963968 bytes");
}

TEST(Tensor, OtherDevicesHaveNoElementAccess) {
  Tensor t = Tensor::view(reinterpret_cast<void *>(0x1000), DType::f32, {4}, {}, {DeviceKind::cuda, 1});
  EXPECT_EQ(t.device(), (Device{DeviceKind::cuda, 1}));
  EXPECT_EQ(t.slice(0, 1, 2).data(), reinterpret_cast<void *>(0x1004));
  EXPECT_ERROR((void)t.at({0}), "needs a tensor on the cpu, this one is on cuda:1");
  EXPECT_ERROR(t.fill(0), "needs a tensor on the cpu");
  EXPECT_ERROR((void)t.clone(), "needs a tensor on the cpu");
  EXPECT_EQ((Device{DeviceKind::ascend, 3}).text(), "ascend:3");
}

TEST(Tensor, PackedNibbles) {
  Tensor t = Tensor::zeros(DType::e2m1, {2, 4});
  double values[8] = {0, .5, -1, 1.5, 2, -3, 4, 6};
  for (int64_t i = 0; i < 8; ++i) t.set({i / 4, i % 4}, values[i]);
  EXPECT_EQ(static_cast<const uint8_t *>(t.data())[0], 0x10); // low nibble first
  EXPECT_EQ(static_cast<const uint8_t *>(t.data())[1], 0x3a);
  Tensor column = t.transpose(0, 1);
  for (int64_t i = 0; i < 8; ++i) EXPECT_EQ(column.at({i % 4, i / 4}), values[i]);
  EXPECT_EQ(column.clone().at({3, 1}), 6);
  EXPECT_EQ(t.slice(1, 2, 4).at({1, 0}), 4);
  EXPECT_ERROR((void)t.slice(1, 1, 3), "element 1 of a e2m1 tensor does not start on a byte");
  EXPECT_EQ(Tensor::empty(DType::e2m1, {3}).bytes(), 2);
}

TEST(Tensor, ConversionUsesTheDefaultCast) {
  Tensor a = Tensor::fromVector(std::vector<float>{1.75f, -2.5f, NAN, 1e10f, 464.5f});
  Tensor i8 = a.to(DType::i8), e4m3 = a.to(DType::e4m3), b = a.to(DType::boolean);
  double wantI8[] = {1, -2, 0, 127, 127};
  for (int64_t i = 0; i < 5; ++i) {
    EXPECT_EQ(i8.at({i}), wantI8[i]);
    EXPECT_EQ(b.at({i}), 1);
  }
  EXPECT_TRUE(std::isnan(e4m3.at({4})));
  // 64-bit integers pass through no floating type.
  std::vector<int64_t> big{(int64_t{1} << 53) + 1};
  EXPECT_EQ(Tensor::fromVector(big).to(DType::u64).data<uint64_t>()[0], (uint64_t{1} << 53) + 1);
}

TEST(Tensor, EveryPairOfTypesConvertsAlikeWhateverTheLayout) {
  // Contiguous rows take the vector code, columns the scalar one; both must be the default cast.
  constexpr int64_t kRows = 3, kCols = 301;
  for (int f = 0; f <= static_cast<int>(DType::e2m1); ++f)
    for (int t = 0; t <= static_cast<int>(DType::e2m1); ++t) {
      auto from = static_cast<DType>(f), to = static_cast<DType>(t);
      Tensor rows = Tensor::empty(from, {kRows, kCols}), columns = Tensor::zeros(from, {kCols, kRows}).transpose(0, 1);
      rows.fillRandom(7, isFloat(from) ? -600 : 0, 100);
      columns.copyFrom(rows);
      Tensor fromRows = rows.to(to), fromColumns = columns.to(to), intoColumns = columns.to(to).transpose(0, 1).clone();
      for (int64_t i = 0; i < kRows * kCols; i += 7) {
        int64_t r = i / kCols, c = i % kCols;
        double want = decode(to, convert(from, encode(from, rows.at({r, c})), to)), a = fromRows.at({r, c});
        ASSERT_TRUE(a == want || (std::isnan(a) && std::isnan(want))) << name(from) << ' ' << name(to) << ' ' << want;
        double b = fromColumns.at({r, c}), d = intoColumns.at({c, r});
        ASSERT_TRUE((b == want && d == want) || (std::isnan(b) && std::isnan(d) && std::isnan(want)));
      }
    }
}

TEST(Tensor, UnalignedRowsConvert) {
  std::vector<uint8_t> raw(41);
  Tensor odd = Tensor::view(raw.data() + 1, DType::f32, {10});
  odd.copyFrom(iota({10}));
  EXPECT_EQ(odd.to(DType::bf16).at({9}), 9);
}

TEST(Tensor, BoolVector) {
  Tensor t = Tensor::fromVector(std::vector<bool>{true, false, true});
  EXPECT_EQ(t.dtype(), DType::boolean);
  EXPECT_EQ(t.at({0}) + 2 * t.at({1}) + 4 * t.at({2}), 5);
}

TEST(Tensor, RandomDependsOnSeedAndPositionOnly) {
  Tensor a = Tensor::empty(DType::f32, {7, 11}), b = Tensor::empty(DType::f32, {11, 7}).transpose(0, 1);
  a.fillRandom(3, -1, 2);
  b.fillRandom(3, -1, 2);
  double sum = 0;
  for (int64_t i = 0; i < 77; ++i) {
    double x = a.at({i / 11, i % 11});
    EXPECT_EQ(x, b.at({i / 11, i % 11}));
    EXPECT_GE(x, -1);
    EXPECT_LE(x, 2);
    sum += x;
  }
  EXPECT_NEAR(sum / 77, 0.5, 0.3);
  b.fillRandom(4, -1, 2);
  EXPECT_NE(a.at({0, 0}), b.at({0, 0}));
}

TEST(Tensor, RandomIntegersBeyondTheTypeTakeItsLimits) {
  Tensor t = Tensor::empty(DType::u8, {100});
  t.fillRandom(1, -1000, -1);
  EXPECT_EQ(t.at({99}), 0);
  t.fillRandom(1, 1000, 2000);
  EXPECT_EQ(t.at({99}), 255);
}

TEST(Tensor, RandomIntegersReachBothLimits) {
  Tensor t = Tensor::empty(DType::i8, {1000});
  t.fillRandom(1, -2, 3);
  double low = 99, high = -99;
  for (int64_t i = 0; i < 1000; ++i) {
    low = std::min(low, t.at({i}));
    high = std::max(high, t.at({i}));
  }
  EXPECT_EQ(low, -2);
  EXPECT_EQ(high, 3);
}

} // namespace
