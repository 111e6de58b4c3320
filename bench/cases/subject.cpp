// Compiles and calls our kernels like any user of the library.
#include "bench/cases/subject.h"

#include <algorithm>
#include <cmath>

namespace tessera::bench {
namespace {

/// NaN, or the largest integer: what no right result is everywhere.
void poison(const Tensor &tensor) {
  Tensor writable = tensor;
  writable.fill(isFloat(tensor.dtype()) ? NAN : 127);
}

} // namespace

Prepared prepareKernel(const Program &program, std::vector<Argument> arguments,
                       std::vector<examples::Expected> expected, int threads, const std::string &packed) {
  struct State {
    Kernel kernel;
    std::vector<Argument> arguments;
    std::vector<examples::Expected> expected;
  };
  Kernel kernel = compile(program, "cpu", {.threads = threads});
  if (!packed.empty()) {
    auto named = std::ranges::find(kernel.signature().parameters, packed, &Parameter::name);
    auto index = static_cast<size_t>(named - kernel.signature().parameters.begin());
    kernel = kernel.withPacked(packed, std::get<Tensor>(arguments[index]));
  }
  auto state = std::make_shared<const State>(State{std::move(kernel), std::move(arguments), std::move(expected)});
  return {.ours = {.name = "tessera", .call = [=] { state->kernel.run(state->arguments); }},
          .peers = {},
          .poison =
              [=] {
                for (const examples::Expected &output : state->expected)
                  poison(std::get<Tensor>(state->arguments[output.argument]));
              },
          .check = [=] { return examples::compare(state->expected, state->arguments); }};
}

Prepared prepareExample(const examples::Example &example, const std::vector<int64_t> &sizes, int threads,
                        const std::function<std::vector<Contestant>(const std::vector<Argument> &)> &addPeers) {
  std::vector<Argument> arguments = onHugePages(example.arguments(sizes, kSeed));
  Prepared prepared = prepareKernel(example.program(), arguments, example.reference(sizes, arguments), threads);
  if (addPeers) prepared.peers = addPeers(arguments);
  return prepared;
}

} // namespace tessera::bench
