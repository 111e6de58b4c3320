// Rounding, tested densely against enumerated neighbours: exact values, ties, and the closest doubles around both, for
// every pair of neighbours of every narrow type, in every rounding, saturating and not.
#include "core/numbers.h"

#include "core/test/random_source.h"
#include "core/test/reference_format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <random>

using namespace tessera;
using reference::Step;

namespace {

/// Points at which a rounding could go wrong between two neighbours.
std::vector<double> pointsBetween(double low, double high) {
  double middle = low + (high - low) / 2, quarter = low + (high - low) / 4;
  std::vector<double> points{quarter,
                             middle,
                             std::nextafter(low, high),
                             std::nextafter(high, low),
                             std::nextafter(middle, low),
                             std::nextafter(middle, high)};
  // The closest floats too: a detour over float would hide the doubles above but not these.
  for (double x : {low, middle, high})
    for (double to : {low, high}) {
      double f = std::nextafter(static_cast<float>(x), static_cast<float>(to));
      if (f > low && f < high) points.push_back(f);
    }
  return points;
}

class Narrow : public testing::TestWithParam<DType> {
protected:
  DType type = GetParam();
  std::vector<Step> ladder = reference::ladder(type);
  bool isSigned = type != DType::e8m0;

  void check(double x, uint64_t want, Rounding r, Saturate s) {
    ASSERT_EQ(encode(type, x, r, s), want)
        << name(type) << ' ' << x << " rounding " << int(r) << " saturate " << int(s);
  }

  void checkPoint(double x, const Step &low, const Step &high) {
    for (Rounding r : reference::kRoundings)
      for (Saturate s : {Saturate::no, Saturate::yes})
        for (bool negative : {false, true}) {
          if (negative && !isSigned) continue;
          const Step &to = reference::roundsUp(x, low.value, high.value, r, negative) ? high : low;
          check(negative ? -x : x, reference::withSign(type, to.code, negative), r, s);
        }
  }
};

TEST_P(Narrow, BetweenAllNeighbours) {
  for (size_t i = 0; i + 1 < ladder.size(); ++i)
    for (double x : pointsBetween(ladder[i].value, ladder[i + 1].value)) checkPoint(x, ladder[i], ladder[i + 1]);
}

TEST_P(Narrow, BeyondTheLargest) {
  const Step &largest = ladder.back();
  double step = largest.value - ladder[ladder.size() - 2].value;
  if (type == DType::e8m0 || type == DType::hif8) step = largest.value / (type == DType::hif8 ? 2 : 1);
  double next = largest.value + step; // the value that would follow
  std::vector<double> points = pointsBetween(largest.value, next);
  for (double x : {next, next * 2, 1e300}) points.push_back(x);
  for (double x : points)
    for (Rounding r : reference::kRoundings)
      for (bool negative : {false, true}) {
        if (negative && !isSigned) continue;
        bool stops = r == Rounding::trunc || r == Rounding::odd || r == (negative ? Rounding::ceil : Rounding::floor);
        bool over = !stops && (x >= next || reference::roundsUp(x, largest.value, next, r, negative));
        uint64_t plain = over ? reference::overflowCode(type) : largest.code;
        check(negative ? -x : x, reference::withSign(type, plain, negative), r, Saturate::no);
        check(negative ? -x : x, reference::withSign(type, largest.code, negative), r, Saturate::yes);
      }
}

TEST_P(Narrow, IsMonotonic) {
  std::mt19937_64 random = randomSource();
  std::vector<double> points;
  std::uniform_real_distribution<double> exponent(-30, 18), mantissa(1, 2);
  for (int i = 0; i < 20000; ++i) {
    double x = mantissa(random) * std::exp2(exponent(random));
    points.push_back(isSigned && random() % 2 ? -x : x);
  }
  std::ranges::sort(points);
  for (Rounding r : reference::kRoundings)
    for (size_t i = 1; i < points.size(); ++i)
      ASSERT_LE(roundTo(type, points[i - 1], r, Saturate::yes), roundTo(type, points[i], r, Saturate::yes))
          << points[i - 1] << ' ' << points[i];
}

TEST_P(Narrow, IntegersRoundOnce) {
  // Integers of 64 bits around every value and tie that is one; long double holds them all exactly.
  auto checkInteger = [&](uint64_t magnitude, const Step &low, const Step &high) {
    auto x = static_cast<long double>(magnitude);
    for (Rounding r : reference::kRoundings)
      for (bool negative : {false, true}) {
        if (negative && (!isSigned || magnitude > uint64_t{1} << 63)) continue;
        bool exact = x == static_cast<long double>(low.value);
        bool up = !exact && reference::roundsUp<long double>(x, low.value, high.value, r, negative);
        uint64_t want = reference::withSign(type, up ? high.code : low.code, negative);
        if (negative)
          ASSERT_EQ(encodeSigned(type, static_cast<int64_t>(-magnitude), r), want) << magnitude;
        else
          ASSERT_EQ(encodeUnsigned(type, magnitude, r), want) << magnitude;
      }
  };
  for (size_t i = 0; i + 1 < ladder.size(); ++i) {
    const Step &low = ladder[i], &high = ladder[i + 1];
    if (low.value < 1 || high.value >= 0x1p64) continue;
    double middle = low.value + (high.value - low.value) / 2;
    for (double base : {low.value, middle})
      for (int64_t delta : {-1, 0, 1}) {
        if (base != std::floor(base)) continue;
        uint64_t magnitude = static_cast<uint64_t>(base) + static_cast<uint64_t>(delta);
        auto x = static_cast<long double>(magnitude);
        if (x >= low.value && x < high.value) checkInteger(magnitude, low, high);
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Narrow, testing::ValuesIn(reference::kNarrowTypes),
                         [](const auto &info) { return std::string(name(info.param)); });

/// The hardware's own conversion to float, in a given direction.
float hardwareFloat(double x, int direction) {
  int before = std::fegetround();
  std::fesetround(direction);
  volatile double in = x;
  volatile float out = static_cast<float>(in);
  std::fesetround(before);
  return out;
}

TEST(RoundToFloat, AgreesWithTheHardware) {
  std::mt19937_64 random = randomSource();
  for (int i = 0; i < 200000; ++i) {
    // All bit patterns, and exponents around float's range, subnormals included.
    uint64_t bits = random();
    if (i % 2) bits = (bits & 0x800fffffffffffff) | (uint64_t{0x3ff} - 160 + random() % 300) << 52;
    if (i % 3 == 0) bits &= ~uint64_t{0xfffffff}; // exact values and ties
    double x = std::bit_cast<double>(bits);
    if (std::isnan(x)) continue;
    auto check = [&](Rounding r, int direction) {
      uint64_t want = std::bit_cast<uint32_t>(hardwareFloat(x, direction));
      ASSERT_EQ(encode(DType::f32, x, r), want) << x;
      if (std::abs(decode(DType::f32, want)) < 0x1p127) ASSERT_EQ(encode(DType::f32, x, r, Saturate::yes), want) << x;
    };
    check(Rounding::rint, FE_TONEAREST), check(Rounding::floor, FE_DOWNWARD);
    check(Rounding::ceil, FE_UPWARD), check(Rounding::trunc, FE_TOWARDZERO);
  }
}

TEST(RoundToFloat, IntegersAgreeWithTheHardware) {
  std::mt19937_64 random = randomSource();
  for (int i = 0; i < 100000; ++i) {
    uint64_t u = random() >> random() % 64;
    if (i % 3 == 0) u &= ~uint64_t{0} << random() % 64; // exact values and ties
    auto s = static_cast<int64_t>(u);
    ASSERT_EQ(encodeUnsigned(DType::f32, u, Rounding::rint), std::bit_cast<uint32_t>(static_cast<float>(u))) << u;
    ASSERT_EQ(encodeSigned(DType::f32, s, Rounding::rint), std::bit_cast<uint32_t>(static_cast<float>(s))) << s;
    ASSERT_EQ(encodeUnsigned(DType::f64, u, Rounding::rint), std::bit_cast<uint64_t>(static_cast<double>(u))) << u;
    ASSERT_EQ(encodeSigned(DType::f64, s, Rounding::rint), std::bit_cast<uint64_t>(static_cast<double>(s))) << s;
  }
}

TEST(RoundToDouble, IsTheIdentity) {
  std::mt19937_64 random = randomSource();
  for (int i = 0; i < 100000; ++i) {
    uint64_t bits = i % 2 ? random() : random() & 0x800fffffffffffff; // subnormals
    double x = std::bit_cast<double>(bits);
    if (std::isnan(x)) continue;
    for (Rounding r : reference::kRoundings) ASSERT_EQ(encode(DType::f64, x, r), bits);
    ASSERT_EQ(std::bit_cast<uint64_t>(decode(DType::f64, bits)), bits);
  }
}

TEST(RoundOdd, MakesTheSecondRoundingExact) {
  // double -> f32 by odd -> f16 equals double -> f16 at once, which by nearest it does not.
  std::mt19937_64 random = randomSource();
  int differs = 0;
  for (int i = 0; i < 100000; ++i) {
    double tie = decode(DType::f16, random() % 0x7800), x = tie;
    x += std::ldexp(1.0, std::ilogb(std::max(tie, 0x1p-14)) - 11); // the middle to the next f16
    x = std::nextafter(x, i % 2 ? 1e9 : 0.0);
    uint64_t want = encode(DType::f16, x);
    ASSERT_EQ(encode(DType::f16, roundTo(DType::f32, x, Rounding::odd)), want) << x;
    differs += encode(DType::f16, roundTo(DType::f32, x)) != want;
  }
  EXPECT_GT(differs, 0);
}

} // namespace
