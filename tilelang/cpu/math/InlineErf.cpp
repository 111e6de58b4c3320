// The error function and the hyperbolic tangent: polynomials of degree 5 on sixteen intervals of abs(x), whose
// coefficients come from tables; beyond the last interval both are 1.
//
// On the first interval distances are from zero and the constant is zero, so that small results are as precise. With
// AVX-512 each table costs as much as a product, hence the care to have few of both.
#include "tilelang/cpu/math/InlineMath.h"

using namespace mlir;

namespace tessera::cpu {
namespace {

/// erf less the distance from the middle of the interval: coefficients of degrees 0 to 5. Largest error:
/// 0.6 ulp.
constexpr std::array<MathTable, 6> kErf = {
    {{"cpu.table.erf.0",
      {0x0.0p+0f, 0x1.1af54ep-2f, 0x1.0a7ef6p-1f, 0x1.6c1c98p-1f, 0x1.af767ap-1f, 0x1.d8865ep-1f, 0x1.eea556p-1f,
       0x1.f92d08p-1f, 0x1.fd9ae2p-1f, 0x1.ff4048p-1f, 0x1.ffcaa8p-1f, 0x1.fff2d0p-1f, 0x1.fffd1ap-1f, 0x1.ffff70p-1f,
       0x1.ffffe8p-1f, 0x1.fffffcp-1f}},
     {"cpu.table.erf.1",
      {0x1.06eba8p-3f, 0x1.eba2eep-5f, -0x1.f0818cp-4f, -0x1.6da37ap-2f, -0x1.2b7708p-1f, -0x1.86e6b4p-1f,
       -0x1.c31b92p-1f, -0x1.e4faaep-1f, -0x1.f56b24p-1f, -0x1.fc57d8p-1f, -0x1.fee27cp-1f, -0x1.ffb328p-1f,
       -0x1.ffedc0p-1f, -0x1.fffc2cp-1f, -0x1.ffff4ap-1f, -0x1.ffffdep-1f}},
     {"cpu.table.erf.2",
      {0x1.fc3c6ep-23f, -0x1.0f5baap-2f, -0x1.c1ee14p-2f, -0x1.edc46ep-2f, -0x1.a9121ap-2f, -0x1.2ec000p-2f,
       -0x1.6d5bf8p-3f, -0x1.7a4bd4p-4f, -0x1.529bc2p-5f, -0x1.0749b8p-6f, -0x1.64dd6ep-8f, -0x1.a695d0p-10f,
       -0x1.b5f20cp-12f, -0x1.8dbca8p-14f, -0x1.3cdfecp-16f, -0x1.7adaccp-19f}},
     {"cpu.table.erf.3",
      {-0x1.812ad0p-2f, -0x1.3c9bd0p-2f, -0x1.2c0478p-3f, 0x1.b6d212p-6f, 0x1.1b5f08p-3f, 0x1.571c72p-3f,
       0x1.1c2abap-3f, 0x1.714a9ap-4f, 0x1.8b0ce0p-5f, 0x1.63f036p-6f, 0x1.119c52p-7f, 0x1.69c900p-9f, 0x1.9da80ep-11f,
       0x1.9a89f0p-13f, 0x1.62a860p-15f, 0x1.0b417ap-17f}},
     {"cpu.table.erf.4",
      {0x1.12041ep-12f, 0x1.022224p-3f, 0x1.7496e4p-3f, 0x1.3351cap-3f, 0x1.1bcfb4p-4f, -0x1.731c64p-8f,
       -0x1.69a6e8p-5f, -0x1.88548ep-5f, -0x1.1a14e0p-5f, -0x1.39c528p-6f, -0x1.1caeecp-7f, -0x1.b024b0p-9f,
       -0x1.1654f4p-10f, -0x1.330098p-12f, -0x1.23bb92p-14f, -0x1.dfc02ap-17f}},
     {"cpu.table.erf.5",
      {0x1.c6f7a6p-4f, 0x1.4a372cp-4f, 0x1.2183acp-7f, -0x1.af77aap-5f, -0x1.19750cp-4f, -0x1.819234p-5f,
       -0x1.ebf7a0p-7f, 0x1.a5c390p-8f, 0x1.a97da0p-7f, 0x1.5c88e6p-7f, 0x1.92026cp-8f, 0x1.6bda1ep-9f, 0x1.0dafa0p-10f,
       0x1.4ea1cap-12f, 0x1.60186ap-14f, 0x1.3cd1f6p-16f}}}};

/// Interval k of erf lies around k / 4; adding this number rounds to quarters, which stand in the low bits of the sum.
constexpr double kToQuarters = 0x1.8p21;
/// Just before the last interval ends; its polynomial rises to 1 there.
constexpr double kErfIsOne = 0x1.effffep+1;

/// Intervals of tanh have the same length relative to 0.8 abs(x) + 0.6, of which the exponent and two more bits tell
/// them apart.
constexpr double kTanhScale = 0.8f, kTanhOffset = 0.6f;
/// Just before the last interval ends; its polynomial is 1 there.
constexpr double kTanhIsOne = 9.125;
/// Where distances are from: not the middles, but where the fourth power vanishes from the polynomial.
constexpr MathTable kTanhOrigins = {"cpu.table.tanh.origin",
                                    {0x1.678000p+1f, 0x1.9c8000p+1f, 0x1.e98000p+1f, 0x1.1a4000p+2f, 0x1.5a4000p+2f,
                                     0x1.9f8000p+2f, 0x1.f0c000p+2f, 0x1.252000p+3f, 0x0.0p+0f, 0x1.000000p-7f,
                                     0x1.000000p-7f, 0x1.000000p-8f, 0x1.1c0000p+0f, 0x1.1c0000p+0f, 0x1.160000p+0f,
                                     0x1.730000p+1f}};
/// Coefficients of the powers 0, 1, 2, 3 and 5. Largest error: 0.7 ulp.
constexpr std::array<MathTable, 5> kTanh = {
    {{"cpu.table.tanh.0",
      {0x1.fc4f78p-1f, 0x1.fe616cp-1f, 0x1.ff8350p-1f, 0x1.ffd958p-1f, 0x1.fffac2p-1f, 0x1.ffff66p-1f, 0x1.fffff4p-1f,
       0x1.000000p+0f, 0x0.0p+0f, 0x1.fffc98p-8f, 0x1.fe2808p-8f, 0x1.ab49fcp-9f, 0x1.9b9a54p-1f, 0x1.9b9118p-1f,
       0x1.973d64p-1f, 0x1.fdffd2p-1f}},
     {"cpu.table.tanh.1",
      {0x1.e63dc4p-7f, 0x1.a5e60cp-8f, 0x1.fa7a7ep-10f, 0x1.396326p-11f, 0x1.4e2d4cp-14f, 0x1.31dd3cp-17f,
       0x1.827ba6p-21f, 0x1.7a83ccp-25f, 0x1.000000p+0f, 0x1.fff878p-1f, 0x1.001e00p+0f, 0x1.01caeap+0f, 0x1.6b2778p-2f,
       0x1.6a54a2p-2f, 0x1.782fcep-2f, 0x1.28f90ep-6f}},
     {"cpu.table.tanh.2",
      {-0x1.9c47fep-7f, -0x1.78f3c0p-8f, -0x1.cb4822p-10f, -0x1.1ee0fap-11f, -0x1.4aba20p-14f, -0x1.3991b6p-17f,
       -0x1.89889ap-21f, -0x1.76cb2ap-25f, 0x0.0p+0f, -0x1.032cf4p-7f, -0x1.742c26p-7f, -0x1.0502acp-5f,
       -0x1.1fe966p-2f, -0x1.234f1cp-2f, -0x1.2b7dd4p-2f, -0x1.6760f4p-8f}},
     {"cpu.table.tanh.3",
      {0x1.b2cd18p-7f, 0x1.734ab2p-8f, 0x1.bc5c76p-10f, 0x1.11d8acp-11f, 0x1.11f98ap-14f, 0x1.dbbfdap-18f,
       0x1.30ae4cp-21f, 0x1.36308ap-25f, -0x1.555556p-2f, -0x1.541b18p-2f, -0x1.4afddap-2f, -0x1.281f6cp-2f,
       0x1.d743a4p-4f, 0x1.c1dc6ep-4f, 0x1.cbf564p-4f, 0x1.9a15d4p-7f}},
     {"cpu.table.tanh.5",
      {0x1.215bdep-8f, 0x1.1d09dap-9f, 0x1.6960bcp-11f, 0x1.c8ab08p-13f, 0x1.087f8ep-15f, 0x1.fdb30cp-19f,
       0x1.3db9ecp-22f, 0x1.2bfabap-26f, 0x1.111112p-3f, 0x1.1cc35ep-3f, 0x1.cd1de6p-4f, 0x1.4c5c7ap-4f,
       -0x1.cfd330p-5f, -0x1.a2e160p-5f, -0x1.f03204p-7f, 0x1.f9fd4ap-9f}}}};

constexpr uint32_t kSign = 0x80000000;

/// abs(x), but at most `limit`; NaN stays.
Value limitedMagnitude(MathCode &m, Value x, double limit) {
  Value magnitude = m.bitcast(m.bitAnd(m.toBits(x), ~kSign), m.b.getF32Type()), most = m.real(x.getType(), limit);
  return m.select(m.compareReal(LaneBuilder::RealPredicate::OLT, most, magnitude), most, magnitude);
}

/// A positive value with the sign of x.
Value withSign(MathCode &m, Value value, Value x) {
  return m.bitcast(m.bitOr(m.toBits(value), m.bitAnd(m.toBits(x), kSign)), m.b.getF32Type());
}

} // namespace

Value inlineErf(MathCode &m, Value x) {
  Value a = limitedMagnitude(m, x, kErfIsOne);
  Value rounded = m.addf(a, kToQuarters);
  // The instruction does not wait for the sum.
  Value middle = m.hasAvx512(x.getType()) ? m.quartersAvx512(a) : m.addf(rounded, -kToQuarters);
  Value distance = m.subf(a, middle);
  auto coefficient = [&](size_t power) { return m.lookup(kErf[power], m.toBits(rounded)); };
  Value slope = coefficient(5);
  for (size_t power = 4; power > 0; --power) slope = m.fma(slope, distance, coefficient(power));
  // The distance apart, as its factor near zero, 1.128, has a large rounding error in f32.
  Value result = m.fma(slope, distance, m.addf(distance, coefficient(0)));
  return withSign(m, result, x);
}

Value inlineTanh(MathCode &m, Value x) {
  Value a = limitedMagnitude(m, x, kTanhIsOne);
  Value index = m.shiftRight(m.toBits(m.fma(a, kTanhScale, kTanhOffset)), 21);
  Value distance = m.subf(a, m.lookup(kTanhOrigins, index));
  auto coefficient = [&](size_t n) { return m.lookup(kTanh[n], index); };
  Value result = m.fma(coefficient(4), m.mulf(distance, distance), coefficient(3));
  for (size_t power = 3; power-- > 0;) result = m.fma(result, distance, coefficient(power));
  return withSign(m, result, x);
}

} // namespace tessera::cpu
