// Operations on the bits, comparisons, exact arithmetic, and functions put together from others.
#include "tilelang/cpu/emit/FloatOps.h"

#include "core/float_format.h"
#include "tilelang/cpu/emit/Emitter.h"
#include "tilelang/cpu/emit/FloatCodes.h"
#include "tilelang/cpu/emit/FloatFunctions.h"
#include "tilelang/cpu/emit/Integral.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::cpu {
namespace {

using Predicate = LaneBuilder::Predicate;
using RealPredicate = LaneBuilder::RealPredicate;
using tile::Rounding;

DType floatType(Type type) { return *parseDType(tile::typeName(type)); }

bool isNarrow(Type type) { return !type.isF32() && !type.isF64(); }

// --- On the bits --------------------------------------------------------------------------------------------------

/// Sign operations and questions about a value.
Value emitOnBits(LaneBuilder &l, Operation *op, ArrayRef<Value> v) {
  const FloatFormat &f = floatFormat(floatType(op->getOperand(0).getType()));
  Type emitted = getElementTypeOrSelf(v[0].getType());
  Value x = l.toBits(v[0]);
  auto magnitude = [&] { return l.bitAnd(x, ~f.signBit()); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::NegFOp>([&](auto) { return l.bitcast(l.bitXor(x, f.signBit()), emitted); })
      .Case<math::AbsFOp>([&](auto) { return l.bitcast(magnitude(), emitted); })
      .Case<math::CopySignOp>(
          [&](auto) { return l.bitcast(l.bitOr(magnitude(), l.bitAnd(l.toBits(v[1]), f.signBit())), emitted); })
      .Case<math::IsNaNOp>([&](auto) { return l.compare(Predicate::sgt, magnitude(), f.overflow); })
      .Case<math::IsInfOp>([&](auto) { return l.compare(Predicate::eq, magnitude(), f.overflow); })
      .Case<math::IsFiniteOp>([&](auto) { return l.compare(Predicate::sle, magnitude(), f.largest); })
      .Case<math::IsNormalOp>([&](auto) {
        Value isLarge = l.compare(Predicate::sge, magnitude(), uint64_t{1} << f.mantissaBits);
        return l.bitAnd(isLarge, l.compare(Predicate::sle, magnitude(), f.largest));
      })
      .Default([](Operation *) { return Value(); });
}

// --- On f32 or f64 ------------------------------------------------------------------------------------------------

Value clamped(LaneBuilder &l, Value x, Value low, Value high) {
  Value limited = l.select(l.compareReal(RealPredicate::OGT, x, high), high, x);
  return l.select(l.compareReal(RealPredicate::OLT, x, low), low, limited);
}

/// Results that need no rounding: values of the operands, or integral.
Value emitExact(LaneBuilder &l, const CpuIsa &isa, Operation *op, ArrayRef<Value> v) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::MaximumFOp>([&](auto) { return l.intrinsic("llvm.maximum", v[0].getType(), v); })
      .Case<arith::MinimumFOp>([&](auto) { return l.intrinsic("llvm.minimum", v[0].getType(), v); })
      .Case<arith::MaxNumFOp>([&](auto) { return l.intrinsic("llvm.maximumnum", v[0].getType(), v); })
      .Case<arith::MinNumFOp>([&](auto) { return l.intrinsic("llvm.minimumnum", v[0].getType(), v); })
      .Case<arith::RemFOp>([&](auto) { return arith::RemFOp::create(l.b, v[0], v[1]); })
      .Case<math::ClampFOp>([&](auto) { return clamped(l, v[0], v[1], v[2]); })
      .Case<math::FloorOp>([&](auto) { return roundToIntegral(l, isa, v[0], Rounding::floor); })
      .Case<math::CeilOp>([&](auto) { return roundToIntegral(l, isa, v[0], Rounding::ceil); })
      .Case<math::TruncOp>([&](auto) { return roundToIntegral(l, isa, v[0], Rounding::trunc); })
      .Case<math::RoundOp>([&](auto) { return roundToIntegral(l, isa, v[0], Rounding::round); })
      .Case<math::RoundEvenOp>([&](auto) { return roundToIntegral(l, isa, v[0], Rounding::rint); })
      .Default([](Operation *) { return Value(); });
}

/// The operation itself without its flags.
template <class Op> Value plain(LaneBuilder &l, ArrayRef<Value> v) {
  OperationState state(l.b.getLoc(), Op::getOperationName(), v, v[0].getType());
  return l.b.create(state)->getResult(0);
}

Value emitRounded(LaneBuilder &l, const CpuIsa &isa, Operation *op, ArrayRef<Value> v) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, math::SqrtOp, math::FmaOp>(
          [&](auto o) { return plain<decltype(o)>(l, v); })
      .Case<math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp, math::Log2Op, math::Log10Op, math::SinOp,
            math::CosOp, math::TanOp, math::TanhOp, math::AsinOp, math::AcosOp, math::AtanOp, math::AtanhOp,
            math::ErfOp, math::ErfcOp, math::CbrtOp, math::Atan2Op>([&](auto o) { return plain<decltype(o)>(l, v); })
      .Case<math::PowFOp>([&](math::PowFOp pow) {
        APFloat exponent(0.0);
        bool isConstant = matchPattern(pow.getRhs(), m_ConstantFloat(&exponent));
        Value products = isConstant ? powerOfConstant(l, v[0], exponent.convertToDouble()) : Value();
        return products ? products : plain<math::PowFOp>(l, v);
      })
      .Case<math::Log1pOp>([&](auto) { return log1p(l, v[0]); })
      .Case<math::SinhOp>([&](auto) { return sinh(l, v[0]); })
      .Case<math::CoshOp>([&](auto) { return cosh(l, v[0]); })
      .Case<math::AsinhOp>([&](auto) { return asinh(l, v[0]); })
      .Case<math::AcoshOp>([&](auto) { return acosh(l, v[0]); })
      .Case<math::RsqrtOp>([&](auto) { return reciprocalRoot(l, v[0]); })
      .Case<math::FPowIOp>([&](auto) { return powerOfInteger(l, v[0], v[1]); })
      .Case<tile::SigmoidOp>([&](auto) { return sigmoid(l, isa, v[0]); })
      .Case<tile::Exp10Op>([&](auto) { return exp10(l, v[0]); })
      .Case<tile::HypotOp>([&](auto) { return hypot(l, v[0], v[1]); })
      .Default([](Operation *) { return Value(); });
}

/// `real` in the type of the program; `isExact` if that type holds it.
Value narrowed(LaneBuilder &l, const CpuIsa &isa, Value real, Type type, bool isExact) {
  Type from = getElementTypeOrSelf(real.getType());
  if (from == type) return real;
  if ((from.isF64() && type.isF32()) || (from.isF32() && type.isF16() && isa.hasF16c))
    return arith::TruncFOp::create(l.b, lanesLike(real.getType(), type), real);
  if (type.isBF16() && isExact) {
    Value upper = l.shiftRight(l.toBits(real), 16);
    return l.bitcast(l.resize(upper, 16, false), type);
  }
  return l.bitcast(roundToCode(l, real, floatType(type), Rounding::rint, false), type);
}

} // namespace

Value emitFloatOp(LaneBuilder &l, const CpuIsa &isa, Operation *op, ArrayRef<Value> operands) {
  Type type = op->getNumOperands() ? op->getOperand(0).getType() : Type();
  if (!type || !llvm::isa<FloatType>(type)) return {};
  if (Value value = emitOnBits(l, op, operands)) return value;
  if (llvm::isa<tile::NextAfterOp>(op)) return nextAfter(l, isa, operands[0], operands[1], floatType(type));

  SmallVector<Value> wide;
  for (auto [operand, value] : llvm::zip(op->getOperandTypes(), operands))
    wide.push_back(llvm::isa<FloatType>(operand) && isNarrow(operand)
                       ? widenToF32(l, isa, value, floatType(operand), true)
                       : value);
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) return l.compareReal(compare.getPredicate(), wide[0], wide[1]);
  auto result = [&](Value value, bool isExact) { return narrowed(l, isa, value, type, isExact); };
  if (llvm::isa<tile::LdexpOp>(op)) return result(ldexp(l, wide[0], wide[1]), false);
  if (llvm::isa<math::FmaOp>(op) && isNarrow(type))
    return result(multiplyAddToOdd(l, wide[0], wide[1], wide[2]), false);
  if (Value value = emitExact(l, isa, op, wide)) return result(value, true);
  if (Value value = emitRounded(l, isa, op, wide)) return result(value, false);
  return {};
}

} // namespace tessera::cpu
