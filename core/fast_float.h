// Branch-free conversions between float and the small formats, by the default rounding: short enough to inline into
// loops, plain enough for the compiler to vectorise, and equal bit for bit to encode and decode of core/numbers.h.
// They expect the floating-point environment's default rounding.
#pragma once

#include "core/numbers.h"

#include <bit>
#include <cstdint>

namespace tessera::fast {

constexpr uint32_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000, kQuietNaN = 0x7fc00000;

/// Bits of 2^exponent as a float; `exponent` of a normal number.
constexpr uint32_t powerOfTwo(int exponent) { return static_cast<uint32_t>(exponent + 127) << 23; }

/// A small format in IEEE 754's layout; the members mean what they do in FloatFormat.
struct Layout {
  int bits, mantissaBits, minExponent;
  uint32_t largest, overflow, nan;
  bool hasInfinity, keepsPayload;
};

constexpr Layout kF16{16, 10, -14, 0x7bff, 0x7c00, 0x7e00, true, true};
constexpr Layout kBF16{16, 7, -126, 0x7f7f, 0x7f80, 0x7fc0, true, true};
constexpr Layout kE4M3{8, 3, -6, 0x7e, 0x7f, 0x7f, false, false};
constexpr Layout kE5M2{8, 2, -14, 0x7b, 0x7c, 0x7f, true, false};
constexpr Layout kE2M1{4, 1, 0, 0x7, 0x7, 0x7, false, false};

/// Nearest even of a magnitude below the smallest normal one. The sum's last place is the format's smallest step, so
/// the addition rounds as wanted.
template <Layout L> [[gnu::always_inline]] inline uint32_t roundSubnormal(uint32_t magnitude) {
  constexpr uint32_t kUnit = powerOfTwo(L.minExponent - L.mantissaBits + 23);
  return std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + std::bit_cast<float>(kUnit)) - kUnit;
}

template <Layout L, Saturate S> [[gnu::always_inline]] inline uint32_t encode(float value) {
  constexpr int kShift = 23 - L.mantissaBits;
  constexpr uint32_t kRebias = static_cast<uint32_t>(127 + L.minExponent - 1) << L.mantissaBits;
  constexpr uint32_t kBelowHalf = (1u << (kShift - 1)) - 1;
  uint32_t bits = std::bit_cast<uint32_t>(value), magnitude = bits & kMagnitude;
  uint32_t code = ((magnitude + kBelowHalf + (magnitude >> kShift & 1)) >> kShift) - kRebias;
  if constexpr (L.minExponent > -126)
    code = magnitude < powerOfTwo(L.minExponent) ? roundSubnormal<L>(magnitude) : code;
  code = code > L.largest ? (S == Saturate::yes ? L.largest : L.overflow) : code;
  uint32_t nan = L.keepsPayload ? L.nan | (magnitude >> kShift & (L.nan - L.overflow - 1)) : L.nan;
  code = magnitude > kInfinity ? nan : code;
  uint32_t sign = bits >> 31 << (L.bits - 1);
  if constexpr (L.nan == L.largest) sign = magnitude > kInfinity ? 0 : sign; // no NaN: all become one positive value
  return sign | code;
}

template <Layout L> [[gnu::always_inline]] inline float decode(uint32_t bits) {
  constexpr int kShift = 23 - L.mantissaBits;
  constexpr uint32_t kRebias = static_cast<uint32_t>(127 + L.minExponent - 1) << 23;
  uint32_t sign = bits >> (L.bits - 1) << 31, code = bits & ((1u << (L.bits - 1)) - 1);
  uint32_t result = (code << kShift) + kRebias;
  if constexpr (L.minExponent > -126) {
    float step = std::bit_cast<float>(powerOfTwo(L.minExponent - L.mantissaBits));
    uint32_t subnormal = std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(code)) * step);
    result = code < 1u << L.mantissaBits ? subnormal : result;
  }
  uint32_t special = L.keepsPayload ? kQuietNaN | code << kShift : kQuietNaN;
  if constexpr (L.hasInfinity) special = code == L.overflow ? kInfinity : special;
  result = code > L.largest ? special : result;
  return std::bit_cast<float>(sign | result);
}

/// Conversions of one small type; hif8, which has no such layout, goes through tables.
template <DType T> struct Codec;

template <Layout L, class Stored> struct LayoutCodec {
  using Storage = Stored;
  template <Saturate S> [[gnu::always_inline]] static uint32_t encode(float value) { return fast::encode<L, S>(value); }
  [[gnu::always_inline]] static float decode(uint32_t bits) { return fast::decode<L>(bits); }
};

template <> struct Codec<DType::f16> : LayoutCodec<kF16, uint16_t> {};
template <> struct Codec<DType::bf16> : LayoutCodec<kBF16, uint16_t> {};
template <> struct Codec<DType::e4m3> : LayoutCodec<kE4M3, uint8_t> {};
template <> struct Codec<DType::e5m2> : LayoutCodec<kE5M2, uint8_t> {};
template <> struct Codec<DType::e2m1> : LayoutCodec<kE2M1, uint8_t> {};

template <> struct Codec<DType::e8m0> {
  using Storage = uint8_t;
  /// Codes are the exponent field of float. The format's only bit is always set, so a tie has an even neighbour above.
  template <Saturate S> [[gnu::always_inline]] static uint32_t encode(float value) {
    uint32_t bits = std::bit_cast<uint32_t>(value);
    uint32_t code = (bits + 0x400000) >> 23;
    code = bits < 0x600000 ? 0 : code; // below 0.75 * 2^-126 the smallest is nearest
    code = bits >= 0x7f400000 ? (S == Saturate::yes ? 0xfe : 0xff) : code;
    code = bits > kInfinity ? 0xff : code; // NaN and everything negative
    return bits == 0x80000000 ? 0 : code;
  }
  [[gnu::always_inline]] static float decode(uint32_t code) {
    uint32_t bits = code == 0 ? 0x400000 : code << 23;
    return std::bit_cast<float>(code == 0xff ? kQuietNaN : bits);
  }
};

/// Rounding half away looks at one bit below the kept ones, so exponent and four bits of mantissa decide the code.
constexpr int kHiF8IndexShift = 19;
struct HiF8Tables {
  uint8_t encode[2][kInfinity >> kHiF8IndexShift | 1]; // by Saturate and magnitude, infinity included
  float decode[256];
};
const HiF8Tables &hif8Tables();

template <Saturate S> [[gnu::always_inline]] inline uint8_t encodeHiF8(const HiF8Tables &tables, float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value), magnitude = bits & kMagnitude;
  if (magnitude > kInfinity) return 0x80;
  uint8_t code = tables.encode[S == Saturate::yes][magnitude >> kHiF8IndexShift];
  return code ? static_cast<uint8_t>(code | bits >> 31 << 7) : 0; // there is no negative zero
}

} // namespace tessera::fast
