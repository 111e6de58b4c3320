// Functions of scalars. Those of floating-point values take 8-bit floats as f32 and refuse integers and bool, which a
// cast turns into floating point. Results have the type of the (promoted) arguments.
#pragma once

#include "core/numbers.h"
#include "tilelang/dsl/expr.h"

#include <optional>

namespace tessera::tl {

/// Rounded towards minus infinity, towards plus infinity, and towards zero.
Expr floordiv(const Operand &a, const Operand &b);
Expr ceildiv(const Operand &a, const Operand &b);
Expr truncdiv(const Operand &a, const Operand &b);
/// a - floordiv(a, b) * b, with the sign of b; and the remainder with the sign of a.
Expr floormod(const Operand &a, const Operand &b);
Expr truncmod(const Operand &a, const Operand &b);
/// The least multiple of b that is not below a.
Expr alignUp(const Operand &a, const Operand &b);

/// NaN if any argument is NaN.
Expr min(const Operand &a, const Operand &b);
Expr max(const Operand &a, const Operand &b);
/// min(max(x, lo), hi): keeps NaN.
Expr clamp(const Operand &x, const Operand &lo, const Operand &hi);
Expr abs(const Operand &x);

/// Set bits, and zero bits above the highest set one, of an integer.
Expr popcount(const Operand &x);
Expr clz(const Operand &x);

Expr exp(const Operand &x);
Expr exp2(const Operand &x);
Expr exp10(const Operand &x);
Expr log(const Operand &x);
Expr log2(const Operand &x);
Expr log10(const Operand &x);
Expr log1p(const Operand &x);
Expr sqrt(const Operand &x);
Expr rsqrt(const Operand &x);
Expr sin(const Operand &x);
Expr cos(const Operand &x);
Expr tan(const Operand &x);
Expr sinh(const Operand &x);
Expr cosh(const Operand &x);
Expr tanh(const Operand &x);
Expr asin(const Operand &x);
Expr acos(const Operand &x);
Expr atan(const Operand &x);
Expr erf(const Operand &x);
/// 1 / (1 + exp(-x)).
Expr sigmoid(const Operand &x);
Expr atan2(const Operand &y, const Operand &x);
Expr pow(const Operand &x, const Operand &y);
Expr hypot(const Operand &x, const Operand &y);
/// The remainder with the sign of x.
Expr fmod(const Operand &x, const Operand &y);
Expr copysign(const Operand &magnitude, const Operand &sign);
/// The neighbour of x towards y in the type of the promoted arguments.
Expr nextafter(const Operand &x, const Operand &y);
/// x * 2^n, rounded once.
Expr ldexp(const Operand &x, const Operand &n);
/// a * b + c, rounded once.
Expr fma(const Operand &a, const Operand &b, const Operand &c);

/// To an integer of the same floating-point type; `round` takes ties away from zero, `nearbyint` to even.
Expr floor(const Operand &x);
Expr ceil(const Operand &x);
Expr trunc(const Operand &x);
Expr round(const Operand &x);
Expr nearbyint(const Operand &x);

Expr isnan(const Operand &x);
Expr isinf(const Operand &x);
Expr isfinite(const Operand &x);

/// condition ? a : b, both computed.
Expr select(const Operand &condition, const Operand &a, const Operand &b);

struct CastOptions {
  /// The type's usual one (numbers.h) if not given.
  std::optional<Rounding> rounding = {};
  /// Beyond the largest value of a floating-point type: the largest instead of infinity or NaN. 8-bit floats always
  /// saturate when a value is stored; here it is said. Casts to integers always saturate from floating point.
  bool saturate = false;
};
/// The value in another type, rounded once.
Expr cast(const Operand &x, DType type, const CastOptions &options = {});
/// The same bits as another type of the same width.
Expr reinterpret(const Operand &x, DType type);

/// +infinity of a type that has it; the largest and the least finite value of a type.
Expr infinity(DType type, const At &at = At::current());
Expr maxValue(DType type, const At &at = At::current());
Expr minValue(DType type, const At &at = At::current());

} // namespace tessera::tl
