// A few rows against weights that come from memory: as in the decoding of a model, each call finds other weights.
#include "bench/cases/cases.h"
#include "bench/cases/product.h"
#include "bench/cases/subject.h"
#include "bench/kernels/kernels.h"
#include "bench/peers/peers.h"
#include "examples/reference.h"

#include <fmt/format.h>

#include <optional>

namespace tessera::bench {
namespace {

constexpr int64_t kN = 4096, kK = 4096;
constexpr int64_t kRotation = int64_t{256} << 20; // bytes of weights before the first ones come again

/// Weights that share one scale.
struct Group {
  int64_t rows, cols;
  int64_t count() const { return (kN / rows) * (kK / cols); }
};
std::optional<Group> groupOf(DType weights) {
  if (weights == DType::e4m3) return Group{128, 128};
  if (weights == DType::e2m1) return Group{1, 32};
  return std::nullopt;
}

/// Contestants that do the same on different weights, as one that takes them in turn.
Contestant inTurn(std::vector<Contestant> list) {
  std::string name = list.front().name;
  return {.name = std::move(name), .call = [list = std::move(list), next = size_t{0}]() mutable {
            list[next].call();
            next = (next + 1) % list.size();
          }};
}

/// x (m x K), w (N x K), scales where there are some, y (m x N).
std::vector<Argument> argumentsOf(DType weights, int64_t m) {
  std::vector<Argument> list = {examples::randomTensor(DType::bf16, {m, kK}, kSeed),
                                weights == DType::e2m1 ? examples::randomTensor(weights, {kN, kK}, kSeed + 1, -6, 6)
                                                       : examples::randomTensor(weights, {kN, kK}, kSeed + 1)};
  if (std::optional<Group> group = groupOf(weights))
    list.emplace_back(examples::randomTensor(weights == DType::e2m1 ? DType::e8m0 : DType::f32,
                                             {kN / group->rows, kK / group->cols}, kSeed + 2, 0.5, 2));
  list.emplace_back(Tensor::empty(DType::bf16, {m, kN}));
  return onHugePages(std::move(list));
}

std::vector<examples::Expected> expectedOf(const std::vector<Argument> &arguments, int64_t m) {
  std::vector<double> w = examples::values(arguments[1]), transposed(w.size());
  std::optional<Group> group = groupOf(std::get<Tensor>(arguments[1]).dtype());
  std::vector<double> scales = group ? examples::values(arguments[2]) : std::vector<double>();
  for (int64_t n = 0; n < kN; ++n)
    for (int64_t k = 0; k < kK; ++k) {
      double scale = group ? scales[static_cast<size_t>(n / group->rows * (kK / group->cols) + k / group->cols)] : 1;
      transposed[static_cast<size_t>(k * kN + n)] = w[static_cast<size_t>(n * kK + k)] * scale;
    }
  return {expectedProduct(arguments.size() - 1, DType::bf16, examples::values(arguments[0]), transposed, m, kN, kK,
                          (kK + 3) * examples::kF32)};
}

/// The peers on each copy of the weights, as one contestant for each library.
std::vector<Contestant> peersInTurn(const std::vector<std::vector<Argument>> &copies, int threads) {
  std::vector<std::vector<Contestant>> byLibrary;
  for (const std::vector<Argument> &arguments : copies) {
    auto tensor = [&](size_t i) { return std::get<Tensor>(arguments[i]); };
    std::vector<Contestant> peers = gemmPeers({tensor(0), tensor(1).transpose(0, 1), tensor(2), threads, true});
    byLibrary.resize(peers.size());
    for (size_t p = 0; p < peers.size(); ++p) byLibrary[p].push_back(std::move(peers[p]));
  }
  std::vector<Contestant> list;
  for (std::vector<Contestant> &peers : byLibrary) list.push_back(inTurn(std::move(peers)));
  return list;
}

Prepared prepareGemv(DType weights, int64_t m, int threads, bool rotates) {
  std::vector<std::vector<Argument>> copies = {argumentsOf(weights, m)};
  const std::vector<Argument> first = copies.front();
  int64_t count = rotates ? kRotation / std::get<Tensor>(first[1]).bytes() : 1;
  while (std::ssize(copies) < count) {
    copies.push_back(first);
    auto &copy = std::get<Tensor>(copies.back()[1]);
    copy = hugeTensor(weights, copy.shape());
    copy.copyFrom(std::get<Tensor>(first[1]));
  }
  Program program = gemvProgram(weights, m);
  const std::string packed = weights == DType::bf16 ? "w" : "";
  Prepared prepared = prepareKernel(program, first, expectedOf(first, m), threads, packed);
  std::vector<Contestant> ours;
  for (const std::vector<Argument> &arguments : copies)
    ours.push_back(prepareKernel(program, arguments, {}, threads, packed).ours);
  prepared.ours = inTurn(std::move(ours));
  if (weights == DType::bf16) prepared.peers = peersInTurn(copies, threads);
  return prepared;
}

Case gemvCase(DType weights, int64_t m, int threads) {
  const bool isFp4 = weights == DType::e2m1;
  std::optional<Group> group = groupOf(weights);
  double scales = group ? (isFp4 ? 1.0 : 4.0) * group->count() : 0;
  return {.name = fmt::format("gemv_{}/M={}", isFp4 ? "fp4" : name(weights), m),
          .sizes = fmt::format("M={} N={} K={}", m, kN, kK),
          .threads = threads,
          .limit = Limit::dramRead,
          .bar = {.value = isFp4 ? 0.80 : 0.90},
          .work = {2.0 * m * kN * kK, bitWidth(weights) / 8.0 * kN * kK + scales + 2.0 * m * (kN + kK)},
          .quick = m == 1,
          .prepare = [=] { return prepareGemv(weights, m, threads, true); }};
}

/// More rows, so that the product binds and not the memory; always the same weights.
Case fewRowsCase(int64_t m, double bar, int threads) {
  return {.name = fmt::format("gemm_bf16_few_rows/M={}", m),
          .sizes = fmt::format("M={} N={} K={}", m, kN, kK),
          .threads = threads,
          .limit = Limit::bf16Dot,
          .bar = {.value = bar, .ofPeer = 1},
          .work = {2.0 * m * kN * kK, 2.0 * (kN * kK + m * (kN + kK))},
          .prepare = [=] { return prepareGemv(DType::bf16, m, threads, false); }};
}

} // namespace

std::vector<Case> gemvCases(int threads) {
  std::vector<Case> list;
  for (DType weights : {DType::bf16, DType::e4m3, DType::e2m1})
    for (int64_t m : {1, 2, 4}) list.push_back(gemvCase(weights, m, threads));
  list.push_back(fewRowsCase(16, 0.80, threads));
  list.push_back(fewRowsCase(128, 0.92, threads));
  return list;
}

} // namespace tessera::bench
