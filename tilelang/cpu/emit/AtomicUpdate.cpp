// Integers and sums of f32 and f64 are instructions or LLVM's own loops; every other update is a loop that compares and
// exchanges, around the same arithmetic as elsewhere.
#include "tilelang/cpu/emit/AtomicUpdate.h"

#include "tilelang/cpu/emit/LaneBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tessera::cpu {
using tile::AtomicKind;

namespace {

using RealPredicate = LaneBuilder::RealPredicate;

arith::AtomicRMWKind integerUpdate(AtomicKind kind, bool isUnsigned) {
  switch (kind) {
  case AtomicKind::add: return arith::AtomicRMWKind::addi;
  case AtomicKind::max: return isUnsigned ? arith::AtomicRMWKind::maxu : arith::AtomicRMWKind::maxs;
  case AtomicKind::min: return isUnsigned ? arith::AtomicRMWKind::minu : arith::AtomicRMWKind::mins;
  }
  return arith::AtomicRMWKind::addi;
}

/// The larger or the smaller, as `maxnumf` and `minnumf`, in operations without side effects.
Value extremeNumber(LaneBuilder &l, bool isMax, Value a, Value b) {
  Value isBetter = l.compareReal(isMax ? RealPredicate::OGT : RealPredicate::OLT, a, b);
  // Equal numbers differ in the sign of zero at most: +0 is above -0.
  Value bits = isMax ? l.bitAnd(l.toBits(a), l.toBits(b)) : l.bitOr(l.toBits(a), l.toBits(b));
  Value both = l.bitcast(bits, a.getType());
  Value best = l.select(l.compareReal(RealPredicate::OEQ, a, b), both, l.select(isBetter, a, b));
  return l.select(l.compareReal(RealPredicate::UNO, b, b), a, best); // with a NaN in a, b has been taken
}

Value combined(Emitter &e, AtomicKind kind, Type element, Value old, Value value) {
  LaneBuilder l(e.b);
  Type wide = element.isF64() ? Type(e.b.getF64Type()) : e.b.getF32Type();
  auto widened = [&](Value stored) { return e.convertElement(l.bitcast(stored, element), element, wide); };
  Value a = widened(old), b = widened(value);
  Value result = kind == AtomicKind::add ? l.addf(a, b) : extremeNumber(l, kind == AtomicKind::max, a, b);
  return l.bitcast(e.convertElement(result, wide, element), storageType(element));
}

/// The same memory with integers as elements, which is what the machine can compare and exchange.
Value withIntegerElements(Emitter &e, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  auto made = memref.getDefiningOp<UnrealizedConversionCastOp>(); // of a descriptor, by Emitter::makeMemRef
  assert(made && "memrefs of tiles are made from descriptors");
  Type integer = e.b.getIntegerType(elementWidth(type));
  auto integers = MemRefType::get(type.getShape(), integer, type.getLayout());
  return UnrealizedConversionCastOp::create(e.b, integers, made.getOperand(0)).getResult(0);
}

} // namespace

Value emitAtomicUpdate(Emitter &e, AtomicKind kind, Type element, Value memref, ValueRange at, Value value) {
  bool isSum = kind == AtomicKind::add && (element.isF32() || element.isF64());
  if (isa<IntegerType>(element) || isSum) {
    auto update = isSum ? arith::AtomicRMWKind::addf : integerUpdate(kind, tile::isUnsigned(element));
    return memref::AtomicRMWOp::create(e.b, update, value, memref, at);
  }
  LaneBuilder l(e.b);
  auto loop = memref::GenericAtomicRMWOp::create(e.b, withIntegerElements(e, memref), at);
  {
    OpBuilder::InsertionGuard guard(e.b);
    e.b.setInsertionPointToStart(loop.getBody());
    memref::AtomicYieldOp::create(e.b, l.toBits(combined(e, kind, element, loop.getCurrentValue(), value)));
  }
  return l.bitcast(loop.getResult(), storageType(element));
}

} // namespace tessera::cpu
