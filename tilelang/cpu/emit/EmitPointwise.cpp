// Pointwise scalar operations, on one value or on 16 lanes of it.
#include "tilelang/cpu/emit/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

namespace {

/// 16-bit floating point is computed in f32 and rounded after every operation.
bool isNarrowFloat(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

/// The operation on other operands: same name, properties and attributes.
Value recreate(Emitter &e, Operation *op, ArrayRef<Value> operands, Type result) {
  OperationState state(e.b.getLoc(), op->getName(), operands, result, op->getAttrs());
  return e.b.create(state)->getResult(0);
}

} // namespace

FailureOr<Value> Emitter::emitPointwise(Operation *op, ArrayRef<Value> operands) {
  Type result = op->getResult(0).getType();
  Type like = operands.empty() ? result : operands.front().getType();
  if (isa<arith::ConstantOp>(op)) return b.clone(*op)->getResult(0);
  if (auto cast = dyn_cast<CastOp>(op))
    return emitCast(operands[0], cast.getSource().getType(), result, cast.getRounding(), cast.getSaturate(),
                    cast.getUnsignedFrom(), cast.getUnsignedTo());
  if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return op->emitError("the cpu target has no code for '") << op->getName() << "'", failure();
  bool narrow = llvm::any_of(op->getOperandTypes(), isNarrowFloat) && isa<FloatType>(result);
  if (!narrow) return recreate(*this, op, operands, lanesLike(like, emittedType(result)));
  SmallVector<Value> wide = llvm::map_to_vector(operands, [&](Value v) {
    return isNarrowFloat(v.getType())
               ? emitCast(v, getElementTypeOrSelf(v.getType()), b.getF32Type(), std::nullopt, false, false, false)
               : v;
  });
  Value computed = recreate(*this, op, wide, lanesLike(like, b.getF32Type()));
  return emitCast(computed, b.getF32Type(), result, std::nullopt, false, false, false);
}

} // namespace tessera::cpu
