// Flash attention forward over 4096 queries and keys.
#include "bench/cases/cases.h"
#include "bench/cases/subject.h"
#include "examples/attention_reference.h"

#include <fmt/format.h>

namespace tessera::bench {
namespace {

Case attentionCase(int64_t headDim, bool causal, int threads) {
  constexpr int64_t kHeads = 2, kLength = 4096;
  std::string name = fmt::format("attention_d{}_{}", headDim, causal ? "causal" : "full");
  examples::Example example =
      examples::flashAttention({name, "bf16", DType::bf16, kHeads, kHeads, headDim, causal, false});
  std::vector<int64_t> sizes = {1, kLength, kLength};
  return {.name = fmt::format("{}/{}", name, kLength),
          .sizes = fmt::format("heads={} queries={} keys={} d={}", kHeads, kLength, kLength, headDim),
          .threads = threads,
          .limit = Limit::bf16Dot,
          .bar = {.value = 0.80},
          .work = {example.flops(sizes), example.bytes(sizes)},
          .quick = headDim == 64 && causal,
          .prepare = [=] { return prepareExample(example, sizes, threads); }};
}

} // namespace

std::vector<Case> attentionCases(int threads) {
  return {attentionCase(64, false, threads), attentionCase(64, true, threads), attentionCase(128, false, threads),
          attentionCase(128, true, threads)};
}

} // namespace tessera::bench
