// Choosing instructions for the few steps of inline functions that differ between instruction sets.
#include "tilelang/cpu/math/MathCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tessera::cpu {
namespace {

Value constantVector(ImplicitLocOpBuilder &b, ArrayRef<float> values) {
  auto type = VectorType::get({static_cast<int64_t>(values.size())}, b.getF32Type());
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, values));
}

/// The address of the table, which is put into the module where it is missing.
Value addressOf(ImplicitLocOpBuilder &b, const MathTable &table) {
  auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto global = module.lookupSymbol<LLVM::GlobalOp>(table.name);
  if (!global) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto values = DenseElementsAttr::get(RankedTensorType::get({16}, b.getF32Type()), ArrayRef<float>(table.values));
    auto type = LLVM::LLVMArrayType::get(b.getF32Type(), 16);
    global = LLVM::GlobalOp::create(b, type, true, LLVM::Linkage::Internal, table.name, values, 64);
  }
  return LLVM::AddressOfOp::create(b, global);
}

} // namespace

Value MathCode::fma(Value x, Value y, Value z) { return math::FmaOp::create(b, x, y, z); }

Value MathCode::clamp(Value x, double low, double high) {
  // Such that the other operand is taken for NaN; x86 has instructions for just this.
  Value lowest = real(x.getType(), low), highest = real(x.getType(), high);
  x = select(compareReal(RealPredicate::OGT, lowest, x), lowest, x);
  return select(compareReal(RealPredicate::OLT, highest, x), highest, x);
}

Value MathCode::powerOfTwo(Value n) { return bitcast(shiftLeft(add(n, 127), 23), b.getF32Type()); }

Value MathCode::lookup(const MathTable &table, Value index) {
  if (hasAvx512(index.getType())) {
    Value values = constantVector(b, table.values);
    return intrinsic("llvm.x86.avx512.permvar.sf.512", values.getType(), {values, index});
  }
  auto vector = dyn_cast<VectorType>(index.getType());
  bool isWhole = vector && vector.getNumElements() % 8 == 0;
  return isWhole && isa.vectorBytes >= 32 ? lookupAvx2(table, index) : lookupInMemory(table, index);
}

/// In eight lanes at a time: from either half of the table, one of which bit 3 of the index chooses.
Value MathCode::lookupAvx2(const MathTable &table, Value index) {
  auto type = cast<VectorType>(index.getType());
  ArrayRef<float> values(table.values);
  Value low = constantVector(b, values.take_front(8)), high = constantVector(b, values.drop_front(8));
  Value inHigh = compare(Predicate::slt, shiftLeft(index, 28), 0);
  auto choose = [&](Value half, Value result) {
    for (int64_t at = 0; at < type.getNumElements(); at += 8) {
      Value piece = vector::ExtractStridedSliceOp::create(b, index, at, 8, 1);
      Value chosen = intrinsic("llvm.x86.avx2.permps", half.getType(), {half, piece});
      result = vector::InsertStridedSliceOp::create(b, chosen, result, at, 1);
    }
    return result;
  };
  Value none = real(VectorType::get(type.getShape(), b.getF32Type()), 0);
  return select(inHigh, choose(high, none), choose(low, none));
}

Value MathCode::lookupInMemory(const MathTable &table, Value index) {
  Value base = addressOf(b, table), masked = bitAnd(index, 15);
  auto load = [&](Value at) -> Value {
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    return LLVM::LoadOp::create(b, b.getF32Type(), LLVM::GEPOp::create(b, pointer, b.getF32Type(), base, at));
  };
  auto vector = dyn_cast<VectorType>(index.getType());
  if (!vector) return load(masked);
  Value result = real(VectorType::get(vector.getShape(), b.getF32Type()), 0);
  for (int64_t lane = 0; lane < vector.getNumElements(); ++lane)
    result = vector::InsertOp::create(b, load(vector::ExtractOp::create(b, masked, lane)), result, lane);
  return result;
}

bool MathCode::hasAvx512(Type type) const {
  auto vector = dyn_cast<VectorType>(type);
  return isa.hasAvx512 && vector && vector.getNumElements() == 16;
}

// Instructions with a mask and a rounding mode take what masked lanes hold, all lanes, and the current mode.

Value MathCode::scaleAvx512(Value x, Value n) {
  Value all = constant(b.getI16Type(), 0xffff), current = constant(b.getI32Type(), 4);
  return intrinsic("llvm.x86.avx512.mask.scalef.ps.512", x.getType(), {x, n, x, all, current});
}

Value MathCode::limitAvx512(Value x, double limit) {
  constexpr uint64_t kSmallerMagnitude = 2, kPositive = 8;
  Value all = constant(b.getI16Type(), 0xffff), current = constant(b.getI32Type(), 4);
  Value mode = constant(b.getI32Type(), kSmallerMagnitude | kPositive);
  return intrinsic("llvm.x86.avx512.mask.range.ps.512", x.getType(),
                   {x, real(x.getType(), limit), mode, x, all, current});
}

Value MathCode::quartersAvx512(Value x) {
  constexpr uint64_t kTwoFractionBits = 0x20, kQuietNearestEven = 8;
  Value all = constant(b.getI16Type(), 0xffff), current = constant(b.getI32Type(), 4);
  Value mode = constant(b.getI32Type(), kTwoFractionBits | kQuietNearestEven);
  return intrinsic("llvm.x86.avx512.mask.rndscale.ps.512", x.getType(), {x, mode, x, all, current});
}

Value MathCode::mantissaAvx512(Value x) {
  constexpr uint64_t kFromThreeQuarters = 3, kNegativeIsNaN = 8;
  Value all = constant(b.getI16Type(), 0xffff), current = constant(b.getI32Type(), 4);
  Value mode = constant(b.getI32Type(), kFromThreeQuarters | kNegativeIsNaN);
  return intrinsic("llvm.x86.avx512.mask.getmant.ps.512", x.getType(), {x, mode, x, all, current});
}

Value MathCode::exponentAvx512(Value x, Value mantissa) {
  auto floorOfLog2 = [&](Value y) {
    Value all = constant(b.getI16Type(), 0xffff), current = constant(b.getI32Type(), 4);
    return intrinsic("llvm.x86.avx512.mask.getexp.ps.512", y.getType(), {y, y, all, current});
  };
  return subf(floorOfLog2(x), floorOfLog2(mantissa));
}

} // namespace tessera::cpu
