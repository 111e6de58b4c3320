// Exponential functions: base^x = 2^n base^r, where n is x log2(base) rounded to 1/16.
//
// 2^n comes from a table of sixteen and the exponent; base^r is c times a cubic with leading coefficient 1, and the
// table holds 2^(k/16) / c. Of the c that serve, that one is chosen whose table lies closest to numbers of f32.
#include "tilelang/cpu/math/InlineMath.h"

using namespace mlir;

namespace tessera::cpu {
namespace {

/// base^r is ((r + a) r + b) r + c, over c, for abs(r) <= log_base(2) / 32.
struct Exponential {
  double perUnit;    ///< log2(base)
  double unit, rest; ///< log_base(2) in two parts
  double a, b, c;
  double low, high; ///< base^x is zero below and infinite above
  MathTable table;
};

// Largest relative error of the cubic: 2^-28.6; of the table: 2^-25.2.
constexpr Exponential kExp = {
    0x1.715476p+0,
    0x1.62e430p-1,
    -0x1.05c610p-29,
    0x1.806bf8p+1,
    0x1.806918p+2,
    0x1.806916p+2,
    -104,
    89,
    {"cpu.table.exp",
     {0x1.54f806p-3f, 0x1.641098p-3f, 0x1.73d444p-3f, 0x1.844a9cp-3f, 0x1.957b8ap-3f, 0x1.a76f50p-3f, 0x1.ba2e90p-3f,
      0x1.cdc24ap-3f, 0x1.e233e8p-3f, 0x1.f78d3cp-3f, 0x1.06ec44p-2f, 0x1.129042p-2f, 0x1.1eb830p-2f, 0x1.2b69e4p-2f,
      0x1.38ab78p-2f, 0x1.46834cp-2f}}};

// Largest relative error of the cubic: 2^-28.0; of the table: 2^-25.1.
constexpr Exponential kExp2 = {
    1,
    1,
    0,
    0x1.149ac4p+2,
    0x1.8f0b58p+3,
    0x1.1fd982p+4,
    -151,
    129,
    {"cpu.table.exp2",
     {0x1.c7594ep-5f, 0x1.db8244p-5f, 0x1.f08fbap-5f, 0x1.0345e6p-4f, 0x1.0ec086p-4f, 0x1.1abd40p-4f, 0x1.2741d8p-4f,
      0x1.345450p-4f, 0x1.41faf2p-4f, 0x1.503c4cp-4f, 0x1.5f1f38p-4f, 0x1.6eaadep-4f, 0x1.7ee6b6p-4f, 0x1.8fda8cp-4f,
      0x1.a18e86p-4f, 0x1.b40b26p-4f}}};

// Largest relative error of the cubic: 2^-28.1; of the table: 2^-25.7.
constexpr Exponential kExp10 = {
    0x1.a934f0p+1,
    0x1.344136p-2,
    -0x1.ec10c0p-27,
    0x1.4db4ccp+0,
    0x1.21d856p+0,
    0x1.f78330p-2,
    -46,
    39,
    {"cpu.table.exp10",
     {0x1.0450b8p+1f, 0x1.0fd728p+1f, 0x1.1be038p+1f, 0x1.2871b2p+1f, 0x1.35919ep+1f, 0x1.43464cp+1f, 0x1.519652p+1f,
      0x1.608890p+1f, 0x1.702436p+1f, 0x1.8070c2p+1f, 0x1.91760ap+1f, 0x1.a33c3cp+1f, 0x1.b5cbe2p+1f, 0x1.c92de8p+1f,
      0x1.dd6b9ep+1f, 0x1.f28ebep+1f}}};

/// 1 / (1 + e) is computed as s / (s + s e) with this s, for which e = exp(-x) stays finite until the quotient is zero.
/// About 1.5 times a power of two, as sums and quotients then do not round worst together.
constexpr double kSigmoidScale = 0x1.7738d6p-24;
/// s 2^(k/16) / c; largest relative error: 2^-25.3, and least where the other errors are largest.
constexpr MathTable kSigmoidTable = {"cpu.table.sigmoid",
                                     {0x1.f3c304p-27f, 0x1.04f1aep-26f, 0x1.107f3ep-26f, 0x1.1c8fc0p-26f,
                                      0x1.2928fep-26f, 0x1.365108p-26f, 0x1.440e30p-26f, 0x1.526710p-26f,
                                      0x1.61628cp-26f, 0x1.7107d8p-26f, 0x1.815e78p-26f, 0x1.926e46p-26f,
                                      0x1.a43f76p-26f, 0x1.b6da96p-26f, 0x1.ca4898p-26f, 0x1.de92d2p-26f}};
/// exp(-x) does not count above; the sigmoid is zero below.
constexpr double kSigmoidHigh = 60, kSigmoidLow = -104;

/// Adding it rounds to multiples of 1/16: sixteenths stand in the low bits of the sum.
constexpr double kToSixteenths = 0x1.8p19;
constexpr uint32_t kToSixteenthsBits = 0x49400000;

/// x as n + r: `rounded` holds n in its bits, and `power` is c base^r.
struct Reduced {
  Value rounded, n, power;
};

Reduced reduce(MathCode &m, const Exponential &e, Value x) {
  Value rounded = m.fma(x, e.perUnit, kToSixteenths), n = m.addf(rounded, -kToSixteenths);
  Value coarse = m.fma(n, -e.unit, x), r = e.rest == 0 ? coarse : m.fma(n, -e.rest, coarse);
  // `coarse` is close enough for the cubic term, and ready earlier.
  Value power = m.fma(m.fma(m.addf(coarse, e.a), r, e.b), r, e.c);
  return {rounded, n, power};
}

/// floor(n)
Value wholePart(MathCode &m, Value rounded) {
  return m.shiftRightSigned(m.sub(m.toBits(rounded), kToSixteenthsBits), 4);
}

Value exponential(MathCode &m, const Exponential &e, Value x) {
  if (m.hasAvx512(x.getType())) {
    // Far outside of the range r is any number; the scaling needs but a positive finite factor, or the NaN in n.
    auto [rounded, n, power] = reduce(m, e, x);
    power = m.limitAvx512(power, 2 * e.c);
    return m.scaleAvx512(m.mulf(power, m.lookup(e.table, m.toBits(rounded))), n);
  }
  auto [rounded, n, power] = reduce(m, e, m.clamp(x, e.low, e.high));
  Value mantissa = m.mulf(power, m.lookup(e.table, m.toBits(rounded)));
  // 2^n may be no number; with half the exponent twice only the last product rounds.
  Value exponent = wholePart(m, rounded), half = m.shiftRightSigned(exponent, 1);
  return m.mulf(m.mulf(mantissa, m.powerOfTwo(half)), m.powerOfTwo(m.sub(exponent, half)));
}

/// The table's value times 2^floor(n), within the normal numbers.
Value scaledTable(MathCode &m, const MathTable &table, const Reduced &reduced) {
  Value value = m.lookup(table, m.toBits(reduced.rounded));
  if (m.hasAvx512(value.getType())) return m.scaleAvx512(value, reduced.n);
  Value bits = m.add(m.toBits(value), m.shiftLeft(wholePart(m, reduced.rounded), 23));
  return m.bitcast(bits, m.b.getF32Type());
}

} // namespace

Value inlineExp(MathCode &m, Value x) { return exponential(m, kExp, x); }
Value inlineExp2(MathCode &m, Value x) { return exponential(m, kExp2, x); }
Value inlineExp10(MathCode &m, Value x) { return exponential(m, kExp10, x); }

Value inlineSigmoid(MathCode &m, Value x) {
  bool isAvx512 = m.hasAvx512(x.getType());
  if (!isAvx512) x = m.clamp(x, kSigmoidLow, kSigmoidHigh);
  Reduced reduced = reduce(m, kExp, arith::NegFOp::create(m.b, x));
  if (isAvx512) reduced.power = m.limitAvx512(reduced.power, 2 * kExp.c);
  Value sum = m.fma(reduced.power, scaledTable(m, kSigmoidTable, reduced), kSigmoidScale);
  return arith::DivFOp::create(m.b, m.real(x.getType(), kSigmoidScale), sum);
}

} // namespace tessera::cpu
