// Pointwise scalar operations, on one value or on 16 lanes of it: finds who emits which.
#include "tilelang/cpu/emit/Emitter.h"
#include "tilelang/cpu/emit/FloatOps.h"
#include "tilelang/cpu/emit/IntegerOps.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;
using tile::Rounding;

namespace {

std::optional<Rounding> roundingOf(arith::TruncFOp op) {
  if (!op.getRoundingmode()) return std::nullopt;
  switch (*op.getRoundingmode()) {
  case arith::RoundingMode::to_nearest_even: return Rounding::rint;
  case arith::RoundingMode::downward: return Rounding::floor;
  case arith::RoundingMode::upward: return Rounding::ceil;
  case arith::RoundingMode::toward_zero: return Rounding::trunc;
  case arith::RoundingMode::to_nearest_away: return Rounding::round;
  }
  return std::nullopt;
}

/// Conversions that involve floating point; those between integers are integer operations.
Value emitConversion(Emitter &e, Operation *op, Value x) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  auto convert = [&](std::optional<Rounding> rounding, bool unsignedFrom, bool unsignedTo) {
    return e.emitCast(x, from, to, rounding, false, unsignedFrom, unsignedTo);
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<CastOp>([&](CastOp cast) {
        // Arithmetic makes its own NaN of whatever NaN it gets.
        bool anyNaN = llvm::all_of(cast->getUsers(), [](Operation *user) {
          if (user->hasAttr("cpu.unused")) return true; // what a merged reduction folds
          return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::CmpFOp, math::FmaOp>(user);
        });
        return e.emitCast(x, from, to, cast.getRounding(), cast.getSaturate(), cast.getUnsignedFrom(),
                          cast.getUnsignedTo(), anyNaN);
      })
      .Case<arith::TruncFOp>([&](auto trunc) { return convert(roundingOf(trunc), false, false); })
      .Case<arith::ExtFOp, arith::SIToFPOp, arith::FPToSIOp>([&](auto) { return convert(std::nullopt, false, false); })
      .Case<arith::UIToFPOp>([&](auto) { return convert(std::nullopt, true, false); })
      .Case<arith::FPToUIOp>([&](auto) { return convert(std::nullopt, false, true); })
      .Case<arith::BitcastOp>([&](auto) {
        LaneBuilder l(e.b);
        return l.bitcast(l.toBits(x), emittedType(to));
      })
      .Default([](Operation *) { return Value(); });
}

/// A constant keeps its bits.
Value emitConstant(Emitter &e, arith::ConstantOp op) {
  LaneBuilder l(e.b);
  Type type = emittedType(op.getType());
  if (auto real = dyn_cast<FloatAttr>(op.getValue()))
    return l.constant(type, real.getValue().bitcastToAPInt().getZExtValue());
  if (auto integer = dyn_cast<IntegerAttr>(op.getValue())) return l.constant(type, integer.getValue().getZExtValue());
  return {};
}

/// On the bits: LLVM would convert 16-bit floating-point values on machines without instructions for them.
Value emitSelect(Emitter &e, Type type, ArrayRef<Value> v) {
  LaneBuilder l(e.b);
  if (!type.isF16() && !type.isBF16()) return l.select(v[0], v[1], v[2]);
  return l.bitcast(l.select(v[0], l.toBits(v[1]), l.toBits(v[2])), type);
}

/// Narrow floating-point values are converted, compared and selected, and their sign is changed.
bool isOnNarrowFloat(Operation *op) {
  if (isa<CastOp, arith::TruncFOp, arith::ExtFOp, arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp,
          arith::BitcastOp, arith::ConstantOp, arith::SelectOp, arith::CmpFOp, arith::NegFOp, math::AbsFOp,
          math::CopySignOp>(op))
    return false;
  return llvm::any_of(op->getOperandTypes(), isNarrowFloat) || llvm::any_of(op->getResultTypes(), isNarrowFloat);
}

/// The low and the high half of a product.
template <class Op> std::pair<Value, Value> extendedProduct(LaneBuilder &l, Value x, Value y, bool isSigned) {
  Type element = getElementTypeOrSelf(x.getType());
  unsigned width = elementWidth(element); // index has no such operation
  auto product = Op::create(l.b, l.resize(x, width, isSigned), l.resize(y, width, isSigned));
  return {l.resize(product.getLow(), element, isSigned), l.resize(product.getHigh(), element, isSigned)};
}

} // namespace

LogicalResult Emitter::emitPair(Operation *op) {
  LaneBuilder l(b);
  bool uniform = llvm::all_of(op->getOperands(), [&](Value v) { return lanes(v).isUniform(); });
  auto operand = [&](unsigned n) {
    Lanes value = lanes(op->getOperand(n));
    return uniform ? value.value : asVector(value);
  };
  auto bindBoth = [&](std::pair<Value, Value> results) {
    bind(op->getResult(0), {results.first});
    bind(op->getResult(1), {results.second});
    return success();
  };
  if (isa<arith::AddUIExtendedOp>(op)) {
    Value x = operand(0), sum = l.add(x, operand(1));
    return bindBoth({sum, l.compare(LaneBuilder::Predicate::ult, sum, x)});
  }
  if (isa<arith::MulSIExtendedOp>(op))
    return bindBoth(extendedProduct<arith::MulSIExtendedOp>(l, operand(0), operand(1), true));
  if (isa<arith::MulUIExtendedOp>(op))
    return bindBoth(extendedProduct<arith::MulUIExtendedOp>(l, operand(0), operand(1), false));
  return op->emitError("the cpu target has no code for '") << op->getName() << "'";
}

FailureOr<Value> Emitter::emitPointwise(Operation *op, ArrayRef<Value> operands) {
  if (isOnNarrowFloat(op)) {
    (void)failWith(op, "arithmetic on a floating-point value of at most 8 bits", "convert it with tile.cast first");
    return failure();
  }
  LaneBuilder l(b);
  Value result;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    result = emitConstant(*this, constant);
  else if (isa<arith::SelectOp>(op))
    result = emitSelect(*this, op->getResult(0).getType(), operands);
  else if (operands.size() == 1)
    result = emitConversion(*this, op, operands[0]);
  if (!result) result = emitIntegerOp(l, op, operands);
  if (!result) result = emitFloatOp(l, options.isa, op, operands);
  if (!result) return op->emitError("the cpu target has no code for '") << op->getName() << "'", failure();
  return result;
}

} // namespace tessera::cpu
