// Which operations have code of their own.
#include "tilelang/cpu/math/InlineMath.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tessera::cpu {
namespace {

using Inline = Value (*)(MathCode &, Value);

Inline powerOf(Value base) {
  APFloat constant(0.0);
  if (!matchPattern(base, m_ConstantFloat(&constant))) return nullptr;
  double value = constant.convertToDouble();
  return value == 2 ? inlineExp2 : value == 10 ? inlineExp10 : nullptr;
}

Inline inlineOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Inline>(op)
      .Case<math::ExpOp>([](auto) { return inlineExp; })
      .Case<math::Exp2Op>([](auto) { return inlineExp2; })
      .Case<math::LogOp>([](auto) { return inlineLog; })
      .Case<math::Log2Op>([](auto) { return inlineLog2; })
      .Case<math::Log10Op>([](auto) { return inlineLog10; })
      .Case<math::ErfOp>([](auto) { return inlineErf; })
      .Case<math::TanhOp>([](auto) { return inlineTanh; })
      .Case<math::PowFOp>([](math::PowFOp pow) { return powerOf(pow.getLhs()); })
      .Default([](Operation *) { return nullptr; });
}

} // namespace

Value inlineMath(Operation *op, const CpuIsa &isa) {
  Inline function = isa.hasFma ? inlineOf(op) : nullptr;
  if (!function || !getElementTypeOrSelf(op->getResult(0).getType()).isF32()) return {};
  ImplicitLocOpBuilder b(op->getLoc(), op);
  MathCode code(b, isa);
  return function(code, op->getOperands().back());
}

} // namespace tessera::cpu
