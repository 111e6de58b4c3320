// Floating-point arithmetic and comparison of arith, and what of math is exact: one rounding for each operation.
//
// Everything is computed in double. That is exact, or rounds so finely that the second rounding, to f32 or less, gives
// what a single one gives: double has more than twice the bits of f32, and two.
#include "tilelang/ir/interp/float_arithmetic.h"

#include "core/float_format.h"
#include "core/numbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;

namespace tessera::tile {
namespace {

template <class Op> void unary(Handlers &handlers, double (*f)(double)) {
  handlers.add<Op>([f](Op op, Frame &frame) {
    requireArithmetic(op, frame, op->getOperand(0));
    frame.setReal(op->getResult(0), f(frame.real(op->getOperand(0))));
  });
}

template <class Op> void binary(Handlers &handlers, double (*f)(double, double)) {
  handlers.add<Op>([f](Op op, Frame &frame) {
    requireArithmetic(op, frame, op->getOperand(0));
    frame.setReal(op->getResult(0), f(frame.real(op->getOperand(0)), frame.real(op->getOperand(1))));
  });
}

/// Registers an operation on the bits alone, which leaves the payload of a NaN alone.
template <class Op, class F> void onBits(Handlers &handlers, F f) {
  handlers.add<Op>([f](Op op, Frame &frame) {
    uint64_t sign = floatFormat(frame.floatType(op->getOperand(0))).signBit();
    uint64_t last = frame.bits(op->getOperand(op->getNumOperands() - 1));
    frame.set(op->getResult(0), f(frame.bits(op->getOperand(0)), last, sign));
  });
}

/// Registers a question about a value: its code without sign, in its format.
template <class Op> void classify(Handlers &handlers, bool (*f)(uint64_t code, const FloatFormat &format)) {
  handlers.add<Op>([f](Op op, Frame &frame) {
    requireArithmetic(op, frame, op->getOperand(0));
    const FloatFormat &format = floatFormat(frame.floatType(op->getOperand(0)));
    frame.set(op->getResult(0), f(frame.bits(op->getOperand(0)) & ~format.signBit(), format));
  });
}

bool compare(arith::CmpFPredicate predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse: return false;
  case arith::CmpFPredicate::OEQ: return a == b;
  case arith::CmpFPredicate::OGT: return a > b;
  case arith::CmpFPredicate::OGE: return a >= b;
  case arith::CmpFPredicate::OLT: return a < b;
  case arith::CmpFPredicate::OLE: return a <= b;
  case arith::CmpFPredicate::ONE: return !unordered && a != b;
  case arith::CmpFPredicate::ORD: return !unordered;
  case arith::CmpFPredicate::UEQ: return unordered || a == b;
  case arith::CmpFPredicate::UGT: return unordered || a > b;
  case arith::CmpFPredicate::UGE: return unordered || a >= b;
  case arith::CmpFPredicate::ULT: return unordered || a < b;
  case arith::CmpFPredicate::ULE: return unordered || a <= b;
  case arith::CmpFPredicate::UNE: return a != b;
  case arith::CmpFPredicate::UNO: return unordered;
  case arith::CmpFPredicate::AlwaysTrue: return true;
  }
  return false;
}

/// a * b + c with one rounding.
void runFma(math::FmaOp op, Frame &frame) {
  requireArithmetic(op, frame, op.getA());
  double a = frame.real(op.getA()), b = frame.real(op.getB()), c = frame.real(op.getC());
  // Below f64 the product is exact in double, and the sum rounded to odd keeps the last rounding the only one.
  bool wide = frame.floatType(op.getA()) == DType::f64;
  frame.setReal(op.getResult(), wide ? std::fma(a, b, c) : addToOdd(a * b, c));
}

/// The value itself unless it lies outside the limits, so that NaN stays.
void runClamp(math::ClampFOp op, Frame &frame) {
  requireArithmetic(op, frame, op.getValue());
  double value = frame.real(op.getValue()), low = frame.real(op.getMin()), high = frame.real(op.getMax());
  frame.setReal(op.getResult(), value < low ? low : value > high ? high : value);
}

void addRounding(Handlers &h) {
  unary<math::FloorOp>(h, [](double x) { return roundToInteger(x, tessera::Rounding::floor); });
  unary<math::CeilOp>(h, [](double x) { return roundToInteger(x, tessera::Rounding::ceil); });
  unary<math::TruncOp>(h, [](double x) { return roundToInteger(x, tessera::Rounding::trunc); });
  unary<math::RoundOp>(h, [](double x) { return roundToInteger(x, tessera::Rounding::round); });
  unary<math::RoundEvenOp>(h, [](double x) { return roundToInteger(x, tessera::Rounding::rint); });
}

void addBitOperations(Handlers &h) {
  onBits<arith::NegFOp>(h, [](uint64_t x, uint64_t, uint64_t sign) { return x ^ sign; });
  onBits<math::AbsFOp>(h, [](uint64_t x, uint64_t, uint64_t sign) { return x & ~sign; });
  onBits<math::CopySignOp>(h, [](uint64_t x, uint64_t y, uint64_t sign) { return (x & ~sign) | (y & sign); });
  classify<math::IsNaNOp>(h, [](uint64_t code, const FloatFormat &f) { return code > f.overflow; });
  classify<math::IsInfOp>(h, [](uint64_t code, const FloatFormat &f) { return code == f.overflow; });
  classify<math::IsFiniteOp>(h, [](uint64_t code, const FloatFormat &f) { return code <= f.largest; });
  classify<math::IsNormalOp>(
      h, [](uint64_t code, const FloatFormat &f) { return code <= f.largest && code >> f.mantissaBits != 0; });
}

} // namespace

void requireArithmetic(Operation *op, const Frame &frame, Value operand) {
  if (isArithmetic(frame.floatType(operand))) return;
  failAt(op, "arithmetic on a floating-point value of at most 8 bits", "convert it with tile.cast first");
}

void addFloatHandlers(Handlers &h) {
  binary<arith::AddFOp>(h, [](double a, double b) { return a + b; });
  binary<arith::SubFOp>(h, [](double a, double b) { return a - b; });
  binary<arith::MulFOp>(h, [](double a, double b) { return a * b; });
  binary<arith::DivFOp>(h, [](double a, double b) { return a / b; });
  binary<arith::RemFOp>(h, [](double a, double b) { return std::fmod(a, b); });
  binary<arith::MaximumFOp>(h, maximum);
  binary<arith::MinimumFOp>(h, minimum);
  binary<arith::MaxNumFOp>(h, maximumNumber);
  binary<arith::MinNumFOp>(h, minimumNumber);
  unary<math::SqrtOp>(h, [](double x) { return std::sqrt(x); });
  h.add<math::FmaOp>(runFma);
  h.add<math::ClampFOp>(runClamp);
  h.add<arith::CmpFOp>([](arith::CmpFOp op, Frame &frame) {
    frame.set(op.getResult(), compare(op.getPredicate(), frame.real(op.getLhs()), frame.real(op.getRhs())));
  });
  addRounding(h);
  addBitOperations(h);
}

} // namespace tessera::tile
