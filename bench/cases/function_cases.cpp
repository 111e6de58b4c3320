// Functions of f32 in the first-level cache, on one thread.
#include "bench/cases/cases.h"
#include "bench/cases/subject.h"
#include "bench/kernels/kernels.h"
#include "bench/peers/peers.h"
#include "examples/reference.h"
#include "tilelang/dsl/tl.h"

#include <fmt/format.h>

#include <cmath>

namespace tessera::bench {
namespace {

constexpr int64_t kCount = 2048, kRepeats = 200; // 8 KB in, 8 KB out

struct Form {
  const char *name;
  double rate; // values per second, at least
  double lo, hi;
  tl::Expr (*ours)(const tl::Expr &);
  double (*exact)(double);
};

double exactSigmoid(double x) { return 1 / (1 + std::exp(-x)); }

std::vector<Form> forms() {
  return {{"exp", 8e9, -87, 88, [](const tl::Expr &x) { return tl::exp(x); }, std::exp},
          {"log", 6e9, 1e-3, 1e3, [](const tl::Expr &x) { return tl::log(x); }, std::log},
          {"tanh", 5e9, -9, 9, [](const tl::Expr &x) { return tl::tanh(x); }, std::tanh},
          {"sigmoid", 6e9, -20, 20, [](const tl::Expr &x) { return tl::sigmoid(x); }, exactSigmoid},
          {"erf", 5e9, -4, 4, [](const tl::Expr &x) { return tl::erf(x); }, std::erf}};
}

/// The distance between neighbouring numbers of f32 at a value.
double ulp(double value) { return std::ldexp(1, std::max(std::ilogb(value), -126) - 23); }

Prepared prepareFunction(const Form &form) {
  Tensor x = examples::randomTensor(DType::f32, {kCount}, kSeed, form.lo, form.hi);
  Tensor y = Tensor::empty(DType::f32, {kCount});
  std::vector<double> from = examples::values(x);
  auto expected = examples::forEach(1, kCount, [&](int64_t i, double &value, double &bound) {
    value = form.exact(from[static_cast<size_t>(i)]);
    bound = 2 * ulp(value);
  });
  Prepared prepared =
      prepareKernel(functionProgram(form.name, kCount, form.ours), {x, y, kRepeats}, {std::move(expected)}, 1);
  prepared.peers = functionPeers(form.name, x, y, kRepeats);
  return prepared;
}

} // namespace

std::vector<Case> functionCases() {
  std::vector<Case> list;
  for (const Form &form : forms())
    list.push_back({.name = fmt::format("{}/L1", form.name),
                    .sizes = fmt::format("n={}", kCount),
                    .threads = 1,
                    .limit = Limit::none,
                    .bar = {.kind = Bar::Kind::rateAtLeast, .value = form.rate},
                    .work = {1.0 * kCount * kRepeats, 0},
                    .quick = true,
                    .prepare = [form] { return prepareFunction(form); }});
  return list;
}

} // namespace tessera::bench
