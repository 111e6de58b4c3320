// Widening is a shift of fields; narrowing rounds the bits as one integer, so that carries reach the exponent.
#include "tilelang/cpu/emit/FloatCodes.h"

#include "core/float_format.h"
#include "tilelang/cpu/emit/Emitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <bit>
#include <numeric>

using namespace mlir;

namespace tessera::cpu {
using tile::Rounding;
using Predicate = LaneBuilder::Predicate;

namespace {

uint64_t lowMask(int bits) { return (uint64_t{1} << bits) - 1; }

// --- Widening ---------------------------------------------------------------------------------------------------

constexpr uint64_t kQuietNaN = 0x7fc00000, kInfinity = 0x7f800000, kQuietBit = 0x00400000;

Value isNaN(LaneBuilder &l, Value real) { return l.compareReal(LaneBuilder::RealPredicate::UNO, real, real); }

Value widenBF16(LaneBuilder &l, Value code, bool anyNaN) {
  Value bits = l.shiftLeft(l.resize(code, 32, false), 16);
  if (anyNaN) return bits;
  Value quiet = l.select(isNaN(l, l.bitcast(bits, l.b.getF32Type())), l.constant(bits.getType(), kQuietBit), 0);
  return l.bitOr(bits, quiet);
}

/// e4m3 with the exponents of f16, which are 8 above its own, widened by the machine.
Value widenE4M3ByHalf(LaneBuilder &l, Value code) {
  const FloatFormat &f = floatFormat(DType::e4m3);
  Value isNaN = l.compare(Predicate::eq, l.bitAnd(code, f.nan), f.nan);
  // Sign-extended, the sign lands on that of f16 and on the bit below it.
  Value half = l.bitAnd(l.shiftLeft(l.resize(code, 16, true), 7), 0xbf80);
  Type f32 = lanesLike(code.getType(), l.b.getF32Type());
  Value small = arith::ExtFOp::create(l.b, f32, l.bitcast(half, l.b.getF16Type()));
  Value bits = l.toBits(l.mulf(small, l.real(f32, 0x1p8)));
  return l.select(isNaN, l.bitOr(l.bitAnd(bits, 0x80000000), kQuietNaN), bits);
}

Value widenE8M0(LaneBuilder &l, Value code) {
  Value exponent = l.shiftLeft(l.resize(code, 32, false), 23);
  // The first bit of the fraction makes 2^-127, a subnormal number, of code 0 and NaN of code 255.
  Value isFirstOrLast = l.compare(Predicate::ult, l.add(code, 1), 2);
  return l.bitOr(exponent, l.select(isFirstOrLast, kQuietBit, l.constant(exponent.getType(), 0)));
}

/// Infinities and NaNs of a format: what becomes of a magnitude whose code shifted into place is `shifted`.
Value widenSpecial(LaneBuilder &l, const FloatFormat &from, Value magnitude, Value shifted, Value finite) {
  Value isNaN = l.compare(Predicate::sgt, magnitude, from.hasInfinity ? from.overflow : from.largest);
  if (!from.hasInfinity) return l.select(isNaN, kQuietNaN, finite);
  if (!from.keepsPayload) {
    Value isSpecial = l.compare(Predicate::sgt, magnitude, from.largest);
    return l.select(isNaN, kQuietNaN, l.select(isSpecial, kInfinity, finite));
  }
  Value special = l.bitOr(shifted, kInfinity); // the exponent becomes all ones, the payload stays
  special = l.select(isNaN, l.bitOr(special, kQuietBit), special);
  return l.select(l.compare(Predicate::sgt, magnitude, from.largest), special, finite);
}

/// Any format whose exponents are fewer than those of f32.
Value widenFields(LaneBuilder &l, Value code, const FloatFormat &from) {
  const FloatFormat &f32 = floatFormat(DType::f32);
  Value wide = l.resize(code, 32, false);
  Value magnitude = l.bitAnd(wide, from.signBit() - 1);
  Value shifted = l.shiftLeft(magnitude, f32.mantissaBits - from.mantissaBits);
  auto gap = static_cast<uint64_t>(from.minExponent - f32.minExponent);
  Value normal = l.add(shifted, gap << f32.mantissaBits);
  // A subnormal code, read with the first exponent, is too large by that power of two.
  Value anchor = l.constant(wide.getType(), (gap + 1) << f32.mantissaBits);
  Value tooLarge = l.bitcast(l.add(shifted, anchor), l.b.getF32Type());
  Value subnormal = l.toBits(l.subf(tooLarge, l.bitcast(anchor, l.b.getF32Type())));
  Value isSubnormal = l.compare(Predicate::slt, magnitude, uint64_t{1} << from.mantissaBits);
  Value bits = widenSpecial(l, from, magnitude, shifted, l.select(isSubnormal, subnormal, normal));
  return l.bitOr(bits, l.shiftLeft(l.bitAnd(wide, from.signBit()), 32 - from.bits));
}

// Lanes of e2m1 codes are looked up in a register where the machine can.

/// The upper bits of the first e2m1 values in f32.
Value tableOfE2M1(LaneBuilder &l, int64_t count, unsigned width) {
  SmallVector<APInt> bits;
  for (int64_t code = 0; code < count; ++code) {
    auto real = static_cast<float>(decode(DType::e2m1, static_cast<uint64_t>(code)));
    bits.emplace_back(width, std::bit_cast<uint32_t>(real) >> (32 - width));
  }
  return arith::ConstantOp::create(l.b,
                                   DenseElementsAttr::get(VectorType::get({count}, l.b.getIntegerType(width)), bits));
}

/// Eight magnitudes fill a register of 256 bits.
Value lookUpMagnitudes(LaneBuilder &l, Value indices) {
  auto half = VectorType::get({kLanes / 2}, l.b.getF32Type());
  Value table = l.bitcast(tableOfE2M1(l, kLanes / 2, 32), l.b.getF32Type());
  SmallVector<Value> parts;
  for (int64_t first : {int64_t{0}, kLanes / 2}) {
    Value part = vector::ExtractStridedSliceOp::create(l.b, indices, ArrayRef<int64_t>{first},
                                                       ArrayRef<int64_t>{kLanes / 2}, ArrayRef<int64_t>{1});
    parts.push_back(l.intrinsic("llvm.x86.avx2.permps", half, {table, part}));
  }
  SmallVector<int64_t> all(kLanes);
  std::iota(all.begin(), all.end(), 0);
  return l.toBits(vector::ShuffleOp::create(l.b, parts[0], parts[1], all));
}

Value widenE2M1(LaneBuilder &l, const CpuIsa &isa, Value code) {
  auto type = dyn_cast<VectorType>(code.getType());
  if (!type || isa.vectorBytes < 32) return widenFields(l, code, floatFormat(DType::e2m1));
  Value indices = l.resize(code, 32, false);
  if (isa.hasAvx512) {
    Value table = l.bitcast(tableOfE2M1(l, kLanes, 32), l.b.getF32Type());
    return l.toBits(l.intrinsic("llvm.x86.avx512.permvar.sf.512", table.getType(), {table, indices}));
  }
  Value sign = l.shiftLeft(l.bitAnd(indices, 8), 28);
  return l.bitOr(lookUpMagnitudes(l, l.bitAnd(indices, 7)), sign);
}

// --- Narrowing --------------------------------------------------------------------------------------------------

class Narrowing {
public:
  Narrowing(LaneBuilder &l, Value real, const FloatFormat &from, const FloatFormat &to, Rounding rounding,
            bool saturate)
      : l(l), from(from), to(to), rounding(rounding), saturate(saturate), real(real), bits(l.toBits(real)),
        magnitude(l.bitAnd(bits, lowMask(from.bits - 1))) {
    if (isFiniteOnly()) this->saturate = true;
  }

  /// In the integer type of the source.
  Value code() {
    Value result = isNearestByte() ? nearestByte() : limited(to.hasSign ? finiteCode() : scaleCode());
    Value nan = to.keepsPayload ? l.bitOr(l.bitAnd(dropped(magnitude), lowMask(to.mantissaBits)), to.nan)
                                : l.constant(bits.getType(), to.nan);
    auto withSign = [&] { return l.bitOr(result, l.bitAnd(l.shiftRight(bits, from.bits - to.bits), to.signBit())); };
    if (isFiniteOnly()) return l.select(isNaN(l, real), nan, withSign()); // NaN becomes a positive number
    result = l.select(isNaN(l, real), nan, result);
    if (to.hasSign) return withSign();
    Value isNegative = l.bitAnd(l.compare(Predicate::slt, bits, 0), l.compare(Predicate::ne, magnitude, 0));
    return l.select(isNegative, to.nan, result);
  }

private:
  LaneBuilder &l;
  const FloatFormat &from, &to;
  Rounding rounding;
  bool saturate;
  Value real, bits, magnitude;

  /// Whether there is neither infinity nor NaN: both become the largest value.
  bool isFiniteOnly() const { return to.nan == to.largest; }
  int droppedBits() const { return from.mantissaBits - to.mantissaBits; }
  /// Exponent fields of the source that lie below the first of the destination.
  int fieldGap() const { return to.minExponent - from.minExponent; }
  Value dropped(Value x) { return l.shiftRight(x, droppedBits()); }
  Value negativeMask() { return l.shiftRightSigned(bits, from.bits - 1); }

  Value rounded(Value significand, Value shift, uint64_t bias = 0) {
    return roundShift(l, significand, shift, rounding, negativeMask(), bias);
  }

  bool isNearestByte() const { return from.bits == 32 && to.bits == 8 && to.hasSign && rounding == Rounding::rint; }

  /// The code in the low byte, for 8-bit formats. A magnitude m = k 2^(e - mantissaBits), where e is its exponent but
  /// at least the destination's first, has the code ((e - first) << mantissaBits) + k. Adding a power of two whose last
  /// place is that of k makes the machine round k to an integer in the low bits; the part of the code that does not
  /// depend on m is in the low bits of the addend.
  Value nearestByte() {
    Type real = l.b.getF32Type();
    auto first = static_cast<uint64_t>(to.minExponent - from.minExponent + 1);
    uint64_t constant = -(first << to.mantissaBits) & 0xff;
    // The value of the code, were it one of a number: infinity and NaN follow the largest number.
    uint64_t limit = ((saturate ? to.largest : to.overflow) + ((first - 1) << to.mantissaBits)) << droppedBits();
    Value finite = l.bitcast(magnitude, real);
    Value most = l.real(finite.getType(), std::bit_cast<float>(static_cast<uint32_t>(limit)));
    finite = l.select(l.compareReal(LaneBuilder::RealPredicate::OLT, most, finite), most, finite);
    Value exponent = l.bitOr(l.bitAnd(l.toBits(finite), kInfinity), constant);
    exponent = l.smax(exponent, first << from.mantissaBits | constant);
    Value addend = l.add(exponent, static_cast<uint64_t>(droppedBits()) << from.mantissaBits);
    Value sum = l.addf(finite, l.bitcast(addend, real));
    return l.add(l.toBits(sum), l.shiftRight(exponent, droppedBits()));
  }

  /// The code of a finite magnitude; too large where it overflows.
  Value finiteCode() {
    Value shift = l.constant(bits.getType(), static_cast<uint64_t>(droppedBits()));
    if (fieldGap() == 0) return rounded(magnitude, shift);
    if (rounding != Rounding::rint) return finiteCodeByShift();
    Value normal = rounded(magnitude, shift, -(static_cast<uint64_t>(fieldGap()) << from.mantissaBits));
    Value isSubnormal =
        l.compare(Predicate::slt, magnitude, static_cast<uint64_t>(fieldGap() + 1) << from.mantissaBits);
    return l.select(isSubnormal, subnormalCode(), normal);
  }

  /// Adding a power of two whose last place is the destination's least value makes the machine round to it.
  Value subnormalCode() {
    Type real = from.bits == 32 ? Type(l.b.getF32Type()) : l.b.getF64Type();
    auto field = static_cast<uint64_t>(int64_t{fieldGap()} + 1 + droppedBits());
    Value anchor = l.constant(bits.getType(), field << from.mantissaBits);
    Value sum = l.addf(l.bitcast(magnitude, real), l.bitcast(anchor, real));
    return l.sub(l.toBits(sum), anchor);
  }

  /// Shifts each value by as many bits as its last place lies below the destination's.
  Value finiteCodeByShift() {
    Value field = l.shiftRight(magnitude, from.mantissaBits);
    Value hidden =
        l.select(l.compare(Predicate::ne, field, 0), l.constant(bits.getType(), uint64_t{1} << from.mantissaBits), 0);
    Value significand = l.bitOr(l.bitAnd(magnitude, lowMask(from.mantissaBits)), hidden);
    Value excess = l.sub(l.smax(field, 1), fieldGap() + 1); // fields above the destination's first
    Value below = l.smin(l.smax(l.sub(l.constant(bits.getType(), 0), excess), 0), to.mantissaBits + 2);
    Value code = rounded(significand, l.add(below, droppedBits()));
    return l.add(code, l.shiftLeft(l.smax(excess, 0), to.mantissaBits));
  }

  /// Powers of two without a sign: the exponent, and one more if the significand rounds up to 2.
  Value scaleCode() {
    Value field = l.shiftRight(magnitude, from.mantissaBits);
    Value fraction = l.bitAnd(magnitude, lowMask(from.mantissaBits));
    Value isSubnormal = l.compare(Predicate::eq, field, 0);
    Value significand =
        l.bitOr(fraction, l.select(isSubnormal, 0, l.constant(bits.getType(), uint64_t{1} << from.mantissaBits)));
    Value excess = l.sub(field, fieldGap() + 1), shift;
    if (fieldGap() < 0) // subnormal f32 values reach down to the least code
      shift = l.select(isSubnormal, from.mantissaBits - 1, l.constant(bits.getType(), from.mantissaBits));
    else
      shift = l.add(l.smin(l.smax(l.sub(l.constant(bits.getType(), 0), excess), 0), 2), from.mantissaBits);
    return l.add(l.smax(excess, 0), l.shiftRight(rounded(significand, shift), 1));
  }

  /// Puts infinity, NaN or the largest value in place of what is larger.
  Value limited(Value code) {
    if (saturate) return l.smin(code, to.largest);
    switch (rounding) {
    case Rounding::rint:
    case Rounding::round: return fieldGap() == 0 ? code : l.smin(code, to.overflow);
    case Rounding::trunc:
    case Rounding::odd: code = l.smin(code, to.largest); break;
    case Rounding::floor: code = l.smin(code, l.sub(l.constant(bits.getType(), to.largest), negativeMask())); break;
    case Rounding::ceil: code = l.smin(code, l.add(l.constant(bits.getType(), to.overflow), negativeMask())); break;
    }
    return l.select(l.compare(Predicate::eq, magnitude, from.overflow), to.overflow, code); // infinity stays
  }
};

/// f32 to bf16, to nearest: the exponents are the same, so the sign can stay where it is and infinity comes by itself.
Value nearestBF16(LaneBuilder &l, Value real) {
  Value bits = l.toBits(real), upper = l.shiftRight(bits, 16);
  Value rounded = l.shiftRight(l.add(l.add(bits, 0x7fff), l.bitAnd(upper, 1)), 16);
  return l.select(isNaN(l, real), l.bitOr(upper, kQuietBit >> 16), rounded);
}

} // namespace

Value roundShift(LaneBuilder &l, Value significand, Value shift, Rounding rounding, Value negative, uint64_t bias) {
  Value rest = l.sub(l.shiftLeft(l.constant(shift.getType(), 1), shift), 1); // ones below the last bit kept
  Value increment;
  switch (rounding) {
  case Rounding::rint: {
    Value isOdd = l.bitAnd(l.shiftRight(significand, shift), 1);
    increment = l.add(isOdd, l.add(l.shiftRight(rest, 1), bias));
    break;
  }
  case Rounding::round: increment = l.add(l.shiftRight(rest, 1), bias + 1); break;
  case Rounding::floor: increment = l.add(l.bitAnd(negative, rest), bias); break;
  case Rounding::ceil: increment = l.add(l.bitAnd(l.bitXor(negative, -1), rest), bias); break;
  case Rounding::trunc: increment = l.constant(significand.getType(), bias); break;
  case Rounding::odd: {
    Value sticky = l.shiftRight(l.add(l.bitAnd(significand, rest), rest), shift);
    return l.bitOr(l.shiftRight(l.add(significand, bias), shift), sticky);
  }
  }
  return l.shiftRight(l.add(significand, increment), shift);
}

Value withoutInfinity(LaneBuilder &l, Value real, DType type) {
  const FloatFormat &f = floatFormat(type);
  Value bits = l.toBits(real);
  Value isInfinite = l.compare(Predicate::eq, l.bitAnd(bits, f.signBit() - 1), f.overflow);
  Value finite = l.sub(bits, l.select(isInfinite, l.constant(bits.getType(), 1), 0));
  return l.bitcast(finite, getElementTypeOrSelf(real.getType()));
}

Value widenToF32(LaneBuilder &l, const CpuIsa &isa, Value value, DType from, bool anyNaN) {
  Type f32 = lanesLike(value.getType(), l.b.getF32Type());
  if (from == DType::f16 && isa.hasF16c) return arith::ExtFOp::create(l.b, f32, value);
  Value code = l.toBits(value), bits;
  switch (from) {
  case DType::bf16: bits = widenBF16(l, code, anyNaN); break;
  case DType::e8m0: bits = widenE8M0(l, code); break;
  case DType::e2m1: bits = widenE2M1(l, isa, code); break;
  default:
    bits = from == DType::e4m3 && isa.hasF16c ? widenE4M3ByHalf(l, code) : widenFields(l, code, floatFormat(from));
  }
  return l.bitcast(bits, l.b.getF32Type());
}

Value lookUpBF16(LaneBuilder &l, const CpuIsa &isa, Value codes) {
  if (!isa.hasAvx512 || !dyn_cast<VectorType>(codes.getType())) return {};
  Value table = tableOfE2M1(l, kLanes, 16);
  return l.intrinsic("llvm.x86.avx512.permvar.hi.256", table.getType(), {table, l.resize(codes, 16, false)});
}

Value roundToCode(LaneBuilder &l, Value real, DType to, Rounding rounding, bool saturate) {
  bool isF32 = getElementTypeOrSelf(real.getType()).isF32();
  const FloatFormat &from = floatFormat(isF32 ? DType::f32 : DType::f64), &format = floatFormat(to);
  bool isPlain = isF32 && to == DType::bf16 && rounding == Rounding::rint && !saturate;
  Value code = isPlain ? nearestBF16(l, real) : Narrowing(l, real, from, format, rounding, saturate).code();
  return l.resize(code, static_cast<unsigned>(std::max(format.bits, 8)), false);
}

} // namespace tessera::cpu
