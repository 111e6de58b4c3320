// One instruction where the machine has it; otherwise by a sum whose last place is one.
#include "tilelang/cpu/emit/Integral.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tessera::cpu {
namespace {

using tile::Rounding;
using RealPredicate = LaneBuilder::RealPredicate;

/// Before SSE4.1, LLVM calls the C library for each lane. Every level of ours above that baseline has FMA.
bool hasRoundInstruction(const CpuIsa &isa) { return isa.hasFma; }

Value one(LaneBuilder &l, Value like) { return l.real(like.getType(), 1); }

/// `rounded` is the nearest integral value; steps back where it lies on the wrong side of `real`.
Value stepWhere(LaneBuilder &l, RealPredicate wrongSide, Value rounded, Value real, double step) {
  Value isWrong = l.compareReal(wrongSide, rounded, real);
  return l.select(isWrong, l.addf(rounded, l.real(real.getType(), step)), rounded);
}

/// To nearest, of a magnitude. From 2^23 (2^52) on every value is integral, and the sum would round again.
Value nearest(LaneBuilder &l, Value magnitude) {
  bool isF32 = getElementTypeOrSelf(magnitude.getType()).isF32();
  Value anchor = l.real(magnitude.getType(), isF32 ? 0x1p23 : 0x1p52);
  Value rounded = l.subf(l.addf(magnitude, anchor), anchor);
  return l.select(l.compareReal(RealPredicate::OLT, magnitude, anchor), rounded, magnitude);
}

Value truncated(LaneBuilder &l, const CpuIsa &isa, Value magnitude) {
  if (hasRoundInstruction(isa)) return math::TruncOp::create(l.b, magnitude);
  return stepWhere(l, RealPredicate::OGT, nearest(l, magnitude), magnitude, -1);
}

/// Ties away from zero.
Value halfAway(LaneBuilder &l, const CpuIsa &isa, Value magnitude) {
  Value whole = truncated(l, isa, magnitude);
  Value isUp = l.compareReal(RealPredicate::OGE, l.subf(magnitude, whole), l.real(magnitude.getType(), 0.5));
  return l.select(isUp, l.addf(whole, one(l, whole)), whole);
}

/// What is not integral goes to its odd neighbour.
Value toOdd(LaneBuilder &l, const CpuIsa &isa, Value magnitude) {
  Value whole = truncated(l, isa, magnitude);
  Value half = l.mulf(whole, l.real(whole.getType(), 0.5));
  Value isEven = l.compareReal(RealPredicate::OEQ, truncated(l, isa, half), half);
  Value isUp = l.bitAnd(isEven, l.compareReal(RealPredicate::ONE, whole, magnitude));
  return l.select(isUp, l.addf(whole, one(l, whole)), whole);
}

Value withInstruction(LaneBuilder &l, Value real, Rounding rounding) {
  switch (rounding) {
  case Rounding::rint: return math::RoundEvenOp::create(l.b, real);
  case Rounding::floor: return math::FloorOp::create(l.b, real);
  case Rounding::ceil: return math::CeilOp::create(l.b, real);
  case Rounding::trunc: return math::TruncOp::create(l.b, real);
  default: return {};
  }
}

/// `magnitude` with the sign of `real`, and `real` itself where that is NaN.
Value withSignOf(LaneBuilder &l, Value magnitude, Value real) {
  uint64_t sign = uint64_t{1} << (elementWidth(real.getType()) - 1);
  Value bits = l.bitOr(l.toBits(magnitude), l.bitAnd(l.toBits(real), sign));
  return l.bitcast(bits, getElementTypeOrSelf(real.getType()));
}

} // namespace

Value roundToIntegral(LaneBuilder &l, const CpuIsa &isa, Value real, Rounding rounding) {
  if (hasRoundInstruction(isa))
    if (Value rounded = withInstruction(l, real, rounding)) return rounded;
  uint64_t sign = uint64_t{1} << (elementWidth(real.getType()) - 1);
  Type element = getElementTypeOrSelf(real.getType());
  Value magnitude = l.bitcast(l.bitAnd(l.toBits(real), sign - 1), element), rounded;
  switch (rounding) {
  case Rounding::rint: rounded = nearest(l, magnitude); break;
  case Rounding::trunc: rounded = truncated(l, isa, magnitude); break;
  case Rounding::round: rounded = halfAway(l, isa, magnitude); break;
  case Rounding::odd: rounded = toOdd(l, isa, magnitude); break;
  case Rounding::floor:
  case Rounding::ceil: {
    bool down = rounding == Rounding::floor;
    Value near = withSignOf(l, nearest(l, magnitude), real);
    rounded = stepWhere(l, down ? RealPredicate::OGT : RealPredicate::OLT, near, real, down ? -1 : 1);
    rounded = l.bitcast(l.bitAnd(l.toBits(rounded), sign - 1), element); // 1 - 1 is +0
    break;
  }
  }
  return withSignOf(l, rounded, real);
}

} // namespace tessera::cpu
