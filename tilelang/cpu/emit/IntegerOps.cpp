// Division never traps, shifts may be as long as they like, and nothing overflows into poison.
#include "tilelang/cpu/emit/IntegerOps.h"

#include "tilelang/cpu/emit/Emitter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::cpu {
namespace {

using Predicate = LaneBuilder::Predicate;

std::optional<APInt> constantOf(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) return constant;
  return std::nullopt;
}

Value negated(LaneBuilder &l, Value x) { return l.sub(l.constant(x.getType(), 0), x); }

// --- Division -----------------------------------------------------------------------------------------------------

struct Quotient {
  Value quotient, remainder;
};

/// Truncated quotient and remainder. A divisor of 0 gives 0 and 0; the least value over -1 wraps.
class Division {
public:
  /// `stated` is the divisor in the program: a constant needs no check.
  Division(LaneBuilder &l, Value x, Value y, bool isSigned, Value stated) : l(l), x(x), y(y), isSigned(isSigned) {
    std::optional<APInt> constant = constantOf(stated);
    mayBeZero = !constant || constant->isZero();
    mayBeMinusOne = isSigned && (!constant || constant->isAllOnes());
    safe = y;
    if (mayBeZero) safe = l.select(l.compare(Predicate::eq, y, 0), l.constant(y.getType(), 1), safe);
    if (mayBeMinusOne) safe = l.select(l.compare(Predicate::eq, y, -1), l.constant(y.getType(), 1), safe);
  }

  Value quotient() {
    Value q = isSigned ? arith::DivSIOp::create(l.b, x, safe).getResult() : arith::DivUIOp::create(l.b, x, safe);
    if (mayBeMinusOne) q = l.select(l.compare(Predicate::eq, y, -1), negated(l, x), q);
    return mayBeZero ? l.select(l.compare(Predicate::eq, y, 0), 0, q) : q;
  }
  /// By the safe divisor 1 it is 0, as it should be.
  Value remainder() {
    if (isSigned) return arith::RemSIOp::create(l.b, x, safe);
    return arith::RemUIOp::create(l.b, x, safe);
  }
  /// The quotient, moved by `step` where it is inexact and its sign, as that of a real number, is `ifNegative`.
  Value adjusted(int step, bool ifNegative) {
    Value q = quotient(), r = remainder();
    Value isMoved = l.compare(Predicate::ne, r, 0);
    if (isSigned) {
      Value signsDiffer = l.compare(Predicate::slt, l.bitXor(x, y), 0);
      isMoved = l.bitAnd(isMoved, ifNegative ? signsDiffer : l.bitXor(signsDiffer, 1));
    }
    return l.select(isMoved, l.add(q, step), q);
  }

private:
  LaneBuilder &l;
  Value x, y, safe;
  bool isSigned, mayBeZero, mayBeMinusOne;
};

Value emitDivision(LaneBuilder &l, Operation *op, ArrayRef<Value> v) {
  auto by = [&](bool isSigned) { return Division(l, v[0], v[1], isSigned, op->getOperand(1)); };
  auto floored = [&](arith::FloorDivSIOp) -> Value {
    std::optional<APInt> constant = constantOf(op->getOperand(1));
    if (constant && constant->isPowerOf2() && !constant->isNegative())
      return l.shiftRightSigned(v[0], constant->logBase2());
    return by(true).adjusted(-1, true);
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::DivSIOp>([&](auto) { return by(true).quotient(); })
      .Case<arith::DivUIOp>([&](auto) { return by(false).quotient(); })
      .Case<arith::RemSIOp>([&](auto) { return by(true).remainder(); })
      .Case<arith::RemUIOp>([&](auto) { return by(false).remainder(); })
      .Case<arith::FloorDivSIOp>(floored)
      .Case<arith::CeilDivSIOp>([&](auto) { return by(true).adjusted(1, false); })
      .Case<arith::CeilDivUIOp>([&](auto) { return by(false).adjusted(1, false); })
      .Default([](Operation *) { return Value(); });
}

// --- Bits ---------------------------------------------------------------------------------------------------------

/// From the width on, all bits have left (the sign stays in a signed right shift).
Value emitShift(LaneBuilder &l, Operation *op, ArrayRef<Value> v) {
  unsigned width = elementWidth(v[0].getType());
  auto limited = [&](auto shift) {
    Value inside = l.compare(Predicate::ult, v[1], width);
    return l.select(inside, shift(l.select(inside, v[1], 0)), 0);
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::ShLIOp>([&](auto) { return limited([&](Value by) { return l.shiftLeft(v[0], by); }); })
      .Case<arith::ShRUIOp>([&](auto) { return limited([&](Value by) { return l.shiftRight(v[0], by); }); })
      .Case<arith::ShRSIOp>([&](auto) {
        Value most = l.constant(v[1].getType(), width - 1);
        return l.shiftRightSigned(v[0], l.b.createOrFold<arith::MinUIOp>(v[1], most));
      })
      .Default([](Operation *) { return Value(); });
}

/// Counts bits; LLVM has no such operations on index.
template <class Op> Value countBits(LaneBuilder &l, Value x) {
  Type element = getElementTypeOrSelf(x.getType());
  Value counted = Op::create(l.b, l.resize(x, elementWidth(element), false));
  return l.resize(counted, element, false);
}

Value absolute(LaneBuilder &l, Value x) {
  Value sign = l.shiftRightSigned(x, elementWidth(x.getType()) - 1);
  return l.sub(l.bitXor(x, sign), sign);
}

// --- Power --------------------------------------------------------------------------------------------------------

/// base^exponent for an exponent of at least 0, by squaring once for each bit.
Value powerBySquaring(LaneBuilder &l, Value base, Value exponent) {
  Value one = l.constant(base.getType(), 1);
  Value zero = arith::ConstantIndexOp::create(l.b, 0), step = arith::ConstantIndexOp::create(l.b, 1);
  Value count = arith::ConstantIndexOp::create(l.b, elementWidth(base.getType()));
  auto loop = scf::ForOp::create(l.b, zero, count, step, ValueRange{one, base, exponent});
  OpBuilder::InsertionGuard guard(l.b);
  l.b.setInsertionPointToStart(loop.getBody());
  Value result = loop.getRegionIterArg(0), square = loop.getRegionIterArg(1), bits = loop.getRegionIterArg(2);
  Value isSet = l.compare(Predicate::ne, l.bitAnd(bits, 1), 0);
  result = l.select(isSet, l.mul(result, square), result);
  scf::YieldOp::create(l.b, ValueRange{result, l.mul(square, square), l.shiftRight(bits, 1)});
  return loop.getResult(0);
}

/// Below 0 the truncated reciprocal: only 1 and -1 have one.
Value emitPower(LaneBuilder &l, Value base, Value exponent) {
  Value power = powerBySquaring(l, base, exponent);
  Value isOdd = l.compare(Predicate::ne, l.bitAnd(exponent, 1), 0);
  Value ofMinusOne = l.select(isOdd, base, 1);
  Value reciprocal = l.select(l.compare(Predicate::eq, base, -1), ofMinusOne, 0);
  reciprocal = l.select(l.compare(Predicate::eq, base, 1), 1, reciprocal);
  return l.select(l.compare(Predicate::slt, exponent, 0), reciprocal, power);
}

Value emitUnary(LaneBuilder &l, Operation *op, ArrayRef<Value> v) {
  Type result = op->getResult(0).getType();
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto) { return l.resize(v[0], result, true); })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp, arith::TruncIOp>([&](auto) { return l.resize(v[0], result, false); })
      .Case<math::AbsIOp>([&](auto) { return absolute(l, v[0]); })
      .Case<math::CtPopOp, math::CountLeadingZerosOp, math::CountTrailingZerosOp>(
          [&](auto o) { return countBits<decltype(o)>(l, v[0]); })
      .Default([](Operation *) { return Value(); });
}

Value emitBinary(LaneBuilder &l, Operation *op, ArrayRef<Value> v) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::AddIOp>([&](auto) { return l.add(v[0], v[1]); })
      .Case<arith::SubIOp>([&](auto) { return l.sub(v[0], v[1]); })
      .Case<arith::MulIOp>([&](auto) { return l.mul(v[0], v[1]); })
      .Case<arith::AndIOp>([&](auto) { return l.bitAnd(v[0], v[1]); })
      .Case<arith::OrIOp>([&](auto) { return l.bitOr(v[0], v[1]); })
      .Case<arith::XOrIOp>([&](auto) { return l.bitXor(v[0], v[1]); })
      .Case<arith::MaxSIOp>([&](auto) { return l.smax(v[0], v[1]); })
      .Case<arith::MinSIOp>([&](auto) { return l.smin(v[0], v[1]); })
      .Case<arith::MaxUIOp>([&](auto) { return l.b.createOrFold<arith::MaxUIOp>(v[0], v[1]); })
      .Case<arith::MinUIOp>([&](auto) { return l.b.createOrFold<arith::MinUIOp>(v[0], v[1]); })
      .Case<arith::CmpIOp>([&](auto cmp) { return l.compare(cmp.getPredicate(), v[0], v[1]); })
      .Case<math::IPowIOp>([&](auto) { return emitPower(l, v[0], v[1]); })
      .Default([](Operation *) { return Value(); });
}

} // namespace

Value emitIntegerOp(LaneBuilder &l, Operation *op, ArrayRef<Value> operands) {
  if (operands.empty() || isa<FloatType>(op->getOperand(0).getType())) return {};
  if (operands.size() == 1) return emitUnary(l, op, operands);
  for (auto emit : {emitDivision, emitShift, emitBinary})
    if (Value value = emit(l, op, operands)) return value;
  return {};
}

} // namespace tessera::cpu
