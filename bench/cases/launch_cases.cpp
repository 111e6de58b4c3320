// What it costs to call a kernel that has nothing to do.
#include "bench/cases/cases.h"
#include "bench/cases/subject.h"
#include "bench/kernels/kernels.h"
#include "examples/reference.h"

#include <fmt/format.h>

namespace tessera::bench {
namespace {

Prepared prepareLaunch(int threads) {
  auto expected = examples::forEach(0, threads, [](int64_t, double &value, double &) { value = 1; });
  return prepareKernel(emptyProgram(), {Tensor::empty(DType::f32, {threads})}, {std::move(expected)}, threads);
}

Case launchCase(int threads, double seconds) {
  return {.name = fmt::format("launch/{}", threads),
          .sizes = fmt::format("blocks={}", threads),
          .threads = threads,
          .limit = Limit::none,
          .bar = {.kind = Bar::Kind::secondsAtMost, .value = seconds},
          .work = {},
          .quick = true,
          .prepare = [=] { return prepareLaunch(threads); }};
}

} // namespace

std::vector<Case> launchCases() { return {launchCase(1, 0.5e-6), launchCase(2, 2e-6)}; }

} // namespace tessera::bench
