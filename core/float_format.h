// The floating formats as data, and the one rounding routine behind every exact conversion.
#pragma once

#include "core/dtype.h"
#include "core/numbers.h"

namespace tessera {

/// A finite non-zero value, exactly: (-1)^negative * significand * 2^exponent.
struct ExactValue {
  bool negative;
  uint64_t significand;
  int exponent;
};

/// A floating format. Codes are without the sign bit.
struct FloatFormat {
  int bits;
  int mantissaBits;    // stored ones, of the widest binade
  int minExponent;     // of the smallest normal number
  uint64_t largest;    // code of the largest finite value
  uint64_t overflow;   // code of infinity; NaN or `largest` where there is none
  uint64_t nan;        // canonical NaN; `largest` where there is none
  bool hasInfinity;    // `overflow` is an infinity
  bool hasSign = true; // the top bit is the sign
  bool hasNegativeZero = true;
  bool keepsPayload = false; // NaNs take over the leading payload bits

  uint64_t signBit() const { return hasSign ? uint64_t{1} << (bits - 1) : 0; }
};

/// The format of a floating type.
const FloatFormat &floatFormat(DType type);

/// `significand / 2^shift` rounded to an integer; a negative shift multiplies. `negative` gives floor and ceil their
/// direction.
uint64_t roundShift(uint64_t significand, int shift, Rounding rounding, bool negative);

/// The code of `value` in `type`, sign included.
uint64_t encodeExact(DType type, const ExactValue &value, Rounding rounding, Saturate saturate);

} // namespace tessera
