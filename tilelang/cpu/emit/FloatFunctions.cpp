// Exact tricks with sums and powers of two, and formulas over the functions of math.
#include "tilelang/cpu/emit/FloatFunctions.h"

#include "core/float_format.h"
#include "tilelang/cpu/emit/Emitter.h"
#include "tilelang/cpu/emit/FloatCodes.h"
#include "tilelang/cpu/math/InlineMath.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>
#include <numbers>

using namespace mlir;

namespace tessera::cpu {
namespace {

using Predicate = LaneBuilder::Predicate;
using RealPredicate = LaneBuilder::RealPredicate;

bool isF64(Value x) { return getElementTypeOrSelf(x.getType()).isF64(); }

Value toF64(LaneBuilder &l, Value x) {
  if (isF64(x)) return x;
  return arith::ExtFOp::create(l.b, lanesLike(x.getType(), l.b.getF64Type()), x);
}
Value toF32(LaneBuilder &l, Value x) {
  return arith::TruncFOp::create(l.b, lanesLike(x.getType(), l.b.getF32Type()), x);
}

Value magnitude(LaneBuilder &l, Value x) {
  uint64_t sign = uint64_t{1} << (elementWidth(x.getType()) - 1);
  return l.bitcast(l.bitAnd(l.toBits(x), sign - 1), getElementTypeOrSelf(x.getType()));
}

/// 2^n in f64, for i64 n from -1022 to 1023.
Value powerOfTwo(LaneBuilder &l, Value n) { return l.bitcast(l.shiftLeft(l.add(n, 1023), 52), l.b.getF64Type()); }

Value withSignOf(LaneBuilder &l, Value magnitude, Value x) {
  uint64_t sign = uint64_t{1} << (elementWidth(x.getType()) - 1);
  Value bits = l.bitOr(l.toBits(magnitude), l.bitAnd(l.toBits(x), sign));
  return l.bitcast(bits, getElementTypeOrSelf(x.getType()));
}

Value isBeyond(LaneBuilder &l, Value x, double limit) {
  return l.compareReal(RealPredicate::OGT, x, l.real(x.getType(), limit));
}

/// exp(x) / 2 where exp(x) itself is infinite: x is moved down by a number whose exponential, halved, is very nearly a
/// floating-point number.
Value halfOfLargeExp(LaneBuilder &l, Value x) {
  double shift = isF64(x) ? 0x1.0000000004282p+9 : 0x1.0003940000000p+6;
  double factor = isF64(x) ? 0x1.94765058cacf8p+737 : 0x1.437a5e0000000p+91;
  Value e = math::ExpOp::create(l.b, l.subf(x, l.real(x.getType(), shift)));
  return l.mulf(e, l.real(x.getType(), factor));
}
/// From here on sinh and cosh are half the exponential.
constexpr double kLargeF32 = 88, kLargeF64 = 709;

/// log(2 x), of what asinh and acosh are for large x.
Value logOfTwice(LaneBuilder &l, Value x) {
  return l.addf(math::LogOp::create(l.b, x), l.real(x.getType(), std::numbers::ln2));
}
constexpr double kSquareIsLargeF32 = 0x1p60, kSquareIsLargeF64 = 0x1p500;

Value one(LaneBuilder &l, Value like) { return l.real(like.getType(), 1); }
Value divided(LaneBuilder &l, Value x, Value y) { return arith::DivFOp::create(l.b, x, y); }

} // namespace

Value multiplyAddToOdd(LaneBuilder &l, Value a, Value b, Value c) {
  Value product = l.mulf(toF64(l, a), toF64(l, b)), addend = toF64(l, c); // exact: 22 bits at most
  Value sum = l.addf(product, addend);
  // Knuth's two-sum: `error` is exactly product + addend - sum.
  Value addendPart = l.subf(sum, product), productPart = l.subf(sum, addendPart);
  Value error = l.addf(l.subf(product, productPart), l.subf(addend, addendPart));
  // A sum that is inexact and even moves to its odd neighbour on the side of the error.
  Value bits = l.toBits(sum), zero = l.real(sum.getType(), 0);
  Value isEven = l.compare(Predicate::eq, l.bitAnd(bits, 1), 0);
  Value isInexact = l.compareReal(RealPredicate::ONE, error, zero); // false for NaN, where the sum overflowed
  Value sameSign = l.compare(Predicate::sge, l.bitXor(bits, l.toBits(error)), 0);
  Value step = l.select(sameSign, l.constant(bits.getType(), 1), -1);
  Value odd = l.select(l.bitAnd(isEven, isInexact), l.add(bits, step), bits);
  return l.bitcast(odd, l.b.getF64Type());
}

Value ldexp(LaneBuilder &l, Value x, Value n) {
  Value exponent = l.resize(n, 64, true);
  if (!isF64(x)) { // beyond 300 every f32 has become zero or infinity
    Value limited = l.smax(l.smin(exponent, 300), -300);
    return l.mulf(toF64(l, x), powerOfTwo(l, limited));
  }
  // Steps that stay among the normal numbers, such that only the last product rounds.
  auto step = [&](Predicate beyond, int64_t limit, double factor, int64_t amount) {
    Value isBeyond = l.compare(beyond, exponent, limit);
    x = l.select(isBeyond, l.mulf(x, l.real(x.getType(), factor)), x);
    exponent = l.select(isBeyond, l.sub(exponent, amount), exponent);
  };
  for (int round = 0; round < 2; ++round) {
    step(Predicate::sgt, 1023, 0x1p1023, 1023);
    step(Predicate::slt, -1022, 0x1p-969, -969); // leaves 53 bits above the subnormal numbers
  }
  return l.mulf(x, powerOfTwo(l, l.smax(l.smin(exponent, 1023), -1022)));
}

Value nextAfter(LaneBuilder &l, const CpuIsa &isa, Value x, Value y, DType type) {
  const FloatFormat &f = floatFormat(type);
  bool isNarrow = f.bits < 32;
  Value realX = isNarrow ? widenToF32(l, isa, x, type, true) : x,
        realY = isNarrow ? widenToF32(l, isa, y, type, true) : y;
  Value zero = l.real(realX.getType(), 0);
  Value code = l.toBits(x), target = l.toBits(y);
  // Codes of one sign are ordered like their magnitudes.
  Value isAbove = l.compareReal(RealPredicate::OGT, realY, realX),
        isPositive = l.compareReal(RealPredicate::OGT, realX, zero);
  Value isTowardsZero = l.bitXor(isAbove, isPositive);
  Value next = l.select(isTowardsZero, l.sub(code, 1), l.add(code, 1));
  // From zero, to the least number with the sign of y.
  Value least = l.bitOr(l.bitAnd(target, f.signBit()), 1);
  next = l.select(l.compareReal(RealPredicate::OEQ, realX, zero), least, next);
  Value isTarget = l.compareReal(RealPredicate::UEQ, realX, realY); // equal, or one is NaN
  Value isNaN = l.compareReal(RealPredicate::UNO, realX, realX);
  return l.bitcast(l.select(isNaN, code, l.select(isTarget, target, next)), getElementTypeOrSelf(x.getType()));
}

Value reciprocalRoot(LaneBuilder &l, Value x) { return divided(l, one(l, x), math::SqrtOp::create(l.b, x)); }

Value powerOfInteger(LaneBuilder &l, Value x, Value n) {
  Value wide = toF64(l, x);
  Value exponent = arith::SIToFPOp::create(l.b, wide.getType(), l.resize(n, 64, true));
  Value power = math::PowFOp::create(l.b, wide, exponent);
  return isF64(x) ? power : toF32(l, power);
}

Value powerOfConstant(LaneBuilder &l, Value x, double exponent) {
  if (exponent == 1) return x;
  if (exponent == 2) return l.mulf(x, x);
  if (exponent == 3) return l.mulf(l.mulf(x, x), x);
  if (exponent == -1) return divided(l, one(l, x), x);
  return {};
}

Value log1p(LaneBuilder &l, Value x) {
  // Large numbers are scaled down by a power of two, whose logarithm is added again.
  double limit = isF64(x) ? 0x1p1000 : 0x1p100, scale = isF64(x) ? 0x1p-512 : 0x1p-64;
  double log = (isF64(x) ? 512 : 64) * std::numbers::ln2;
  Value isLarge = isBeyond(l, x, limit);
  Value scaled = l.select(isLarge, l.mulf(x, l.real(x.getType(), scale)), x);
  Value result = math::Log1pOp::create(l.b, scaled);
  return l.addf(result, l.select(isLarge, l.real(x.getType(), log), l.real(x.getType(), -0.0)));
}

Value sinh(LaneBuilder &l, Value x) {
  Value a = magnitude(l, x), large = withSignOf(l, halfOfLargeExp(l, a), x);
  return l.select(isBeyond(l, a, isF64(x) ? kLargeF64 : kLargeF32), large, math::SinhOp::create(l.b, x).getResult());
}

Value cosh(LaneBuilder &l, Value x) {
  Value a = magnitude(l, x);
  return l.select(isBeyond(l, a, isF64(x) ? kLargeF64 : kLargeF32), halfOfLargeExp(l, a),
                  math::CoshOp::create(l.b, x).getResult());
}

Value asinh(LaneBuilder &l, Value x) {
  Value a = magnitude(l, x), large = withSignOf(l, logOfTwice(l, a), x);
  return l.select(isBeyond(l, a, isF64(x) ? kSquareIsLargeF64 : kSquareIsLargeF32), large,
                  math::AsinhOp::create(l.b, x).getResult());
}

Value acosh(LaneBuilder &l, Value x) {
  return l.select(isBeyond(l, x, isF64(x) ? kSquareIsLargeF64 : kSquareIsLargeF32), logOfTwice(l, x),
                  math::AcoshOp::create(l.b, x).getResult());
}

/// Without code of its own, with e = exp(-|x|), which does not overflow: 1 / (1 + e) above zero and e / (1 + e) below.
Value sigmoid(LaneBuilder &l, const CpuIsa &isa, Value x) {
  if (isa.hasFma && !isF64(x)) {
    MathCode code(l.b, isa);
    return inlineSigmoid(code, x);
  }
  uint64_t sign = uint64_t{1} << (elementWidth(x.getType()) - 1);
  Value minus = l.bitcast(l.bitOr(l.toBits(x), sign), getElementTypeOrSelf(x.getType()));
  Value e = math::ExpOp::create(l.b, minus);
  Value isNegative = l.compareReal(RealPredicate::OLT, x, l.real(x.getType(), 0));
  return divided(l, l.select(isNegative, e, one(l, x)), l.addf(one(l, x), e));
}

/// cpu-expand-math knows powers of ten.
Value exp10(LaneBuilder &l, Value x) { return math::PowFOp::create(l.b, l.real(x.getType(), 10), x); }

Value hypot(LaneBuilder &l, Value x, Value y) {
  Value a = magnitude(l, x), c = magnitude(l, y), root;
  if (!isF64(x)) { // squares of f32 are exact in f64 and do not overflow
    Value wideA = toF64(l, a), wideC = toF64(l, c);
    root = toF32(l, math::SqrtOp::create(l.b, l.addf(l.mulf(wideA, wideA), l.mulf(wideC, wideC))));
  } else {
    // Scaled by a power of two, such that the larger lies near 1.
    Value larger = l.select(l.compareReal(RealPredicate::OGT, c, a), c, a);
    Value field = l.smin(l.smax(l.shiftRight(l.toBits(larger), 52), 23), 2046 - 23);
    Value up = powerOfTwo(l, l.sub(l.constant(field.getType(), 1023), field)), down = powerOfTwo(l, l.sub(field, 1023));
    Value p = l.mulf(a, up), q = l.mulf(c, up);
    root = l.mulf(math::SqrtOp::create(l.b, l.addf(l.mulf(p, p), l.mulf(q, q))), down);
  }
  // Infinity wins even over NaN.
  Value infinity = l.real(x.getType(), std::numeric_limits<double>::infinity());
  Value isInfinite =
      l.bitOr(l.compareReal(RealPredicate::OEQ, a, infinity), l.compareReal(RealPredicate::OEQ, c, infinity));
  return l.select(isInfinite, infinity, root);
}

} // namespace tessera::cpu
