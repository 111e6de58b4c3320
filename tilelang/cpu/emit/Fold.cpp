// Sums, extremes, bits and truth values of one type.
#include "tilelang/cpu/emit/Fold.h"

#include "core/float_format.h"
#include "tilelang/cpu/emit/LaneBuilder.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tessera::cpu {
using tile::ReduceKind;

namespace {

using RealPredicate = LaneBuilder::RealPredicate;

uint64_t lowMask(unsigned width) { return ~uint64_t{0} >> (64 - width); }

} // namespace

Type Fold::type() const {
  if (isLogical()) return e.b.getI1Type();
  if (isa<FloatType>(src)) return src.isF64() || dst.isF64() ? Type(e.b.getF64Type()) : e.b.getF32Type();
  return tile::scalarType(isSum() ? dst : src);
}

Value Fold::identity(Type like) {
  LaneBuilder l(e.b);
  Type shaped = lanesLike(like, type());
  if (isReal()) {
    double infinity = std::numeric_limits<double>::infinity();
    return l.real(shaped, kind == ReduceKind::max ? -infinity : kind == ReduceKind::min ? infinity : 0);
  }
  unsigned width = elementWidth(shaped);
  uint64_t least = tile::isUnsigned(src) ? 0 : uint64_t{1} << (width - 1);
  switch (kind) {
  case ReduceKind::max: return l.constant(shaped, least);
  case ReduceKind::min: return l.constant(shaped, ~least & lowMask(width));
  case ReduceKind::bitAnd:
  case ReduceKind::all: return l.constant(shaped, ~uint64_t{0});
  default: return l.constant(shaped, 0);
  }
}

/// To the type of partial results, which holds the value.
Value Fold::converted(Value element, Type from) {
  Type scalar = tile::scalarType(from);
  return e.emitCast(element, scalar, type(), std::nullopt, false, tile::isUnsigned(from), false);
}

/// Of integers: the absolute value as an unsigned number.
Value Fold::absolute(Value x) {
  LaneBuilder l(e.b);
  unsigned width = elementWidth(x.getType());
  if (isReal()) return l.bitcast(l.bitAnd(l.toBits(x), lowMask(width - 1)), type());
  if (tile::isUnsigned(src)) return x;
  Value sign = l.shiftRightSigned(x, width - 1);
  return l.sub(l.bitXor(x, sign), sign);
}

Value Fold::operand(Value srcElement) {
  Value value = converted(srcElement, src);
  return isAbsolute() ? absolute(value) : value;
}

Value Fold::oldOperand(Value dstElement) {
  Value value = converted(dstElement, dst);
  return kind == ReduceKind::absmax ? absolute(value) : value; // an abssum is a sum already
}

Value Fold::combineReal(Value folded, Value operand) {
  LaneBuilder l(e.b);
  if (isSum()) return l.addf(folded, operand);
  // In this order of operands one instruction of x86, which ignores a NaN operand.
  RealPredicate better = kind == ReduceKind::min ? RealPredicate::OLT : RealPredicate::OGT;
  Value best = l.select(l.compareReal(better, operand, folded), operand, folded);
  return spreadNaN ? l.select(l.compareReal(RealPredicate::UNO, operand, operand), operand, best) : best;
}

Value Fold::combine(Value folded, Value operand) {
  if (isReal()) return combineReal(folded, operand);
  LaneBuilder l(e.b);
  bool isUnsigned = tile::isUnsigned(src);
  auto make = [&](auto op) -> Value { return e.b.createOrFold<decltype(op)>(folded, operand); };
  switch (kind) {
  case ReduceKind::sum:
  case ReduceKind::abssum: return l.add(folded, operand);
  case ReduceKind::max: return isUnsigned ? make(arith::MaxUIOp()) : make(arith::MaxSIOp());
  case ReduceKind::min: return isUnsigned ? make(arith::MinUIOp()) : make(arith::MinSIOp());
  case ReduceKind::absmax: return make(arith::MaxUIOp());
  case ReduceKind::bitAnd:
  case ReduceKind::all: return l.bitAnd(folded, operand);
  case ReduceKind::bitOr:
  case ReduceKind::any: return l.bitOr(folded, operand);
  case ReduceKind::bitXor: return l.bitXor(folded, operand);
  }
  return {};
}

Value Fold::acrossLanes(Value folded) {
  for (int64_t half = kLanes / 2; half > 0; half /= 2) {
    auto part = [&](int64_t first) {
      return vector::ExtractStridedSliceOp::create(e.b, folded, ArrayRef<int64_t>{first}, ArrayRef<int64_t>{half},
                                                   ArrayRef<int64_t>{1});
    };
    folded = combine(part(0), part(half));
  }
  return vector::ExtractOp::create(e.b, folded, ArrayRef<int64_t>{0});
}

Value Fold::result(Value folded) {
  if (!isReal() || isSum()) return e.convertElement(folded, type(), dst);
  LaneBuilder l(e.b);
  Value positive = l.addf(folded, l.real(folded.getType(), 0)); // zero is +0 whatever the order
  bool saturate = !floatFormat(*parseDType(tile::typeName(dst))).hasInfinity;
  return e.emitCast(positive, type(), dst, std::nullopt, saturate, false, false);
}

} // namespace tessera::cpu
