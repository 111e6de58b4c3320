// Transcendental functions in generated code against long double: within the bounds of docs/numerics.md, and the same
// bits in lanes, one by one, and on every level that has fused multiply-add.
#include "core/float_format.h"
#include "core/numbers.h"
#include "tilelang/cpu/test/compiled_program.h"
#include "tilelang/cpu/test/number_samples.h"
#include "tilelang/ir/test/interp_program.h"

#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace tessera::cpu {
namespace {

using Real = long double;

/// A function of %a and %b, and its bounds in ulp: on levels with fused multiply-add, and on those without; that of
/// inline code of f32 where it has or uses some.
struct Function {
  std::string text;
  Real (*exact)(Real a, Real b);
  double bound, boundWithoutFma, boundInline = 0;

  double boundOn(const CpuIsa &isa, DType type) const {
    if (!isa.hasFma) return boundWithoutFma;
    return type == DType::f32 && boundInline != 0 ? boundInline : bound;
  }
};

const std::vector<Function> kFunctions = {
    {"math.exp %a", [](Real a, Real) { return std::exp(a); }, 1, 1, 1.5},
    {"math.exp2 %a", [](Real a, Real) { return std::exp2(a); }, 1, 1, 1.7},
    {"tile.exp10 %a", [](Real a, Real) { return std::pow(Real(10), a); }, 1, 1, 1.7},
    {"math.expm1 %a", [](Real a, Real) { return std::expm1(a); }, 1, 1},
    {"math.log %a", [](Real a, Real) { return std::log(a); }, 1, 1, 1.6},
    {"math.log2 %a", [](Real a, Real) { return std::log2(a); }, 1, 1, 1.6},
    {"math.log10 %a", [](Real a, Real) { return std::log10(a); }, 1, 1, 1.6},
    {"math.log1p %a", [](Real a, Real) { return std::log1p(a); }, 1.1, 1.1},
    {"math.sin %a", [](Real a, Real) { return std::sin(a); }, 1, 1},
    {"math.cos %a", [](Real a, Real) { return std::cos(a); }, 1, 1},
    {"math.tan %a", [](Real a, Real) { return std::tan(a); }, 1, 1},
    {"math.sinh %a", [](Real a, Real) { return std::sinh(a); }, 1.5, 1.5, 2.1},
    {"math.cosh %a", [](Real a, Real) { return std::cosh(a); }, 1.5, 1.5, 2.1},
    {"math.tanh %a", [](Real a, Real) { return std::tanh(a); }, 1.001, 1.001, 1.6},
    {"math.asin %a", [](Real a, Real) { return std::asin(a); }, 1, 1},
    {"math.acos %a", [](Real a, Real) { return std::acos(a); }, 1, 1},
    {"math.atan %a", [](Real a, Real) { return std::atan(a); }, 1, 1},
    {"math.asinh %a", [](Real a, Real) { return std::asinh(a); }, 1.2, 1.2, 1.4},
    {"math.acosh %a", [](Real a, Real) { return std::acosh(a); }, 1.2, 1.2, 1.4},
    {"math.atanh %a", [](Real a, Real) { return std::atanh(a); }, 1.001, 1.001},
    {"math.erf %a", [](Real a, Real) { return std::erf(a); }, 1.1, 2, 2},
    {"math.erfc %a", [](Real a, Real) { return std::erfc(a); }, 1, 1.5},
    {"math.cbrt %a", [](Real a, Real) { return std::cbrt(a); }, 1, 1},
    {"math.rsqrt %a", [](Real a, Real) { return 1 / std::sqrt(a); }, 1.5, 1.5},
    {"tile.sigmoid %a", [](Real a, Real) { return 1 / (1 + std::exp(-a)); }, 2.5, 2.5, 2},
    {"math.atan2 %a, %b", [](Real a, Real b) { return std::atan2(a, b); }, 1, 1.7},
    {"math.powf %a, %b", [](Real a, Real b) { return std::pow(a, b); }, 1, 1},
    {"tile.hypot %a, %b", [](Real a, Real b) { return std::hypot(a, b); }, 1.2, 1.2},
    {"%t = tile.cast %b : {t} to i32\nmath.fpowi %a, %t",
     [](Real a, Real b) { return std::pow(a, Real(static_cast<int32_t>(encode(DType::i32, static_cast<double>(b))))); },
     1, 1}};

struct Operands {
  std::vector<uint64_t> a, b;
};

/// Every so many codes, edge cases, and numbers where functions are interesting; each with another one beside it.
Operands operandsOf(DType type) {
  std::vector<uint64_t> codes = edgeCodes(type);
  uint64_t step = ~uint64_t{0} >> (64 - bitWidth(type)) >> std::min(bitWidth(type), 14);
  for (uint64_t i = 0; i < (1 << 14); ++i) codes.push_back(i * (step + 1) + i % 7);
  for (uint64_t code : randomCodes(type, 9000)) codes.push_back(code);
  for (double limit : {88.5, 88.7228, 89.2, 89.42, 709.5, 710.3, 1e38, 2e38, 1e307, 1.5e308, 2e19, 1e155, 1e-310})
    for (double x : {limit, -limit}) codes.push_back(encode(type, x));
  Operands operands{codes, {}};
  for (size_t i = 0; i < codes.size(); ++i) operands.b.push_back(codes[(i * 37 + 11) % codes.size()]);
  // Pairs of like magnitude, and small exponents.
  for (uint64_t code : randomCodes(type, 4000)) {
    operands.a.push_back(code & ~(uint64_t{1} << (bitWidth(type) - 1)));
    operands.b.push_back(encode(type, static_cast<double>(code % 41) - 20));
  }
  return operands;
}

/// The place of the last digit of numbers like this in the type.
Real ulp(DType type, Real exact) {
  const FloatFormat &f = floatFormat(type);
  int exponent;
  std::frexp(exact, &exponent);
  return std::ldexp(Real(1), std::max(exponent - 1, f.minExponent) - f.mantissaBits);
}

bool isWithin(DType type, double actual, Real exact, double bound) {
  if (std::isnan(exact)) return std::isnan(actual);
  if (std::isinf(static_cast<double>(exact)) && std::isinf(exact)) return actual == exact;
  double largest = decode(type, floatFormat(type).largest);
  if (std::abs(exact) > largest) return std::abs(actual) >= largest && std::signbit(actual) == std::signbit(exact);
  if (exact == 0) return actual == 0 && std::signbit(actual) == std::signbit(exact);
  return std::isfinite(actual) && std::abs(actual - exact) <= bound * ulp(type, exact);
}

std::string mathProgram(DType type, size_t count, bool inLanes) {
  std::string src = fmt::format("memref<{}x{}, #g>", count, mlirType(type));
  std::string dst = fmt::format("memref<{}x{}x{}, #g>", kFunctions.size(), count, mlirType(type));
  std::string body = fmt::format("%n = arith.constant {} : index\n", count);
  body += inLanes ? "tile.parallel (%i) in (%n) {\n" : "tile.for serial %i = %c0 to %n step %c1 {\n";
  for (std::string_view operand : {"a", "b"})
    body += fmt::format("%{0} = tile.load %in_{0}[%i] : {1} -> {2}\n", operand, src, mlirType(type));
  for (size_t m = 0; m < kFunctions.size(); ++m) {
    std::string text = kFunctions[m].text;
    if (size_t at = text.find("{t}"); at != std::string::npos) text.replace(at, 3, mlirType(type));
    text.insert(text.find_last_of('\n') + 1, fmt::format("%r{} = ", m));
    std::string types = text.find("fpowi") == std::string::npos ? mlirType(type) : mlirType(type) + ", i32";
    body += fmt::format("{1} : {2}\n%m{0} = arith.constant {0} : index\ntile.store %r{0}, %R[%m{0}, %i] : {3}, {4}\n",
                        m, text, types, mlirType(type), dst);
  }
  return kernelText(fmt::format("%in_a: {0}, %in_b: {0}, %R: {1}", src, dst), body + "}\n");
}

std::vector<uint64_t> run(DType type, const Operands &operands, const CpuIsa &isa, bool inLanes) {
  CompiledProgram program(Program::parse(mathProgram(type, operands.a.size(), inLanes)), isa);
  Tensor result =
      Tensor::zeros(type, {static_cast<int64_t>(kFunctions.size()), static_cast<int64_t>(operands.a.size())});
  program.run(std::vector<Argument>{tensorOfCodes(type, operands.a), tensorOfCodes(type, operands.b), result});
  return codesOf(result);
}

class MathTest : public testing::TestWithParam<const CpuIsa *> {
protected:
  void expectWithinBounds(DType type, std::optional<double> boundOfAll = std::nullopt) {
    Operands operands = operandsOf(type);
    std::vector<uint64_t> codes = run(type, operands, *GetParam(), true);
    for (size_t m = 0; m < kFunctions.size(); ++m) {
      const Function &f = kFunctions[m];
      double bound = boundOfAll.value_or(f.boundOn(*GetParam(), type));
      for (size_t i = 0; i < operands.a.size(); ++i) {
        double a = decode(type, operands.a[i]), b = decode(type, operands.b[i]);
        double actual = decode(type, codes[m * operands.a.size() + i]);
        Real exact = f.exact(a, b);
        ASSERT_TRUE(isWithin(type, actual, exact, bound)) << fmt::format(
            "{} of {}, {} in {}: {} but expected {} within {} ulp, off by {}", f.text, a, b, name(type), actual,
            static_cast<double>(exact), bound, static_cast<double>(std::abs(actual - exact) / ulp(type, exact)));
      }
    }
  }

  static void expectSame(DType type, const Operands &operands, const std::vector<uint64_t> &x,
                         const std::vector<uint64_t> &y) {
    for (size_t i = 0, count = operands.a.size(); i < x.size(); ++i)
      ASSERT_TRUE(sameNumber(type, x[i], y[i])) << fmt::format(
          "{} of {}, {} in {}: {:#x} and {:#x}", kFunctions[i / count].text, decode(type, operands.a[i % count]),
          decode(type, operands.b[i % count]), name(type), x[i], y[i]);
  }
};

TEST_P(MathTest, WithinBounds) {
  expectWithinBounds(DType::f32);
  expectWithinBounds(DType::f64);
}

/// Computed in f32 and rounded.
TEST_P(MathTest, NarrowTypesWithinBounds) {
  expectWithinBounds(DType::f16, 0.501);
  expectWithinBounds(DType::bf16, 0.501);
}

TEST_P(MathTest, ScalarsHaveTheSameBits) {
  for (DType type : {DType::f32, DType::f64, DType::bf16}) {
    Operands operands = operandsOf(type);
    expectSame(type, operands, run(type, operands, *GetParam(), true), run(type, operands, *GetParam(), false));
  }
}

TEST_P(MathTest, LevelsWithFusedMultiplyAddHaveTheSameBits) {
  if (!GetParam()->hasFma) GTEST_SKIP() << "the baseline has functions of its own";
  for (DType type : {DType::f32, DType::f64}) {
    Operands operands = operandsOf(type);
    expectSame(type, operands, run(type, operands, *GetParam(), true), run(type, operands, cpuIsa("avx2"), true));
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, MathTest, testing::ValuesIn(levelsThatRunHere()),
                         [](const auto &info) { return levelTestName(*info.param); });

} // namespace
} // namespace tessera::cpu
