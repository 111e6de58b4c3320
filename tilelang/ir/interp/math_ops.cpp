// Transcendental functions of math and tile: computed one step wider than the type, long double for f64 and double for
// the rest, and rounded once. Targets have error bounds of their own here.
#include "tilelang/ir/Tile.h"
#include "tilelang/ir/interp/float_arithmetic.h"

#include "core/float_format.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;

namespace tessera::tile {
namespace {

template <class F, class... Values> void wider(Operation *op, Frame &frame, Value result, F f, Values... operands) {
  requireArithmetic(op, frame, result);
  if (frame.floatType(result) == DType::f64)
    frame.setReal(result, static_cast<double>(f(static_cast<long double>(frame.real(operands))...)));
  else
    frame.setReal(result, f(frame.real(operands)...));
}

template <class Op, class F> void unary(Handlers &handlers, F f) {
  handlers.add<Op>([f](Op op, Frame &frame) { wider(op, frame, op->getResult(0), f, op->getOperand(0)); });
}
template <class Op, class F> void binary(Handlers &handlers, F f) {
  handlers.add<Op>(
      [f](Op op, Frame &frame) { wider(op, frame, op->getResult(0), f, op->getOperand(0), op->getOperand(1)); });
}

/// The neighbour of `x` towards `y`. Codes of one sign are ordered like their values.
uint64_t neighbour(const FloatFormat &format, uint64_t code, double x, double y) {
  uint64_t sign = code & format.signBit();
  if (x == 0) return (y < 0 ? format.signBit() : 0) | 1;
  bool awayFromZero = (y > x) == (x > 0);
  return sign | ((code & ~sign) + (awayFromZero ? 1 : -1));
}

void runNextAfter(NextAfterOp op, Frame &frame) {
  requireArithmetic(op, frame, op.getLhs());
  double x = frame.real(op.getLhs()), y = frame.real(op.getRhs());
  if (std::isnan(x)) return frame.copyValue(op.getResult(), op.getLhs());
  if (std::isnan(y) || x == y) return frame.copyValue(op.getResult(), op.getRhs());
  const FloatFormat &format = floatFormat(frame.floatType(op.getLhs()));
  frame.set(op.getResult(), neighbour(format, frame.bits(op.getLhs()), x, y));
}

void runLdexp(LdexpOp op, Frame &frame) {
  requireArithmetic(op, frame, op.getOperand());
  frame.setReal(op.getResult(),
                std::ldexp(frame.real(op.getOperand()), static_cast<int>(frame.index(op.getExponent()))));
}

void runPowerOfInteger(math::FPowIOp op, Frame &frame) {
  requireArithmetic(op, frame, op.getLhs());
  auto base = static_cast<long double>(frame.real(op.getLhs()));
  auto exponent = static_cast<long double>(frame.index(op.getRhs()));
  frame.setReal(op.getResult(), static_cast<double>(std::pow(base, exponent)));
}

void runSinCos(math::SincosOp op, Frame &frame) {
  wider(op, frame, op.getSin(), [](auto x) { return std::sin(x); }, op.getOperand());
  wider(op, frame, op.getCos(), [](auto x) { return std::cos(x); }, op.getOperand());
}

void addExponentials(Handlers &h) {
  unary<math::ExpOp>(h, [](auto x) { return std::exp(x); });
  unary<math::Exp2Op>(h, [](auto x) { return std::exp2(x); });
  unary<Exp10Op>(h, [](auto x) { return std::pow(decltype(x)(10), x); });
  unary<math::ExpM1Op>(h, [](auto x) { return std::expm1(x); });
  unary<math::LogOp>(h, [](auto x) { return std::log(x); });
  unary<math::Log2Op>(h, [](auto x) { return std::log2(x); });
  unary<math::Log10Op>(h, [](auto x) { return std::log10(x); });
  unary<math::Log1pOp>(h, [](auto x) { return std::log1p(x); });
  unary<SigmoidOp>(h, [](auto x) { return 1 / (1 + std::exp(-x)); });
}

void addTrigonometric(Handlers &h) {
  unary<math::SinOp>(h, [](auto x) { return std::sin(x); });
  unary<math::CosOp>(h, [](auto x) { return std::cos(x); });
  unary<math::TanOp>(h, [](auto x) { return std::tan(x); });
  unary<math::AsinOp>(h, [](auto x) { return std::asin(x); });
  unary<math::AcosOp>(h, [](auto x) { return std::acos(x); });
  unary<math::AtanOp>(h, [](auto x) { return std::atan(x); });
  unary<math::SinhOp>(h, [](auto x) { return std::sinh(x); });
  unary<math::CoshOp>(h, [](auto x) { return std::cosh(x); });
  unary<math::TanhOp>(h, [](auto x) { return std::tanh(x); });
  unary<math::AsinhOp>(h, [](auto x) { return std::asinh(x); });
  unary<math::AcoshOp>(h, [](auto x) { return std::acosh(x); });
  unary<math::AtanhOp>(h, [](auto x) { return std::atanh(x); });
  binary<math::Atan2Op>(h, [](auto y, auto x) { return std::atan2(y, x); });
  h.add<math::SincosOp>(runSinCos);
}

} // namespace

void addMathHandlers(Handlers &h) {
  addExponentials(h);
  addTrigonometric(h);
  unary<math::CbrtOp>(h, [](auto x) { return std::cbrt(x); });
  unary<math::RsqrtOp>(h, [](auto x) { return 1 / std::sqrt(x); });
  unary<math::ErfOp>(h, [](auto x) { return std::erf(x); });
  unary<math::ErfcOp>(h, [](auto x) { return std::erfc(x); });
  binary<math::PowFOp>(h, [](auto x, auto y) { return std::pow(x, y); });
  binary<HypotOp>(h, [](auto x, auto y) { return std::hypot(x, y); });
  h.add<math::FPowIOp>(runPowerOfInteger);
  h.add<NextAfterOp>(runNextAfter);
  h.add<LdexpOp>(runLdexp);
}

} // namespace tessera::tile
