// Conversions to integers: every rounding, both limits of every type, and integers among themselves.
#include "core/numbers.h"

#include "core/test/random_source.h"
#include "core/test/reference_format.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

using namespace tessera;

namespace {

constexpr DType kIntegers[] = {DType::i8, DType::i16, DType::i32, DType::i64,
                               DType::u8, DType::u16, DType::u32, DType::u64};

/// The integer that a bit pattern stands for; long double holds all of them.
long double integerValue(DType type, uint64_t bits) {
  long double v = static_cast<long double>(bits);
  bool negative = isSignedInteger(type) && bits >> (bitWidth(type) - 1);
  return negative ? v - std::exp2(static_cast<long double>(bitWidth(type))) : v;
}

long double smallest(DType t) { return isSignedInteger(t) ? -std::exp2(static_cast<long double>(bitWidth(t) - 1)) : 0; }
long double largest(DType t) {
  return std::exp2(static_cast<long double>(bitWidth(t) - (isSignedInteger(t) ? 1 : 0))) - 1;
}

long double rounded(double x, Rounding r) {
  switch (r) {
  case Rounding::rint: return std::nearbyint(x);
  case Rounding::floor: return std::floor(x);
  case Rounding::ceil: return std::ceil(x);
  case Rounding::trunc: return std::trunc(x);
  case Rounding::round: return std::round(x);
  case Rounding::odd: return x == std::trunc(x) ? x : std::fmod(std::floor(x), 2) != 0 ? std::floor(x) : std::ceil(x);
  }
  return 0;
}

TEST(FloatToInteger, EveryRoundingAndBothLimits) {
  std::mt19937_64 random = randomSource();
  std::vector<double> points{0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 1e300, 5e-324};
  for (DType type : kIntegers)
    for (double limit : {static_cast<double>(smallest(type)), static_cast<double>(largest(type))})
      for (double delta : {-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0}) {
        points.push_back(limit + delta);
        points.push_back(std::nextafter(limit + delta, 0));
        points.push_back(std::nextafter(limit + delta, 1e300));
      }
  for (int i = 0; i < 3000; ++i) points.push_back(std::ldexp(static_cast<double>(random() >> 11), i % 80 - 60));
  for (DType type : kIntegers)
    for (double point : points)
      for (double x : {point, -point})
        for (Rounding r : reference::kRoundings)
          for (Saturate s : {Saturate::no, Saturate::yes}) {
            long double want = std::min(std::max(rounded(x, r), smallest(type)), largest(type));
            ASSERT_EQ(integerValue(type, encode(type, x, r, s)), want) << name(type) << ' ' << x << ' ' << int(r);
          }
}

TEST(FloatToInteger, Infinities) {
  for (DType type : kIntegers) {
    double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(integerValue(type, encode(type, inf)), largest(type));
    EXPECT_EQ(integerValue(type, encode(type, -inf)), smallest(type));
  }
}

TEST(FloatToInteger, TruncatesByDefault) {
  EXPECT_EQ(decode(DType::i32, encode(DType::i32, -2.75)), -2);
  EXPECT_EQ(decode(DType::i32, convert(DType::f32, std::bit_cast<uint32_t>(2.75f), DType::i32)), 2);
}

TEST(IntegerToInteger, WrapsOrSaturates) {
  std::mt19937_64 random = randomSource();
  for (DType from : kIntegers)
    for (DType to : kIntegers)
      for (int i = 0; i < 200; ++i) {
        uint64_t bits = random() >> random() % 64;
        if (i % 2) bits = -bits;
        uint64_t mask = ~uint64_t{0} >> (64 - bitWidth(from));
        long double value = integerValue(from, bits & mask);
        long double limited = std::min(std::max(value, smallest(to)), largest(to));
        ASSERT_EQ(integerValue(to, convert(from, bits, to, Saturate::yes)), limited);
        long double modulus = std::exp2(static_cast<long double>(bitWidth(to)));
        long double wrapped = integerValue(to, convert(from, bits, to));
        ASSERT_EQ(std::fmod(wrapped - value, modulus), 0) << name(from) << ' ' << name(to);
        if (value == limited) ASSERT_EQ(wrapped, value);
      }
}

TEST(IntegerToFloat, DecodeRounds64BitsToNearest) {
  EXPECT_EQ(decode(DType::i64, (uint64_t{1} << 53) + 1), 0x1p53);
  EXPECT_EQ(decode(DType::u64, ~uint64_t{0}), 0x1p64);
  EXPECT_EQ(decode(DType::i64, ~uint64_t{0}), -1);
}

TEST(IntegerToFloat, SaturatesInSmallTypes) {
  EXPECT_EQ(encodeSigned(DType::e4m3, -1000, Rounding::rint, Saturate::yes), 0xfe);
  EXPECT_EQ(encodeSigned(DType::e4m3, -1000, Rounding::rint), 0xff);
  EXPECT_EQ(encodeUnsigned(DType::f16, 65520, Rounding::rint), 0x7c00);
  EXPECT_EQ(encodeUnsigned(DType::f16, 65519, Rounding::rint), 0x7bff);
  EXPECT_EQ(encodeUnsigned(DType::e8m0, 0, Rounding::rint), 0);
  EXPECT_EQ(encodeSigned(DType::e8m0, -4, Rounding::rint), 0xff);
}

} // namespace
