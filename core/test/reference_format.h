// The number formats once more, by enumeration: every value written down from the formats' definitions, rounding done
// by comparing neighbours. Shares nothing with core/numbers.cpp.
#pragma once

#include "core/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace tessera::reference {

constexpr DType kNarrowTypes[] = {DType::f16,  DType::bf16, DType::e4m3, DType::e5m2,
                                  DType::e8m0, DType::hif8, DType::e2m1};
constexpr Rounding kRoundings[] = {Rounding::rint,  Rounding::floor, Rounding::ceil,
                                   Rounding::trunc, Rounding::round, Rounding::odd};

/// Sign, exponent field and fraction as IEEE 754 arranges them.
inline double ieeeValue(uint64_t code, int exponentBits, int fractionBits, int bias) {
  int field = static_cast<int>(code >> fractionBits) & ((1 << exponentBits) - 1);
  double fraction = static_cast<double>(code & ((uint64_t{1} << fractionBits) - 1)) / std::pow(2.0, fractionBits);
  double magnitude = field == 0 ? fraction * std::pow(2.0, 1 - bias) : (1 + fraction) * std::pow(2.0, field - bias);
  return code >> (exponentBits + fractionBits) & 1 ? -magnitude : magnitude;
}

/// hif8 read as a string of bits: prefix, exponent with sign first and a leading one understood, mantissa.
inline double hif8Value(uint64_t code) {
  std::string bits;
  for (int i = 6; i >= 0; --i) bits += code >> i & 1 ? '1' : '0';
  struct Prefix {
    std::string text;
    int exponentBits;
  };
  double sign = code & 0x80 ? -1 : 1;
  auto number = [](const std::string &digits) { return digits.empty() ? 0 : std::stoi(digits, nullptr, 2); };
  for (const Prefix &p : {Prefix{"11", 4}, {"10", 3}, {"01", 2}, {"001", 1}, {"0001", 0}}) {
    if (!bits.starts_with(p.text)) continue;
    std::string exponent = bits.substr(p.text.size(), static_cast<size_t>(p.exponentBits));
    std::string mantissa = bits.substr(p.text.size() + exponent.size());
    double e = exponent.empty() ? 0 : number("1" + exponent.substr(1)) * (exponent[0] == '1' ? -1 : 1);
    return sign * std::pow(2.0, e) * (1 + number(mantissa) / std::pow(2.0, static_cast<double>(mantissa.size())));
  }
  int m = number(bits.substr(4));
  return m == 0 ? 0 : sign * std::pow(2.0, m - 23);
}

/// The value of any code of a narrow type; NaN and infinities included.
inline double value(DType type, uint64_t code) {
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();
  switch (type) {
  case DType::f16:
    if ((code & 0x7c00) == 0x7c00) return code & 0x3ff ? kNaN : code & 0x8000 ? -kInf : kInf;
    return ieeeValue(code, 5, 10, 15);
  case DType::bf16:
    if ((code & 0x7f80) == 0x7f80) return code & 0x7f ? kNaN : code & 0x8000 ? -kInf : kInf;
    return ieeeValue(code, 8, 7, 127);
  case DType::e5m2:
    if ((code & 0x7c) == 0x7c) return code & 0x3 ? kNaN : code & 0x80 ? -kInf : kInf;
    return ieeeValue(code, 5, 2, 15);
  case DType::e4m3: return (code & 0x7f) == 0x7f ? kNaN : ieeeValue(code, 4, 3, 7);
  case DType::e2m1: return ieeeValue(code, 2, 1, 1);
  case DType::e8m0: return code == 255 ? kNaN : std::pow(2.0, static_cast<double>(code) - 127);
  default: // hif8
    if (code == 0x80) return kNaN;
    if ((code & 0x7f) == 0x6f) return code & 0x80 ? -kInf : kInf;
    return hif8Value(code);
  }
}

struct Step {
  double value;
  uint64_t code;
};

/// All finite non-negative values, ascending.
inline std::vector<Step> ladder(DType type) {
  std::vector<Step> steps;
  for (uint64_t code = 0; code < uint64_t{1} << bitWidth(type); ++code) {
    double v = value(type, code);
    if (std::isfinite(v) && !std::signbit(v)) steps.push_back({v, code});
  }
  std::ranges::sort(steps, {}, &Step::value);
  return steps;
}

/// Whether |x|, strictly between the neighbouring magnitudes low and high, is rounded to high. Evenness is that of the
/// number of steps of size high - low.
template <class Real> bool roundsUp(Real x, Real low, Real high, Rounding rounding, bool negative) {
  Real middle = low + (high - low) / 2; // exact: the types have few bits
  bool lowIsEven = std::fmod(low / (high - low), Real(2)) == 0;
  switch (rounding) {
  case Rounding::rint: return x > middle || (x == middle && !lowIsEven);
  case Rounding::round: return x >= middle;
  case Rounding::floor: return negative;
  case Rounding::ceil: return !negative;
  case Rounding::trunc: return false;
  case Rounding::odd: return lowIsEven;
  }
  return false;
}

/// What a magnitude too large becomes where it does not stop at the largest value.
inline uint64_t overflowCode(DType type) {
  switch (type) {
  case DType::f16: return 0x7c00;
  case DType::bf16: return 0x7f80;
  case DType::e5m2: return 0x7c;
  case DType::e4m3: return 0x7f;
  case DType::e8m0: return 0xff;
  case DType::hif8: return 0x6f;
  default: return 0x7; // e2m1 has finite values only
  }
}

inline uint64_t withSign(DType type, uint64_t code, bool negative) {
  if (!negative || (type == DType::hif8 && code == 0)) return code;
  return code | uint64_t{1} << (bitWidth(type) - 1);
}

} // namespace tessera::reference
