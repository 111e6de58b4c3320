// Conversions between scalar types with one rounding, on one value or on 16 lanes of it.
//
// Floating-point values below f64 meet in f32, which holds them all; from there FloatCodes.h rounds to any format. The
// machine's own conversions are used where they give the same bits.
#include "tilelang/cpu/emit/Emitter.h"
#include "tilelang/cpu/emit/FloatCodes.h"
#include "tilelang/cpu/emit/Integral.h"

#include "core/float_format.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;
using tile::Rounding;

namespace {

using Predicate = LaneBuilder::Predicate;
using RealPredicate = LaneBuilder::RealPredicate;

DType floatType(Type type) { return *parseDType(typeName(type)); }

/// One conversion: what it was asked for, and where its code goes.
class Cast {
public:
  Cast(ImplicitLocOpBuilder &b, const CpuIsa &cpu, std::optional<Rounding> rounding, bool saturate, bool unsignedFrom,
       bool unsignedTo)
      : l(b), cpu(cpu), stated(rounding), saturate(saturate), unsignedFrom(unsignedFrom), unsignedTo(unsignedTo) {}

  /// With `anyNaN` a NaN may stay as signalling as it is.
  Value run(Value value, Type from, Type to, bool anyNaN) {
    if (to.isInteger(1)) return isNotZero(value, from);
    if (anyNaN && isa<FloatType>(from) && !from.isF64() && to.isF32()) return widened(value, from, true);
    if (isa<FloatType>(from))
      return isa<FloatType>(to) ? floatToFloat(value, from, to) : floatToInteger(value, from, to);
    if (!isa<FloatType>(to)) return l.resize(value, to, !isUnsignedSource(from));
    return integerToFloat(value, from, to);
  }

private:
  LaneBuilder l;
  const CpuIsa &cpu;
  std::optional<Rounding> stated;
  bool saturate, unsignedFrom, unsignedTo;

  Rounding rounding() const { return stated.value_or(Rounding::rint); }
  bool toNearest() const { return rounding() == Rounding::rint; }
  bool isUnsignedSource(Type from) const { return unsignedFrom || from.isInteger(1); }

  Value isNotZero(Value value, Type from) {
    if (!isa<FloatType>(from)) return l.compare(Predicate::ne, value, 0);
    if (from.isF32() || from.isF64()) return l.compareReal(RealPredicate::UNE, value, l.real(value.getType(), 0));
    const FloatFormat &f = floatFormat(floatType(from));
    if (!f.hasSign) return l.constant(lanesLike(value.getType(), l.b.getI1Type()), 1); // e8m0 has no zero
    return l.compare(Predicate::ne, l.bitAnd(l.toBits(value), f.signBit() - 1), 0);
  }

  /// f32 or f64 as they are, anything narrower as f32.
  Value widened(Value value, Type from, bool anyNaN = false) {
    if (from.isF64() || from.isF32()) return value;
    return widenToF32(l, cpu, value, floatType(from), anyNaN);
  }

  /// Whether it matters which NaN is converted.
  static bool keepsNaN(Type to) { return to.isF32() || to.isF64() || floatFormat(floatType(to)).keepsPayload; }

  Value floatToFloat(Value value, Type from, Type to) {
    if (cpu.hasF16c && floatType(from) == DType::e5m2) return floatToFloat(halfOfE5M2(value), l.b.getF16Type(), to);
    if (isa<Float4E2M1FNType>(from) && to.isBF16())
      if (Value bits = lookUpBF16(l, cpu, value)) return l.bitcast(bits, to);
    if (from == to) return saturate ? withoutInfinity(l, value, floatType(to)) : value; // met as a wider source
    Value wide = widened(value, from, !keepsNaN(to));
    if (Value result = byInstruction(wide, to)) return saturate ? withoutInfinity(l, result, floatType(to)) : result;
    Value code = to.isBF16() && isNarrowFloat(from) && !saturate
                     ? l.resize(l.shiftRight(l.toBits(wide), 16), 16, false) // exact
                     : roundToCode(l, wide, floatType(to), rounding(), saturate);
    return l.bitcast(code, emittedType(to));
  }

  /// e5m2 is the first byte of f16, but for the payload of its NaNs.
  Value halfOfE5M2(Value code) {
    const FloatFormat &f = floatFormat(DType::e5m2);
    Value isNaN = l.compare(Predicate::sgt, l.bitAnd(code, f.signBit() - 1), f.overflow);
    Value quiet = l.select(isNaN, l.bitOr(l.bitAnd(code, f.signBit()), 0x7e), code);
    return l.bitcast(l.shiftLeft(l.resize(quiet, 16, false), 8), l.b.getF16Type());
  }

  /// The machine's conversion from f32 or f64, if it has one that rounds as asked.
  Value byInstruction(Value wide, Type to) {
    Type from = getElementTypeOrSelf(wide.getType()), result = lanesLike(wide.getType(), to);
    if (from == to) return wide;
    if (to.isF64()) return arith::ExtFOp::create(l.b, result, wide);
    if (from.isF32() && to.isBF16() && toNearest()) return nearestBF16ByInstruction(wide);
    bool exists = (from.isF64() && to.isF32()) || (from.isF32() && to.isF16() && cpu.hasF16c);
    return exists && toNearest() ? arith::TruncFOp::create(l.b, result, wide).getResult() : Value();
  }

  /// The instruction takes subnormal numbers for zero: lanes with one, which are rare, are rounded in integers.
  Value nearestBF16ByInstruction(Value wide) {
    auto vector = dyn_cast<VectorType>(wide.getType());
    if (!cpu.hasBf16Dot || !vector || vector.getNumElements() != 16) return {};
    constexpr uint64_t kSubnormal = 0x20;
    Type narrow = lanesLike(vector, l.b.getBF16Type());
    Value isSubnormal = l.intrinsic("llvm.x86.avx512.fpclass.ps.512", lanesLike(vector, l.b.getI1Type()),
                                    {wide, l.constant(l.b.getI32Type(), kSubnormal)});
    Value any = vector::ReductionOp::create(l.b, vector::CombiningKind::OR, isSubnormal);
    any = LLVM::ExpectOp::create(l.b, any, l.constant(any.getType(), 0));
    auto choice = scf::IfOp::create(l.b, TypeRange{narrow}, any, true);
    OpBuilder::InsertionGuard guard(l.b);
    auto yield = [&](Block *block, function_ref<Value()> result) {
      l.b.setInsertionPointToEnd(block);
      scf::YieldOp::create(l.b, ValueRange{result()});
    };
    yield(choice.thenBlock(),
          [&] { return l.bitcast(roundToCode(l, wide, DType::bf16, Rounding::rint, false), l.b.getBF16Type()); });
    yield(choice.elseBlock(), [&] { return l.intrinsic("llvm.x86.avx512bf16.cvtneps2bf16.512", narrow, wide); });
    return choice.getResult(0);
  }

  Value floatToInteger(Value value, Type from, Type to) {
    Value wide = widened(value, from, true);
    Rounding rounding = stated.value_or(Rounding::trunc);
    if (rounding != Rounding::trunc) wide = roundToIntegral(l, cpu, wide, rounding);
    Type integer = lanesLike(wide.getType(), to.isIndex() ? l.b.getI64Type() : to);
    Value converted = l.intrinsic(unsignedTo ? "llvm.fptoui.sat" : "llvm.fptosi.sat", integer, wide);
    return l.resize(converted, to, true);
  }

  Value toReal(Value integer, Type real, bool isUnsigned) {
    Type type = lanesLike(integer.getType(), real);
    if (isUnsigned) return arith::UIToFPOp::create(l.b, type, integer);
    return arith::SIToFPOp::create(l.b, type, integer);
  }

  Value integerToFloat(Value value, Type from, Type to) {
    bool isUnsigned = isUnsignedSource(from);
    if (from.isIndex()) value = l.resize(value, 64, true);
    unsigned width = elementWidth(value.getType());
    Type f32 = l.b.getF32Type(), f64 = l.b.getF64Type();
    if (to.isF64() && width == 64 && !toNearest()) return wideToDouble(value, isUnsigned);
    if (to.isF64() || (to.isF32() && (width <= 16 || toNearest()))) return toReal(value, to, isUnsigned);
    // Through a type that holds the value exactly, or rounded such that a second rounding does no harm.
    if (width <= 16) return floatToFloat(toReal(value, f32, isUnsigned), f32, to);
    if (width == 32 && to.isF32()) return floatToFloat(toReal(value, f64, isUnsigned), f64, to);
    if (width == 32) return floatToFloat(toReal(roundedToOdd(value, 24, 8, isUnsigned), f32, isUnsigned), f32, to);
    return floatToFloat(toReal(roundedToOdd(value, 53, 11, isUnsigned), f64, isUnsigned), f64, to);
  }

  /// `value` itself up to 2^precision in magnitude; beyond, its `dropped` low bits become one sticky bit above them.
  /// That fits into `precision` bits and rounds to fewer than `precision - dropped - 1` as the value itself does.
  Value roundedToOdd(Value value, int precision, int dropped, bool isUnsigned) {
    uint64_t limit = uint64_t{1} << precision, rest = (uint64_t{1} << dropped) - 1;
    Value isExact = isUnsigned ? l.compare(Predicate::ule, value, limit)
                               : l.compare(Predicate::ule, l.add(value, limit), 2 * limit);
    Value sticky = l.bitAnd(l.add(l.bitAnd(value, rest), rest), rest + 1);
    return l.select(isExact, value, l.bitOr(l.bitAnd(value, ~rest), sticky));
  }

  /// i64 to f64 with a stated rounding: shifts the leading one to the top and rounds by hand.
  Value wideToDouble(Value value, bool isUnsigned) {
    Type type = value.getType();
    Value zero = l.constant(type, 0);
    Value negative = isUnsigned ? zero : l.shiftRightSigned(value, 63);
    Value magnitude = l.sub(l.bitXor(value, negative), negative);
    Value zeros = l.smin(math::CountLeadingZerosOp::create(l.b, magnitude).getResult(), 63);
    // One bit down, which stays as a sticky bit, so that the rounding cannot carry out of the word.
    Value leading = l.shiftLeft(magnitude, zeros);
    leading = l.bitOr(l.shiftRight(leading, 1), l.bitAnd(leading, 1));
    Value kept = roundShift(l, leading, l.constant(type, 10), rounding(), negative);
    // The leading one adds one to the exponent field.
    Value field = l.sub(l.constant(type, 1023 + 63 - 1), zeros);
    Value bits = l.add(l.shiftLeft(field, 52), kept);
    bits = l.bitOr(bits, l.bitAnd(negative, uint64_t{1} << 63));
    return l.bitcast(l.select(l.compare(Predicate::eq, value, 0), 0, bits), l.b.getF64Type());
  }
};

} // namespace

Value Emitter::emitCast(Value value, Type from, Type to, std::optional<Rounding> rounding, bool saturate,
                        bool unsignedFrom, bool unsignedTo, bool anyNaN) {
  if (from == to) return value;
  return Cast(b, options.isa, rounding, saturate, unsignedFrom, unsignedTo).run(value, from, to, anyNaN && !saturate);
}

Value Emitter::convertElement(Value value, Type fromElement, Type toElement) {
  bool saturate = isNarrowFloat(toElement);
  return emitCast(value, scalarType(fromElement), scalarType(toElement), std::nullopt, saturate,
                  isUnsigned(fromElement), isUnsigned(toElement));
}

Value Emitter::emitRelu(Value value, Type element) {
  LaneBuilder l(b);
  if (isUnsigned(element)) return value;
  if (!isa<FloatType>(element)) return l.smax(value, 0);
  Type real = getElementTypeOrSelf(value.getType());
  if (real.isF32() || real.isF64()) { // the order of operands makes it one instruction of x86
    Value zero = l.real(value.getType(), 0);
    return l.select(l.compareReal(RealPredicate::OGT, zero, value), zero, value);
  }
  // Codes of values below zero, as unsigned numbers, lie between that of -0 and the NaNs.
  const FloatFormat &f = floatFormat(floatType(element));
  if (!f.hasSign) return value;
  Value bits = l.toBits(value), code = l.sub(bits, f.signBit() + 1);
  uint64_t last = f.hasInfinity ? f.overflow : f.largest;
  Value isNegative = l.compare(Predicate::ult, code, last);
  return l.bitcast(l.select(isNegative, 0, bits), real);
}

} // namespace tessera::cpu
