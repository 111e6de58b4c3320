// Integer arithmetic of arith and math, and constants. No operand is undefined; see the dialect's description.
#include "tilelang/ir/interp/frame.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <algorithm>
#include <bit>

using namespace mlir;

namespace tessera::tile {
namespace {

using Wide = __int128;
using UnsignedWide = unsigned __int128;

/// Registers result = f(lhs, rhs); `f` may give more bits than the result has.
template <class Op, class F> void binary(Handlers &handlers, F f) {
  handlers.add<Op>([f](Op op, Frame &frame) {
    frame.set(op->getResult(0), static_cast<uint64_t>(f(frame.word(op->getOperand(0)), frame.word(op->getOperand(1)))));
  });
}

template <class Op, class F> void unary(Handlers &handlers, F f) {
  handlers.add<Op>([f](Op op, Frame &frame) {
    frame.set(op->getResult(0), static_cast<uint64_t>(f(frame.word(op->getOperand(0)))));
  });
}

// Quotients are taken in 128 bits, where the least value over -1 is representable and then wraps.
Wide truncated(Word a, Word b) { return b.bits == 0 ? 0 : static_cast<Wide>(a.value()) / b.value(); }
Wide remainder(Word a, Word b) { return b.bits == 0 ? 0 : static_cast<Wide>(a.value()) % b.value(); }
Wide floored(Word a, Word b) {
  bool inexactNegative = remainder(a, b) != 0 && (a.value() < 0) != (b.value() < 0);
  return truncated(a, b) - inexactNegative;
}
Wide ceiled(Word a, Word b) {
  bool inexactPositive = remainder(a, b) != 0 && (a.value() < 0) == (b.value() < 0);
  return truncated(a, b) + inexactPositive;
}
uint64_t unsignedQuotient(Word a, Word b) { return b.bits == 0 ? 0 : a.bits / b.bits; }
uint64_t unsignedRemainder(Word a, Word b) { return b.bits == 0 ? 0 : a.bits % b.bits; }
uint64_t unsignedCeiled(Word a, Word b) { return unsignedQuotient(a, b) + (unsignedRemainder(a, b) != 0); }

uint64_t shiftLeft(Word a, Word b) { return b.bits >= a.width ? 0 : a.bits << b.bits; }
uint64_t shiftRight(Word a, Word b) { return b.bits >= a.width ? 0 : a.bits >> b.bits; }
int64_t shiftRightSigned(Word a, Word b) { return a.value() >> std::min<uint64_t>(b.bits, a.width - 1); }

bool compare(arith::CmpIPredicate predicate, Word a, Word b) {
  switch (predicate) {
  case arith::CmpIPredicate::eq: return a.bits == b.bits;
  case arith::CmpIPredicate::ne: return a.bits != b.bits;
  case arith::CmpIPredicate::slt: return a.value() < b.value();
  case arith::CmpIPredicate::sle: return a.value() <= b.value();
  case arith::CmpIPredicate::sgt: return a.value() > b.value();
  case arith::CmpIPredicate::sge: return a.value() >= b.value();
  case arith::CmpIPredicate::ult: return a.bits < b.bits;
  case arith::CmpIPredicate::ule: return a.bits <= b.bits;
  case arith::CmpIPredicate::ugt: return a.bits > b.bits;
  case arith::CmpIPredicate::uge: return a.bits >= b.bits;
  }
  return false;
}

/// base to the power n by repeated multiplication, wrapping; for n < 0 the truncated quotient 1 / base^-n, 0 for base
/// 0.
uint64_t power(Word base, Word exponent) {
  int64_t n = exponent.value();
  if (n < 0) {
    if (base.value() == 1) return 1;
    return base.value() == -1 ? (n & 1 ? base.bits : 1) : 0;
  }
  uint64_t result = 1, square = base.bits;
  for (; n; n >>= 1, square *= square)
    if (n & 1) result *= square;
  return result;
}

void runConstant(arith::ConstantOp op, Frame &frame) {
  Attribute value = op.getValue();
  if (auto integer = dyn_cast<IntegerAttr>(value)) {
    APInt bits = integer.getValue();
    if (bits.getBitWidth() <= 64) return frame.set(op.getResult(), bits.getZExtValue());
  } else if (auto real = dyn_cast<FloatAttr>(value)) {
    APInt bits = real.getValue().bitcastToAPInt();
    if (bits.getBitWidth() <= 64) return frame.set(op.getResult(), bits.getZExtValue());
  }
  failAt(op, "the interpreter has no constants of this type", "constants are scalars of at most 64 bits");
}

void runSelect(arith::SelectOp op, Frame &frame) {
  bool condition = frame.word(op.getCondition()).bits;
  frame.copyValue(op.getResult(), condition ? op.getTrueValue() : op.getFalseValue());
}

void addDivision(Handlers &h) {
  binary<arith::DivSIOp>(h, truncated);
  binary<arith::RemSIOp>(h, remainder);
  binary<arith::FloorDivSIOp>(h, floored);
  binary<arith::CeilDivSIOp>(h, ceiled);
  binary<arith::DivUIOp>(h, unsignedQuotient);
  binary<arith::RemUIOp>(h, unsignedRemainder);
  binary<arith::CeilDivUIOp>(h, unsignedCeiled);
}

void addBits(Handlers &h) {
  binary<arith::AndIOp>(h, [](Word a, Word b) { return a.bits & b.bits; });
  binary<arith::OrIOp>(h, [](Word a, Word b) { return a.bits | b.bits; });
  binary<arith::XOrIOp>(h, [](Word a, Word b) { return a.bits ^ b.bits; });
  binary<arith::ShLIOp>(h, shiftLeft);
  binary<arith::ShRUIOp>(h, shiftRight);
  binary<arith::ShRSIOp>(h, shiftRightSigned);
  unary<math::CtPopOp>(h, [](Word a) { return std::popcount(a.bits); });
  unary<math::CountLeadingZerosOp>(h,
                                   [](Word a) { return std::countl_zero(a.bits) - (64 - static_cast<int>(a.width)); });
  unary<math::CountTrailingZerosOp>(
      h, [](Word a) { return std::min(std::countr_zero(a.bits), static_cast<int>(a.width)); });
}

void addExtended(Handlers &h) {
  h.add<arith::AddUIExtendedOp>([](arith::AddUIExtendedOp op, Frame &frame) {
    Word a = frame.word(op.getLhs()), b = frame.word(op.getRhs());
    UnsignedWide sum = static_cast<UnsignedWide>(a.bits) + b.bits;
    frame.set(op.getSum(), static_cast<uint64_t>(sum));
    frame.set(op.getOverflow(), static_cast<uint64_t>(sum >> a.width));
  });
  h.add<arith::MulSIExtendedOp>([](arith::MulSIExtendedOp op, Frame &frame) {
    Word a = frame.word(op.getLhs()), b = frame.word(op.getRhs());
    Wide product = static_cast<Wide>(a.value()) * b.value();
    frame.set(op.getLow(), static_cast<uint64_t>(product));
    frame.set(op.getHigh(), static_cast<uint64_t>(product >> a.width));
  });
  h.add<arith::MulUIExtendedOp>([](arith::MulUIExtendedOp op, Frame &frame) {
    Word a = frame.word(op.getLhs()), b = frame.word(op.getRhs());
    UnsignedWide product = static_cast<UnsignedWide>(a.bits) * b.bits;
    frame.set(op.getLow(), static_cast<uint64_t>(product));
    frame.set(op.getHigh(), static_cast<uint64_t>(product >> a.width));
  });
}

} // namespace

void addIntegerHandlers(Handlers &h) {
  h.add<arith::ConstantOp>(runConstant);
  h.add<arith::SelectOp>(runSelect);
  binary<arith::AddIOp>(h, [](Word a, Word b) { return a.bits + b.bits; });
  binary<arith::SubIOp>(h, [](Word a, Word b) { return a.bits - b.bits; });
  binary<arith::MulIOp>(h, [](Word a, Word b) { return a.bits * b.bits; });
  binary<arith::MaxSIOp>(h, [](Word a, Word b) { return std::max(a.value(), b.value()); });
  binary<arith::MinSIOp>(h, [](Word a, Word b) { return std::min(a.value(), b.value()); });
  binary<arith::MaxUIOp>(h, [](Word a, Word b) { return std::max(a.bits, b.bits); });
  binary<arith::MinUIOp>(h, [](Word a, Word b) { return std::min(a.bits, b.bits); });
  binary<math::IPowIOp>(h, power);
  unary<math::AbsIOp>(h, [](Word a) { return a.value() < 0 ? -a.bits : a.bits; });
  h.add<arith::CmpIOp>([](arith::CmpIOp op, Frame &frame) {
    frame.set(op.getResult(), compare(op.getPredicate(), frame.word(op.getLhs()), frame.word(op.getRhs())));
  });
  addDivision(h);
  addBits(h);
  addExtended(h);
}

} // namespace tessera::tile
