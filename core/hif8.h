// hif8: a sign, a prefix that gives the number of exponent bits, a sign-magnitude exponent with an implicit leading
// one, and the mantissa.
//
//   prefix  11 10 01 001 0001     exponent bits 4 3 2 1 0     mantissa bits 1 2 3 3 3
//   |E|     8-15 4-7 2-3 1 0
//   prefix 0000: mantissa m > 0 is 2^(m-23), m = 0 is zero
#pragma once

#include <cstdint>
#include <cstdlib>

namespace tessera::hif8 {

constexpr int kMinExponent = -22, kMaxExponent = 15;
constexpr uint8_t kInfinity = 0x6f, kNaN = 0x80, kLargest = 0x6e;

/// Mantissa bits of numbers in [2^exponent, 2^(exponent+1)).
constexpr int mantissaBits(int exponent) {
  int magnitude = exponent < 0 ? -exponent : exponent;
  if (magnitude <= 3) return 3;
  if (magnitude <= 7) return 2;
  return magnitude <= 15 ? 1 : 0;
}

/// The code of 2^exponent * (1 + fraction / 2^mantissaBits(exponent)), exponent in [kMinExponent, kMaxExponent].
constexpr uint8_t pack(int exponent, unsigned fraction) {
  if (exponent < -15) return static_cast<uint8_t>(exponent + 23);
  unsigned magnitude = static_cast<unsigned>(exponent < 0 ? -exponent : exponent), sign = exponent < 0;
  if (magnitude == 0) return static_cast<uint8_t>(0x08 | fraction);
  if (magnitude == 1) return static_cast<uint8_t>(0x10 | sign << 3 | fraction);
  if (magnitude <= 3) return static_cast<uint8_t>(0x20 | sign << 4 | (magnitude - 2) << 3 | fraction);
  if (magnitude <= 7) return static_cast<uint8_t>(0x40 | sign << 4 | (magnitude - 4) << 2 | fraction);
  return static_cast<uint8_t>(0x60 | sign << 4 | (magnitude - 8) << 1 | fraction);
}

/// A finite non-zero code without its sign: value = significand * 2^exponent.
struct Unpacked {
  unsigned significand;
  int exponent;
};

constexpr Unpacked normal(unsigned code, int exponentBits, int fractionBits) {
  unsigned field = code >> fractionBits & ((1u << exponentBits) - 1), fraction = code & ((1u << fractionBits) - 1);
  unsigned top = exponentBits ? 1u << (exponentBits - 1) : 0; // the exponent's sign, where its leading one would be
  int magnitude = static_cast<int>(exponentBits ? (field | top) : 0);
  int exponent = field & top ? -magnitude : magnitude;
  return {(1u << fractionBits) | fraction, exponent - fractionBits};
}

constexpr Unpacked unpack(unsigned code) {
  if (code >= 0x60) return normal(code, 4, 1);
  if (code >= 0x40) return normal(code, 3, 2);
  if (code >= 0x20) return normal(code, 2, 3);
  if (code >= 0x10) return normal(code, 1, 3);
  if (code >= 0x08) return normal(code, 0, 3);
  return {1, static_cast<int>(code) - 23};
}

} // namespace tessera::hif8
