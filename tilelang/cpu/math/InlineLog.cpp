// Logarithms: x = 2^e m with m in [3/4, 3/2), and log(x) = e log(2) - log(f) + log(1 + r), where r = f m - 1.
//
// f is near 1 / m and comes from a table, by the first four bits of m behind its leading one, and so does -log(f). The
// f are chosen such that -log(f) is very nearly a number of f32. Around 1 f is 1, so that logarithms near zero are
// exact to their last digit.
#include "tilelang/cpu/math/InlineMath.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace tessera::cpu {
namespace {

struct Logarithm {
  double two, rest;     ///< log(2) in two parts of one sign, as e may be infinite; often one is enough
  double polynomial[5]; ///< of log(1 + r) / r for r in [-1/32, 1/16], from the constant on
  MathTable factor, logarithm;
};

// Largest relative error of the polynomial: 2^-27.3.
constexpr Logarithm kLog = {
    0x1.62e430p-1,
    0,
    {0x1.000000p+0, -0x1.000000p-1, 0x1.555906p-2, -0x1.00120cp-2, 0x1.80ff60p-3},
    {"cpu.table.log.factor",
     {0x1.000000p+0f, 0x1.d43636p-1f, 0x1.baac50p-1f, 0x1.a42db0p-1f, 0x1.8f9708p-1f, 0x1.7d2536p-1f, 0x1.6c1380p-1f,
      0x1.5caeb8p-1f, 0x1.4e5f7ep+0f, 0x1.41525ap+0f, 0x1.352496p+0f, 0x1.29e368p+0f, 0x1.1f81eep+0f, 0x1.159aaep+0f,
      0x1.0cadccp+0f, 0x1.000000p+0f}},
    {"cpu.table.log",
     {0x0.0p+0f, 0x1.6e32d6p-4f, 0x1.29f844p-3f, 0x1.94c6f2p-3f, 0x1.fbab7ep-3f, 0x1.2e3a2ep-2f, 0x1.5d2504p-2f,
      0x1.8961fep-2f, -0x1.117d5ap-2f, -0x1.d1707ap-3f, -0x1.824e78p-3f, -0x1.365b36p-3f, -0x1.db6deep-4f,
      -0x1.4bda8ep-4f, -0x1.8bff52p-5f, 0x0.0p+0f}}};

// Largest relative error of the polynomial: 2^-26.0.
constexpr Logarithm kLog2 = {
    1,
    0,
    {0x1.715476p+0, -0x1.715478p-1, 0x1.ec75f0p-2, -0x1.716e80p-2, 0x1.15b790p-2},
    {"cpu.table.log2.factor",
     {0x1.000000p+0f, 0x1.d40f6ap-1f, 0x1.bab976p-1f, 0x1.a418b6p-1f, 0x1.8f9758p-1f, 0x1.7d0532p-1f, 0x1.6c281ep-1f,
      0x1.5c8c4ap-1f, 0x1.4e5cc8p+0f, 0x1.4145d6p+0f, 0x1.350ebap+0f, 0x1.29f878p+0f, 0x1.1f8746p+0f, 0x1.15af66p+0f,
      0x1.0c83c2p+0f, 0x1.000000p+0f}},
    {"cpu.table.log2",
     {0x0.0p+0f, 0x1.091ceap-3f, 0x1.ad8968p-3f, 0x1.2445eap-2f, 0x1.6e33b0p-2f, 0x1.b481b0p-2f, 0x1.f761e6p-2f,
      0x1.1c0cf8p-1f, -0x1.8a83f0p-2f, -0x1.4f84ccp-2f, -0x1.1640cep-2f, -0x1.c090c0p-3f, -0x1.572a12p-3f,
      -0x1.e07c7cp-4f, -0x1.1a09f4p-4f, 0x0.0p+0f}}};

// Largest relative error of the polynomial: 2^-25.0.
constexpr Logarithm kLog10 = {
    0x1.344134p-2,
    0x1.09f79ep-26,
    {0x1.bcb7b2p-2, -0x1.bcb7b2p-3, 0x1.287daap-3, -0x1.bcd70ap-4, 0x1.4e6796p-4},
    {"cpu.table.log10.factor",
     {0x1.000000p+0f, 0x1.d443bap-1f, 0x1.bafc96p-1f, 0x1.a414d8p-1f, 0x1.8f736cp-1f, 0x1.7d08c4p-1f, 0x1.6c0a5cp-1f,
      0x1.5c7b86p-1f, 0x1.4e69a8p+0f, 0x1.413e1ap+0f, 0x1.351fc4p+0f, 0x1.29e014p+0f, 0x1.1f827cp+0f, 0x1.15ae32p+0f,
      0x1.0ca594p+0f, 0x1.000000p+0f}},
    {"cpu.table.log10",
     {0x0.0p+0f, 0x1.3dacc6p-5f, 0x1.018dbcp-4f, 0x1.5ffef0p-4f, 0x1.b99368p-4f, 0x1.06c546p-3f, 0x1.2f59b2p-3f,
      0x1.5632bep-3f, -0x1.db4fb8p-4f, -0x1.93d668p-4f, -0x1.4f6ee8p-4f, -0x1.0d7e92p-4f, -0x1.9cfac4p-5f,
      -0x1.2138aap-5f, -0x1.571bd0p-6f, 0x0.0p+0f}}};

/// The exponent e as a number, and m.
struct Split {
  Value exponent, mantissa;
};

/// For positive numbers and NaN.
Split split(MathCode &m, Value x) {
  Value isSubnormal = m.compareReal(LaneBuilder::RealPredicate::OLT, x, m.real(x.getType(), 0x1p-126));
  Value bits = m.toBits(m.select(isSubnormal, m.mulf(x, m.real(x.getType(), 0x1p23)), x));
  constexpr uint32_t kThreeQuarters = 0x3f400000;
  Value field = m.shiftRightSigned(m.sub(bits, kThreeQuarters), 23);
  Value mantissa = m.bitcast(m.sub(bits, m.shiftLeft(field, 23)), m.b.getF32Type());
  Value exponent = m.select(isSubnormal, m.sub(field, 23), field);
  return {arith::SIToFPOp::create(m.b, x.getType(), exponent), mantissa};
}

Value logarithm(MathCode &m, const Logarithm &log, Split x) {
  Value index = m.shiftRight(m.toBits(x.mantissa), 19);
  Value r = m.fma(x.mantissa, m.lookup(log.factor, index), -1);
  Value rest = m.real(r.getType(), log.polynomial[4]);
  for (int power = 3; power >= 0; --power) rest = m.fma(rest, r, log.polynomial[power]);
  Value sum = m.lookup(log.logarithm, index);
  if (log.rest != 0) sum = m.fma(x.exponent, log.rest, sum);
  return m.fma(rest, r, m.fma(x.exponent, log.two, sum));
}

Value logarithm(MathCode &m, const Logarithm &log, Value x) {
  // The instructions treat zero, infinity and NaN as logarithms want them.
  if (m.hasAvx512(x.getType())) {
    Value mantissa = m.mantissaAvx512(x);
    return logarithm(m, log, {m.exponentAvx512(x, mantissa), mantissa});
  }
  using enum LaneBuilder::RealPredicate;
  Type type = x.getType();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Value zero = m.real(type, 0), infinity = m.real(type, kInfinity);
  Value outside = m.select(m.compareReal(OEQ, x, zero), m.real(type, -kInfinity), m.real(type, NAN));
  outside = m.select(m.compareReal(OEQ, x, infinity), infinity, outside);
  Value isFinite = m.bitAnd(m.compareReal(OGT, x, zero), m.compareReal(OLT, x, infinity));
  return m.select(isFinite, logarithm(m, log, split(m, x)), outside);
}

} // namespace

Value inlineLog(MathCode &m, Value x) { return logarithm(m, kLog, x); }
Value inlineLog2(MathCode &m, Value x) { return logarithm(m, kLog2, x); }
Value inlineLog10(MathCode &m, Value x) { return logarithm(m, kLog10, x); }

} // namespace tessera::cpu
