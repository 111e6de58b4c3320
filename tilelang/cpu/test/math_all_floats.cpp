// Walks all f32 arguments of the functions with inline code, compares with f64 and prints the largest error of each in
// ulp: math_all_floats [-isa=NAME] [-scalar] [FUNCTION...]. Takes minutes; run by hand when such a function changes.
#include "tilelang/cpu/test/compiled_program.h"
#include "tilelang/ir/test/interp_program.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>

namespace tessera::cpu {
namespace {

constexpr int64_t kCount = 1 << 20;

const std::vector<std::string> kFunctions = {"math.exp",   "math.exp2", "tile.exp10", "math.log",    "math.log2",
                                             "math.log10", "math.tanh", "math.erf",   "tile.sigmoid"};

/// The function of every element in f32, and of the same in f64.
std::string program(const std::string &function, bool inLanes) {
  std::string x = fmt::format("memref<{}xf32, #g>", kCount), y = fmt::format("memref<{}xf64, #g>", kCount);
  return kernelText(fmt::format("%x: {0}, %y: {0}, %exact: {1}", x, y),
                    fmt::format("%n = arith.constant {0} : index\n{4} {{\n"
                                "%a = tile.load %x[%i] : {2} -> f32\n%b = {1} %a : f32\n"
                                "tile.store %b, %y[%i] : f32, {2}\n"
                                "%c = tile.cast %a : f32 to f64\n%d = {1} %c : f64\n"
                                "tile.store %d, %exact[%i] : f64, {3}\n}}\n",
                                kCount, function, x, y,
                                inLanes ? "tile.parallel (%i) in (%n)" : "tile.for serial %i = %c0 to %n step %c1"));
}

/// Infinity counts as the number after the largest.
double limited(double x) { return std::clamp(x, -0x1p128, 0x1p128); }

/// NaN where only one of both is NaN, and where the signs differ.
double errorInUlp(float actual, double exact) {
  if (std::isnan(exact) && std::isnan(actual)) return 0;
  if (std::isnan(exact) || std::isnan(actual) || std::signbit(exact) != std::signbit(actual)) return NAN;
  if (exact == 0) return actual == 0 ? 0 : NAN;
  exact = limited(exact);
  uint64_t exponent = std::bit_cast<uint64_t>(std::clamp(std::abs(exact), 0x1p-126, 0x1p127)) >> 52;
  double ulpsPerUnit = std::bit_cast<double>((2 * uint64_t{1023} + 23 - exponent) << 52);
  return std::abs(limited(actual) - exact) * ulpsPerUnit;
}

struct Summary {
  double ulp = 0; ///< the largest error, at `argument`
  float argument = 0;
  int64_t wrongKinds = 0; ///< of results that are NaN or signed where they should not be
  uint64_t hash = 0;      ///< of all results, to compare instruction sets

  void add(float x, float y, double exact) {
    double error = errorInUlp(y, exact);
    if (std::isnan(error)) ++wrongKinds, error = 0;
    if (error > ulp) ulp = error, argument = x;
    hash = (hash ^ (std::isnan(y) ? 0 : std::bit_cast<uint32_t>(y))) * 0x100000001b3;
  }
};

void walk(const std::string &function, const CpuIsa &isa, bool inLanes) {
  CompiledProgram compiled(Program::parse(program(function, inLanes)), isa);
  Tensor x = Tensor::zeros(DType::f32, {kCount}), y = x.clone(), exact = Tensor::zeros(DType::f64, {kCount});
  auto *xs = x.data<float>(), *ys = y.data<float>();
  auto *exacts = exact.data<double>();
  Summary summary;
  for (uint64_t first = 0; first < uint64_t{1} << 32; first += kCount) {
    for (int64_t i = 0; i < kCount; ++i) xs[i] = std::bit_cast<float>(static_cast<uint32_t>(first + uint64_t(i)));
    compiled.run(std::vector<Argument>{x, y, exact});
    for (int64_t i = 0; i < kCount; ++i) summary.add(xs[i], ys[i], exacts[i]);
  }
  fmt::print("{:12} {:.4f} ulp at {:a}; wrong kinds {}; hash {:x}\n", function, summary.ulp, summary.argument,
             summary.wrongKinds, summary.hash);
  std::fflush(stdout);
}

} // namespace
} // namespace tessera::cpu

int main(int argc, char **argv) {
  using namespace tessera::cpu;
  std::vector<std::string> functions;
  const CpuIsa *isa = &cpuIsa();
  bool inLanes = true;
  for (const std::string &argument : std::vector<std::string>(argv + 1, argv + argc)) {
    if (argument == "-scalar")
      inLanes = false;
    else if (argument.starts_with("-isa="))
      isa = &cpuIsa(argument.substr(5));
    else
      functions.push_back(argument);
  }
  for (const std::string &function : functions.empty() ? kFunctions : functions) walk(function, *isa, inLanes);
}
