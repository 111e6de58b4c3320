// Exact scalar conversions for all element types.
#include "core/numbers.h"

#include "core/float_format.h"
#include "core/hif8.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tessera {
namespace {

constexpr int kDoubleMantissa = 52;
constexpr uint64_t kDoubleInfinity = 0x7ff0000000000000, kDoubleQuiet = 0x0008000000000000;
constexpr uint64_t kDoubleNaN = kDoubleInfinity | kDoubleQuiet;

uint64_t lowBits(uint64_t bits, int width) { return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1); }

ExactValue unpackDouble(double value) {
  uint64_t bits = std::bit_cast<uint64_t>(value);
  int field = static_cast<int>(bits >> kDoubleMantissa & 0x7ff);
  uint64_t fraction = lowBits(bits, kDoubleMantissa);
  if (field) fraction |= uint64_t{1} << kDoubleMantissa;
  return {std::signbit(value), fraction, std::max(field, 1) - 1075};
}

double packDouble(bool negative, uint64_t significand, int exponent) {
  double magnitude = std::ldexp(static_cast<double>(significand), exponent);
  return negative ? -magnitude : magnitude;
}

uint64_t encodeNaN(const FloatFormat &f, uint64_t doubleBits) {
  uint64_t sign = f.hasSign && f.nan != f.signBit() && f.nan != f.largest && doubleBits >> 63 ? f.signBit() : 0;
  if (!f.keepsPayload) return sign | f.nan;
  uint64_t payload = lowBits(doubleBits, kDoubleMantissa) >> (kDoubleMantissa - f.mantissaBits);
  return sign | f.nan | payload;
}

uint64_t encodeInfinity(const FloatFormat &f, bool negative, Saturate saturate) {
  if (negative && !f.hasSign) return f.nan;
  return (negative ? f.signBit() : 0) | (saturate == Saturate::yes ? f.largest : f.overflow);
}

uint64_t encodeFloat(DType type, double value, Rounding rounding, Saturate saturate) {
  // The hardware does the most frequent case in the same way.
  if (type == DType::f32 && rounding == Rounding::rint && saturate == Saturate::no)
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  const FloatFormat &f = floatFormat(type);
  if (std::isnan(value)) return encodeNaN(f, std::bit_cast<uint64_t>(value));
  if (std::isinf(value)) return encodeInfinity(f, value < 0, saturate);
  if (value == 0) return std::signbit(value) && f.hasNegativeZero ? f.signBit() : 0;
  return encodeExact(type, unpackDouble(value), rounding, saturate);
}

/// The limits of an integer type; of the smallest value the bits, which are also its magnitude.
uint64_t largestOf(DType type) { return ~uint64_t{0} >> (64 - bitWidth(type) + isSignedInteger(type)); }
uint64_t smallestOf(DType type) { return isSignedInteger(type) ? uint64_t{1} << (bitWidth(type) - 1) : 0; }

/// Two's complement of a magnitude, limited to the range of `type`.
uint64_t limitInteger(DType type, bool negative, uint64_t magnitude) {
  if (negative) return magnitude >= smallestOf(type) ? smallestOf(type) : lowBits(-magnitude, bitWidth(type));
  return std::min(magnitude, largestOf(type));
}

uint64_t encodeInteger(DType type, double value, Rounding rounding) {
  if (std::isnan(value)) return 0;
  if (std::abs(value) >= 0x1p64) return value < 0 ? smallestOf(type) : largestOf(type);
  double integer = roundToInteger(value, rounding);
  return limitInteger(type, integer < 0, static_cast<uint64_t>(std::abs(integer)));
}

uint64_t encodeMagnitude(DType type, bool negative, uint64_t magnitude, Rounding rounding, Saturate saturate) {
  if (type == DType::boolean) return magnitude != 0;
  if (isFloat(type)) {
    if (magnitude == 0) return 0;
    return encodeExact(type, {negative, magnitude, 0}, rounding, saturate);
  }
  if (saturate == Saturate::yes) return limitInteger(type, negative, magnitude);
  return lowBits(negative ? -magnitude : magnitude, bitWidth(type));
}

double withSign(bool negative, uint64_t magnitude) {
  return std::bit_cast<double>(uint64_t{negative} << 63 | magnitude);
}

double decodeHiF8(uint64_t bits) {
  if (bits == hif8::kNaN) return std::bit_cast<double>(kDoubleNaN);
  bool negative = bits & 0x80;
  unsigned code = static_cast<unsigned>(bits & 0x7f);
  if (code == 0) return 0;
  if (code == hif8::kInfinity) return withSign(negative, kDoubleInfinity);
  hif8::Unpacked u = hif8::unpack(code);
  return packDouble(negative, u.significand, u.exponent);
}

double decodeFloat(DType type, uint64_t bits) {
  if (type == DType::hif8) return decodeHiF8(bits);
  const FloatFormat &f = floatFormat(type);
  uint64_t code = bits & ~f.signBit();
  bool negative = bits & f.signBit();
  if (code > f.largest) {
    if (f.hasInfinity && code == f.overflow) return withSign(negative, kDoubleInfinity);
    uint64_t payload = f.keepsPayload ? lowBits(code, f.mantissaBits) << (kDoubleMantissa - f.mantissaBits) : 0;
    return withSign(negative, kDoubleNaN | payload);
  }
  if (type == DType::e8m0) return packDouble(false, 1, static_cast<int>(code) + f.minExponent);
  int field = static_cast<int>(code >> f.mantissaBits);
  uint64_t significand = lowBits(code, f.mantissaBits) | (field ? uint64_t{1} << f.mantissaBits : 0);
  return packDouble(negative, significand, std::max(field, 1) - 1 + f.minExponent - f.mantissaBits);
}

int64_t signExtend(uint64_t bits, int width) {
  int unused = 64 - width;
  return static_cast<int64_t>(bits << unused) >> unused;
}

} // namespace

Rounding defaultRounding(DType to) {
  if (to == DType::hif8) return Rounding::round;
  return isFloat(to) ? Rounding::rint : Rounding::trunc;
}

double decode(DType type, uint64_t bits) {
  bits = lowBits(bits, bitWidth(type));
  if (type == DType::f32) return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  if (isFloat(type)) return decodeFloat(type, bits);
  if (isSignedInteger(type)) return static_cast<double>(signExtend(bits, bitWidth(type)));
  return type == DType::boolean ? bits != 0 : static_cast<double>(bits);
}

uint64_t encode(DType type, double value, Rounding rounding, Saturate saturate) {
  if (type == DType::boolean) return value != 0;
  if (isFloat(type)) return encodeFloat(type, value, rounding, saturate);
  return encodeInteger(type, value, rounding);
}

uint64_t encodeSigned(DType type, int64_t value, Rounding rounding, Saturate saturate) {
  uint64_t magnitude = value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  return encodeMagnitude(type, value < 0, magnitude, rounding, saturate);
}

uint64_t encodeUnsigned(DType type, uint64_t value, Rounding rounding, Saturate saturate) {
  return encodeMagnitude(type, false, value, rounding, saturate);
}

uint64_t convert(DType from, uint64_t bits, DType to, Rounding rounding, Saturate saturate) {
  bits = lowBits(bits, bitWidth(from));
  if (from == to) return bits;
  if (isFloat(from)) return encode(to, decode(from, bits), rounding, saturate);
  if (isSignedInteger(from)) return encodeSigned(to, signExtend(bits, bitWidth(from)), rounding, saturate);
  return encodeUnsigned(to, from == DType::boolean ? bits != 0 : bits, rounding, saturate);
}

double roundToInteger(double value, Rounding rounding) {
  if (!std::isfinite(value) || std::abs(value) >= 0x1p52 || value == 0) return value;
  ExactValue exact = unpackDouble(value);
  double magnitude = static_cast<double>(roundShift(exact.significand, -exact.exponent, rounding, exact.negative));
  return std::copysign(magnitude, value);
}

} // namespace tessera
