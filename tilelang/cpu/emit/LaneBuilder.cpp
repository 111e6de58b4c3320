// Builds constants and operations in the shape of their operands.
#include "tilelang/cpu/emit/LaneBuilder.h"

#include "tilelang/cpu/emit/Emitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tessera::cpu {

unsigned elementWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
}

static Value splatConstant(ImplicitLocOpBuilder &b, Type like, TypedAttr attr) {
  if (auto vector = dyn_cast<VectorType>(like)) attr = DenseElementsAttr::get(vector, attr);
  return arith::ConstantOp::create(b, attr);
}

Value LaneBuilder::constant(Type like, uint64_t bits) {
  Type element = getElementTypeOrSelf(like);
  APInt value(elementWidth(element), bits, false, true);
  if (auto real = dyn_cast<FloatType>(element))
    return splatConstant(b, like, FloatAttr::get(real, APFloat(real.getFloatSemantics(), value)));
  return splatConstant(b, like, IntegerAttr::get(element, value));
}

Value LaneBuilder::real(Type like, double value) {
  return splatConstant(b, like, b.getFloatAttr(cast<FloatType>(getElementTypeOrSelf(like)), value));
}

Value LaneBuilder::compare(Predicate predicate, Value x, Operand y) {
  return arith::CmpIOp::create(b, predicate, x, resolve(y, x.getType()));
}

Value LaneBuilder::compareReal(RealPredicate predicate, Value x, Value y) {
  return arith::CmpFOp::create(b, predicate, x, y);
}

Value LaneBuilder::select(Value condition, Operand x, Operand y) {
  assert((x.value || y.value) && "a constant takes the type of the other operand");
  Type type = (x.value ? x.value : y.value).getType();
  return arith::SelectOp::create(b, condition, resolve(x, type), resolve(y, type));
}

Value LaneBuilder::bitcast(Value x, Type element) {
  if (getElementTypeOrSelf(x.getType()) == element) return x;
  return arith::BitcastOp::create(b, lanesLike(x.getType(), element), x);
}

Value LaneBuilder::toBits(Value x) {
  Type element = getElementTypeOrSelf(x.getType());
  if (!isa<FloatType>(element)) return x;
  return bitcast(x, b.getIntegerType(element.getIntOrFloatBitWidth()));
}

Value LaneBuilder::resize(Value x, Type element, bool isSigned) {
  Type from = getElementTypeOrSelf(x.getType());
  if (from == element) return x;
  if (from.isIndex() || element.isIndex()) { // index has 64 bits
    if (!element.isIndex()) {
      Type i64 = lanesLike(x.getType(), b.getI64Type());
      return resize(arith::IndexCastOp::create(b, i64, x), element, isSigned);
    }
    Value wide = resize(x, b.getI64Type(), isSigned);
    return arith::IndexCastOp::create(b, lanesLike(x.getType(), element), wide);
  }
  Type type = lanesLike(x.getType(), element);
  if (elementWidth(element) < elementWidth(from)) return arith::TruncIOp::create(b, type, x);
  return isSigned ? arith::ExtSIOp::create(b, type, x).getResult() : arith::ExtUIOp::create(b, type, x).getResult();
}

Value LaneBuilder::intrinsic(const Twine &name, Type result, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, result, b.getStringAttr(name), operands)->getResult(0);
}

Value LaneBuilder::firstLanes(Value count) {
  auto index = [&](int64_t n) { return arith::ConstantIndexOp::create(b, n); };
  Value limited = arith::MaxSIOp::create(b, arith::MinSIOp::create(b, count, index(kLanes)), index(0));
  return vector::CreateMaskOp::create(b, VectorType::get({kLanes}, b.getI1Type()), ValueRange{limited});
}

} // namespace tessera::cpu
