// Scalar conversions: every code, special values, saturation, NaN, integers, and known results.
#include "core/numbers.h"

#include "core/test/random_source.h"
#include "core/test/reference_format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

using namespace tessera;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr Saturate kPlain = Saturate::no, kSaturate = Saturate::yes;

uint64_t doubleBits(double x) { return std::bit_cast<uint64_t>(x); }

TEST(Decode, EveryCodeOfEveryNarrowType) {
  for (DType type : reference::kNarrowTypes)
    for (uint64_t code = 0; code < uint64_t{1} << bitWidth(type); ++code) {
      double want = reference::value(type, code), got = decode(type, code);
      if (std::isnan(want))
        EXPECT_TRUE(std::isnan(got)) << name(type) << ' ' << code;
      else
        EXPECT_EQ(doubleBits(got), doubleBits(want)) << name(type) << ' ' << code; // sign of zero included
    }
}

TEST(Encode, EveryCodeComesBack) {
  for (DType type : reference::kNarrowTypes)
    for (uint64_t code = 0; code < uint64_t{1} << bitWidth(type); ++code) {
      double v = reference::value(type, code);
      if (std::isnan(v)) continue;
      for (Rounding r : reference::kRoundings) ASSERT_EQ(encode(type, v, r), code) << name(type) << ' ' << v;
      if (std::isfinite(v)) ASSERT_EQ(encode(type, v, kSaturate), code) << name(type) << ' ' << v;
    }
}

TEST(Encode, NaNKeepsSignAndPayloadWhereThereIsRoom) {
  for (DType type : {DType::f16, DType::bf16, DType::f32})
    for (uint64_t code = 0; code < uint64_t{1} << 16; ++code) {
      uint64_t bits = type == DType::f32 ? code << 16 | 1 : code;
      double v = decode(type, bits);
      if (!std::isnan(v)) continue;
      uint64_t quiet = type == DType::f16 ? 0x200 : type == DType::bf16 ? 0x40 : 0x400000;
      ASSERT_EQ(encode(type, v), bits | quiet) << name(type);
      ASSERT_EQ(encode(type, v, kSaturate), bits | quiet) << name(type);
    }
}

TEST(Encode, NaNElsewhere) {
  for (Saturate s : {kPlain, kSaturate}) {
    EXPECT_EQ(encode(DType::e4m3, kNaN, s), 0x7f);
    EXPECT_EQ(encode(DType::e4m3, -kNaN, s), 0xff);
    EXPECT_EQ(encode(DType::e5m2, kNaN, s), 0x7f);
    EXPECT_EQ(encode(DType::e5m2, -kNaN, s), 0xff);
    EXPECT_EQ(encode(DType::hif8, kNaN, s), 0x80);
    EXPECT_EQ(encode(DType::hif8, -kNaN, s), 0x80);
    EXPECT_EQ(encode(DType::e8m0, -kNaN, s), 0xff);
    EXPECT_EQ(encode(DType::e2m1, kNaN, s), 0x7);
    EXPECT_EQ(encode(DType::e2m1, -kNaN, s), 0x7);
    EXPECT_EQ(encode(DType::i32, kNaN, s), 0);
    EXPECT_EQ(encode(DType::boolean, kNaN, s), 1);
  }
}

TEST(Encode, Infinity) {
  struct Row {
    DType type;
    uint64_t plain, saturated;
  };
  for (Row r : {Row{DType::f16, 0x7c00, 0x7bff},
                {DType::bf16, 0x7f80, 0x7f7f},
                {DType::f32, 0x7f800000, 0x7f7fffff},
                {DType::f64, 0x7ff0000000000000, 0x7fefffffffffffff},
                {DType::e5m2, 0x7c, 0x7b},
                {DType::e4m3, 0x7f, 0x7e},
                {DType::hif8, 0x6f, 0x6e},
                {DType::e2m1, 7, 7}}) {
    uint64_t sign = uint64_t{1} << (bitWidth(r.type) - 1);
    EXPECT_EQ(encode(r.type, kInf), r.plain) << name(r.type);
    EXPECT_EQ(encode(r.type, -kInf), r.plain | sign) << name(r.type);
    EXPECT_EQ(encode(r.type, kInf, kSaturate), r.saturated) << name(r.type);
    EXPECT_EQ(encode(r.type, -kInf, kSaturate), r.saturated | sign) << name(r.type);
  }
  EXPECT_EQ(encode(DType::e8m0, kInf), 0xff);
  EXPECT_EQ(encode(DType::e8m0, kInf, kSaturate), 0xfe);
  EXPECT_EQ(encode(DType::e8m0, -kInf, kSaturate), 0xff);
}

TEST(Encode, NegativeZero) {
  for (DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::e4m3, DType::e5m2, DType::e2m1}) {
    uint64_t sign = uint64_t{1} << (bitWidth(type) - 1);
    EXPECT_EQ(encode(type, -0.0), sign) << name(type);
    if (type != DType::f64) EXPECT_EQ(encode(type, -1e-320), sign) << name(type) << ": an underflow keeps its sign";
    EXPECT_TRUE(std::signbit(decode(type, sign))) << name(type);
  }
  EXPECT_EQ(encode(DType::hif8, -0.0), 0);
  EXPECT_EQ(encode(DType::hif8, -0x1p-30), 0);
  EXPECT_EQ(encode(DType::e8m0, -0.0), 0);
}

TEST(Encode, E8M0HasNeitherSignNorZero) {
  EXPECT_EQ(encode(DType::e8m0, 0.0), 0);
  EXPECT_EQ(encode(DType::e8m0, 1e-300, Rounding::trunc), 0);
  EXPECT_EQ(encode(DType::e8m0, -1.0), 0xff);
  EXPECT_EQ(encode(DType::e8m0, -1.0, kSaturate), 0xff);
  EXPECT_EQ(encode(DType::e8m0, 1.5), 128) << "a tie goes up";
  EXPECT_EQ(encode(DType::e8m0, std::nextafter(1.5, 0)), 127);
  EXPECT_EQ(encode(DType::e8m0, std::nextafter(1.0, 2), Rounding::ceil), 128) << "as quantisers want it";
}

TEST(Encode, FrameworkCastToE4M3) {
  EXPECT_EQ(encode(DType::e4m3, 464.0), 0x7e);
  EXPECT_EQ(encode(DType::e4m3, std::nextafter(464.0, 500)), 0x7f);
  EXPECT_EQ(encode(DType::e4m3, -465.0), 0xff);
  EXPECT_EQ(encode(DType::e4m3, 1e30, kSaturate), 0x7e);
  EXPECT_EQ(encode(DType::e4m3, 1e30, Rounding::trunc), 0x7e);
}

TEST(Encode, HiF8Samples) {
  struct Row {
    double value;
    uint64_t code;
  };
  for (Row r : {Row{1, 0x08},
                {1.5, 0x0c},
                {2, 0x10},
                {0.5, 0x18},
                {4, 0x20},
                {32768, 0x6e},
                {0x1p-22, 0x01},
                {0x1p-16, 0x07},
                {0x1p-15, 0x7e},
                {-1.5, 0x8c}}) {
    EXPECT_EQ(encode(DType::hif8, r.value), r.code) << r.value;
    EXPECT_EQ(decode(DType::hif8, r.code), r.value);
  }
  EXPECT_EQ(encode(DType::hif8, 0x1p-23), 0x01) << "half of the smallest value is a tie, and ties go away from zero";
  EXPECT_EQ(encode(DType::hif8, std::nextafter(0x1p-23, 0)), 0x00);
  EXPECT_EQ(encode(DType::hif8, std::nextafter(40960.0, 0)), 0x6e);
  EXPECT_EQ(encode(DType::hif8, 40960.0), 0x6f);
  EXPECT_EQ(encode(DType::hif8, 40960.0, kSaturate), 0x6e);
}

TEST(Encode, FieldCaseIntegersToBf16) {
  struct Row {
    int32_t value;
    double want;
  };
  for (Row r : {Row{257, 256}, {259, 260}, {-259, -260}, {33000, 33024}, {65535, 65536}, {1077936129, 1082130432}}) {
    auto bits = static_cast<uint32_t>(r.value);
    EXPECT_EQ(decode(DType::bf16, convert(DType::i32, bits, DType::bf16)), r.want) << r.value;
  }
}

TEST(Encode, FieldCaseAllE4M3Codes) {
  std::vector<uint8_t> codes(256);
  std::vector<float> fast(256);
  for (size_t i = 0; i < 256; ++i) codes[i] = static_cast<uint8_t>(i);
  decode(DType::e4m3, codes.data(), fast);
  auto check = [&](uint8_t code, double want) {
    EXPECT_EQ(doubleBits(decode(DType::e4m3, code)), doubleBits(want));
    EXPECT_EQ(doubleBits(fast[code]), doubleBits(want));
  };
  check(0x77, 240), check(0x78, 256), check(0x7e, 448), check(0x08, 0x1p-6), check(0x01, 0x1p-9), check(0x80, -0.0);
  for (uint64_t code = 0; code < 256; ++code) {
    bool nan = code == 0x7f || code == 0xff;
    EXPECT_EQ(std::isnan(decode(DType::e4m3, code)), nan);
    EXPECT_EQ(std::isnan(fast[code]), nan);
    EXPECT_FALSE(std::isinf(decode(DType::e4m3, code)));
    if (!nan) EXPECT_EQ(encode(DType::e4m3, decode(DType::e4m3, code)), code);
  }
}

TEST(RoundToInteger, FieldCaseTwoRoundings) {
  double in[] = {0.5, 1.5, 2.5, -0.5, -2.5}, away[] = {1, 2, 3, -1, -3}, even[] = {0, 2, 2, -0.0, -2};
  for (int i = 0; i < 5; ++i)
    for (DType type : {DType::f32, DType::f16, DType::bf16, DType::e4m3, DType::e5m2}) {
      double x = roundTo(type, in[i]); // exact in all of them
      EXPECT_EQ(doubleBits(roundTo(type, roundToInteger(x, Rounding::round))), doubleBits(away[i]));
      EXPECT_EQ(doubleBits(roundTo(type, roundToInteger(x, Rounding::rint))), doubleBits(even[i]));
    }
}

TEST(RoundToInteger, AgreesWithTheLibrary) {
  std::mt19937_64 random = randomSource();
  auto check = [](double x) {
    EXPECT_EQ(doubleBits(roundToInteger(x, Rounding::rint)), doubleBits(std::nearbyint(x))) << x;
    EXPECT_EQ(doubleBits(roundToInteger(x, Rounding::floor)), doubleBits(std::floor(x))) << x;
    EXPECT_EQ(doubleBits(roundToInteger(x, Rounding::ceil)), doubleBits(std::ceil(x))) << x;
    EXPECT_EQ(doubleBits(roundToInteger(x, Rounding::trunc)), doubleBits(std::trunc(x))) << x;
    EXPECT_EQ(doubleBits(roundToInteger(x, Rounding::round)), doubleBits(std::round(x))) << x;
    double odd = roundToInteger(x, Rounding::odd);
    if (x == std::trunc(x))
      EXPECT_EQ(doubleBits(odd), doubleBits(x));
    else
      EXPECT_TRUE(std::abs(odd - x) <= 1 && std::fmod(std::abs(odd), 2) == 1) << x;
  };
  for (double x : {0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 0x1p52, 0x1p52 - 0.5, 0x1p51 + 0.5, 1e300, 5e-324, 0x1p-60})
    check(x), check(-x);
  for (int i = 0; i < 20000; ++i) check(std::ldexp(static_cast<double>(static_cast<int64_t>(random())), -40 - i % 40));
  EXPECT_TRUE(std::isnan(roundToInteger(kNaN, Rounding::rint)));
  EXPECT_EQ(roundToInteger(-kInf, Rounding::rint), -kInf);
}

TEST(Convert, SameTypeKeepsTheBits) {
  for (DType type : reference::kNarrowTypes)
    for (uint64_t code = 0; code < uint64_t{1} << bitWidth(type); ++code) ASSERT_EQ(convert(type, code, type), code);
}

TEST(Convert, IgnoresBitsAboveTheType) {
  EXPECT_EQ(decode(DType::i8, 0xffffffffffffff80), -128);
  EXPECT_EQ(decode(DType::e2m1, 0xf2), 1);
  EXPECT_EQ(convert(DType::u8, 0x1ff, DType::i32), 255);
}

TEST(Convert, Booleans) {
  for (DType type : {DType::f32, DType::bf16, DType::e4m3, DType::i64, DType::u8}) {
    EXPECT_EQ(decode(type, convert(DType::boolean, 1, type)), 1) << name(type);
    EXPECT_EQ(decode(type, convert(DType::boolean, 0, type)), 0) << name(type);
    EXPECT_EQ(convert(type, encode(type, 2.0), DType::boolean), 1) << name(type);
    EXPECT_EQ(convert(type, 0, DType::boolean), 0) << name(type);
  }
  EXPECT_EQ(encode(DType::boolean, 0.25), 1);
  EXPECT_EQ(encode(DType::boolean, -0.0), 0);
}

} // namespace
