// Rounding an exact value into a floating format.
#include "core/float_format.h"

#include "core/hif8.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>

namespace tessera {
namespace {

constexpr FloatFormat kF16{16, 10, -14, 0x7bff, 0x7c00, 0x7e00, true, true, true, true};
constexpr FloatFormat kBF16{16, 7, -126, 0x7f7f, 0x7f80, 0x7fc0, true, true, true, true};
constexpr FloatFormat kF32{32, 23, -126, 0x7f7fffff, 0x7f800000, 0x7fc00000, true, true, true, true};
constexpr FloatFormat kF64{64,   52,   -1022, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000, true,
                           true, true, true};
constexpr FloatFormat kE4M3{8, 3, -6, 0x7e, 0x7f, 0x7f, false};
constexpr FloatFormat kE5M2{8, 2, -14, 0x7b, 0x7c, 0x7f, true};
constexpr FloatFormat kE8M0{8, 0, -127, 0xfe, 0xff, 0xff, false, false, false};
constexpr FloatFormat kHiF8{8, 3, hif8::kMinExponent, hif8::kLargest, hif8::kInfinity, hif8::kNaN, true, true, false};
constexpr FloatFormat kE2M1{4, 1, 0, 0x7, 0x7, 0x7, false};

int floorLog2(uint64_t x) { return 63 - std::countl_zero(x); }

/// The code of a value whose magnitude is too large.
uint64_t overflowCode(const FloatFormat &f, bool negative, Rounding rounding, Saturate saturate) {
  bool towardsZero = rounding == Rounding::trunc || rounding == Rounding::odd ||
                     rounding == (negative ? Rounding::ceil : Rounding::floor);
  return saturate == Saturate::yes || towardsZero ? f.largest : f.overflow;
}

/// The code of `significand * 2^exponent`, which has no more bits than the format stores; nothing if it is too large.
std::optional<uint64_t> pack(DType type, const FloatFormat &f, uint64_t significand, int exponent) {
  int top = exponent + floorLog2(significand);
  if (type == DType::hif8) {
    if (top > hif8::kMaxExponent) return std::nullopt;
    int stored = hif8::mantissaBits(top), shift = top - stored - exponent;
    uint64_t aligned = shift >= 0 ? significand >> shift : significand << -shift;
    uint8_t code = hif8::pack(top, static_cast<unsigned>(aligned) & ((1u << stored) - 1));
    return code == hif8::kInfinity ? std::nullopt : std::optional<uint64_t>(code);
  }
  // In e8m0 the exponent is all there is. Elsewhere the significand's hidden bit carries into the exponent field, so
  // that subnormals and carries out of the rounding need no case of their own.
  uint64_t code =
      type == DType::e8m0
          ? static_cast<uint64_t>(top - f.minExponent)
          : (static_cast<uint64_t>(exponent + f.mantissaBits - f.minExponent) << f.mantissaBits) + significand;
  return code > f.largest ? std::nullopt : std::optional<uint64_t>(code);
}

} // namespace

const FloatFormat &floatFormat(DType type) {
  switch (type) {
  case DType::f16: return kF16;
  case DType::bf16: return kBF16;
  case DType::f64: return kF64;
  case DType::e4m3: return kE4M3;
  case DType::e5m2: return kE5M2;
  case DType::e8m0: return kE8M0;
  case DType::hif8: return kHiF8;
  case DType::e2m1: return kE2M1;
  default: assert(type == DType::f32 && "not a floating type"); return kF32;
  }
}

uint64_t roundShift(uint64_t significand, int shift, Rounding rounding, bool negative) {
  if (shift <= 0) return significand << -shift;
  uint64_t kept = shift < 64 ? significand >> shift : 0;
  uint64_t rest = shift < 64 ? significand & ((uint64_t{1} << shift) - 1) : significand;
  if (rest == 0) return kept;
  // Beyond 64 bits every rest is below the half.
  uint64_t half = shift <= 64 ? uint64_t{1} << (shift - 1) : 0;
  bool above = half && rest > half, tie = half && rest == half;
  switch (rounding) {
  case Rounding::rint: return kept + (above || (tie && (kept & 1)));
  case Rounding::round: return kept + (above || tie);
  case Rounding::floor: return kept + negative;
  case Rounding::ceil: return kept + !negative;
  case Rounding::trunc: return kept;
  case Rounding::odd: return kept | 1;
  }
  return kept;
}

uint64_t encodeExact(DType type, const ExactValue &value, Rounding rounding, Saturate saturate) {
  const FloatFormat &f = floatFormat(type);
  if (value.negative && !f.hasSign) return f.nan;
  int binade = std::max(value.exponent + floorLog2(value.significand), f.minExponent);
  int stored = type == DType::hif8 ? hif8::mantissaBits(binade) : f.mantissaBits;
  int quantum = binade - stored; // exponent of the last place kept
  uint64_t kept = roundShift(value.significand, quantum - value.exponent, rounding, value.negative);
  if (kept == 0 && type == DType::e8m0) kept = 1; // there is no zero: the smallest power of two is the nearest
  uint64_t sign = value.negative ? f.signBit() : 0;
  if (kept == 0) return f.hasNegativeZero ? sign : 0;
  std::optional<uint64_t> code = pack(type, f, kept, quantum);
  return sign | (code ? *code : overflowCode(f, value.negative, rounding, saturate));
}

} // namespace tessera
