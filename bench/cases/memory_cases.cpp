// Kernels bound by memory: at sizes far beyond the caches with all threads, and inside the second-level cache with one.
#include "bench/cases/cases.h"
#include "bench/cases/subject.h"
#include "bench/kernels/kernels.h"
#include "bench/peers/peers.h"
#include "examples/reference.h"

#include <fmt/format.h>

namespace tessera::bench {
namespace {

using examples::Example;
using Peers = std::function<std::vector<Contestant>(const std::vector<Argument> &, int threads)>;

const Tensor &tensor(const std::vector<Argument> &arguments, size_t i) { return std::get<Tensor>(arguments[i]); }

struct Form {
  Example example;
  Peers peers;
  /// Inputs and outputs fit half of a second-level cache of 1 MB.
  int64_t rowsInL2, colsInL2;
};

/// A cast as an example: every element is the one rounding of its source.
Example castExample(DType from, DType to) {
  return {.name = fmt::format("cast_{}_{}", name(from), name(to)),
          .summary = {},
          .sizeNames = {"m", "n"},
          .demoSizes = {},
          .blocks = {},
          .program = [=] { return castProgram(from, to); },
          .arguments = [=](examples::Sizes s, uint64_t seed) -> std::vector<Argument> {
            return {examples::randomTensor(from, {s[0], s[1]}, seed, -100, 100), Tensor::empty(to, {s[0], s[1]})};
          },
          .reference = [=](examples::Sizes s, const std::vector<Argument> &in) -> std::vector<examples::Expected> {
            // The library's own conversion, element by element, is tested against exact arithmetic.
            std::vector<double> rounded = examples::values(tensor(in, 0).to(to));
            return {examples::forEach(
                1, s[0] * s[1], [&](int64_t i, double &value, double &) { value = rounded[static_cast<size_t>(i)]; })};
          },
          .flops = [](examples::Sizes s) { return 1.0 * s[0] * s[1]; },
          .bytes = [=](examples::Sizes s) { return 1.0 * (byteWidth(from) + byteWidth(to)) * s[0] * s[1]; }};
}

std::vector<Contestant> castPeers(const std::vector<Argument> &in, int threads) {
  return copyPeers(tensor(in, 0), tensor(in, 1), threads);
}

std::vector<Form> forms() {
  constexpr double kEps = 1e-5; // of the example
  auto softmax = [](const auto &in, int threads) { return softmaxPeers(tensor(in, 0), tensor(in, 1), threads); };
  auto layerNorm = [](const auto &in, int threads) {
    return layerNormPeers(tensor(in, 0), tensor(in, 1), tensor(in, 2), tensor(in, 3), kEps, threads);
  };
  auto transpose = [](const auto &in, int threads) {
    return copyPeers(tensor(in, 0).transpose(0, 1), tensor(in, 1), threads);
  };
  return {{examples::find("online_softmax"), softmax, 64, 1024},
          {examples::find("rms_norm"), {}, 128, 1024},
          {examples::find("layer_norm"), layerNorm, 128, 1024},
          {examples::find("elementwise_chain"), {}, 64, 1024},
          {examples::find("transpose"), transpose, 256, 256},
          {castExample(DType::f32, DType::bf16), castPeers, 64, 1024},
          {castExample(DType::bf16, DType::f32), castPeers, 64, 1024},
          {castExample(DType::f32, DType::e4m3), castPeers, 64, 1024},
          {castExample(DType::bf16, DType::e4m3), castPeers, 128, 1024}};
}

Case memoryCase(const Form &form, const char *place, const std::vector<int64_t> &sizes, int threads, Limit limit,
                double bar) {
  return {.name = fmt::format("{}/{}", form.example.name, place),
          .sizes = fmt::format("m={} n={}", sizes[0], sizes[1]),
          .threads = threads,
          .limit = limit,
          .bar = {.value = bar},
          .work = {form.example.flops(sizes), form.example.bytes(sizes)},
          .quick = limit == Limit::l2Copy,
          .prepare = [=] {
            return prepareExample(form.example, sizes, threads, [=](const std::vector<Argument> &arguments) {
              return form.peers ? form.peers(arguments, threads) : std::vector<Contestant>();
            });
          }};
}

} // namespace

std::vector<Case> memoryCases(int threads) {
  std::vector<Case> list;
  for (const Form &form : forms())
    list.push_back(memoryCase(form, "dram", {4096, 8192}, threads, Limit::streamCopy, 0.90));
  for (const Form &form : forms())
    list.push_back(memoryCase(form, "L2", {form.rowsInL2, form.colsInL2}, 1, Limit::l2Copy, 0.75));
  return list;
}

} // namespace tessera::bench
