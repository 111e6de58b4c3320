// Number formats: exact conversion between bit patterns of any element type and C++ values.
//
// Every conversion rounds once, from the exact source value. The formats:
//   bf16, f16, e5m2  IEEE-like, with infinities
//   e4m3             no infinity; largest 448; NaN 0x7f, 0xff
//   e2m1             neither infinity nor NaN; largest 6
//   e8m0             2^(code-127), no sign, no zero; NaN 0xff
//   hif8             tapered precision: 3 mantissa bits near 1, none near 2^-22; largest 32768; infinity 0x6f, 0xef;
//                    NaN 0x80; no negative zero
#pragma once

#include "core/dtype.h"

#include <cstdint>
#include <span>

namespace tessera {

/// How an inexact value is rounded. `rint`: to nearest, ties to even. `round`: to nearest, ties away from zero.
/// `odd`: to the neighbour whose last bit is set, which keeps a second rounding exact.
enum class Rounding : uint8_t { rint, floor, ceil, trunc, round, odd };

/// What becomes of a value beyond the largest finite one.
/// `no`: infinity where the format has one, NaN otherwise (e4m3, e8m0); directed roundings towards zero stop at the
/// largest, as in IEEE 754. `yes`: the largest of that sign, infinities included.
/// e2m1 has nothing but finite values and always saturates.
enum class Saturate : bool { no, yes };

/// The rounding of a plain cast: `trunc` to integers, `round` to hif8 (the only nearest mode its hardware has), `rint`
/// to every other type.
Rounding defaultRounding(DType to);

/// The value of a bit pattern (low `bitWidth(type)` bits of `bits`). Exact, except that i64 and u64 are rounded to
/// nearest even. NaNs keep sign and payload and come out quiet.
double decode(DType type, uint64_t bits);

/// The bit pattern nearest to `value`.
/// NaN: sign and leading payload bits are kept and the quiet bit set (f16, bf16, f32); otherwise the NaN code; 6 in
/// e2m1, which has none; 0 in integers. To e8m0, negative values give NaN and zero gives the smallest code.
/// Integers: rounded by `rounding`, and out-of-range values always take the nearest limit.
/// Booleans: true for everything but zero.
uint64_t encode(DType type, double value, Rounding rounding, Saturate saturate = Saturate::no);
inline uint64_t encode(DType type, double value, Saturate saturate = Saturate::no) {
  return encode(type, value, defaultRounding(type), saturate);
}

/// The same for an exact 64-bit integer. To a narrower integer: the low bits, or the nearest limit when saturating.
uint64_t encodeSigned(DType type, int64_t value, Rounding rounding, Saturate saturate = Saturate::no);
uint64_t encodeUnsigned(DType type, uint64_t value, Rounding rounding, Saturate saturate = Saturate::no);

/// The bit pattern of type `to` for the value of `bits` in type `from`, rounded once. To the same type the bits are
/// unchanged, also when saturating.
uint64_t convert(DType from, uint64_t bits, DType to, Rounding rounding, Saturate saturate = Saturate::no);
inline uint64_t convert(DType from, uint64_t bits, DType to, Saturate saturate = Saturate::no) {
  return convert(from, bits, to, defaultRounding(to), saturate);
}

/// Arrays of floats to packed elements of `type` and back, by the default rounding, equal to the scalar functions bit
/// for bit. `dst` and `src` are aligned to their element type. e2m1 packs two elements per byte, low nibble first; a
/// spare last nibble is written as zero. Decoding i32, i64, u32, u64 and f64 rounds.
void encode(std::span<const float> src, DType type, void *dst, Saturate saturate = Saturate::no);
void decode(DType type, const void *src, std::span<float> dst);

/// `value` rounded to a value of `type`.
inline double roundTo(DType type, double value, Rounding rounding, Saturate saturate = Saturate::no) {
  return decode(type, encode(type, value, rounding, saturate));
}
inline double roundTo(DType type, double value, Saturate saturate = Saturate::no) {
  return roundTo(type, value, defaultRounding(type), saturate);
}

/// `value` rounded to an integer; keeps the sign of zero, infinities and NaN.
double roundToInteger(double value, Rounding rounding);

} // namespace tessera
