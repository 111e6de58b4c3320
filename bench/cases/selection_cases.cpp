// The k-th largest number of each row.
#include "bench/cases/cases.h"
#include "bench/cases/subject.h"
#include "bench/peers/peers.h"

#include <fmt/format.h>

namespace tessera::bench {
namespace {

Case selectionCase(int64_t m, int64_t n, int64_t k, int threads) {
  const std::vector<int64_t> sizes = {m, n, k};
  const examples::Example &example = examples::find("kth_largest");
  auto peers = [=](const std::vector<Argument> &arguments) {
    return selectionPeers(std::get<Tensor>(arguments[0]), std::get<Tensor>(arguments[1]), k, threads);
  };
  return {.name = fmt::format("kth_largest/{}", n),
          .sizes = fmt::format("m={} n={} k={}", m, n, k),
          .threads = threads,
          .limit = Limit::none,
          .bar = {.kind = Bar::Kind::rateAtLeast, .value = 0.5e9 * threads, .ofPeer = 1},
          .work = {example.flops(sizes), example.bytes(sizes)},
          .prepare = [=, &example] { return prepareExample(example, sizes, threads, peers); }};
}

} // namespace

std::vector<Case> selectionCases(int threads) {
  return {selectionCase(1024, 1024, 32, threads), selectionCase(256, 16384, 2048, threads)};
}

} // namespace tessera::bench
