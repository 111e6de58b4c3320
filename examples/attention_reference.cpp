// Attention in double precision, one query at a time.
//
// Bounds: a score is a dot product of headDim terms, scaled and rounded, so a weight is off by its relative error E;
// weights are rounded to the input type before they meet the values, and all weights of a row share one divisor, itself
// a sum of as many terms. Each weight p, relative to the sum, thus contributes p |v| (2 E + u(type) + 2 (keys +
// headDim) u) at most.
#include "examples/attention_reference.h"

#include "core/numbers.h"

#include <algorithm>
#include <array>

namespace tessera::examples {
namespace {

/// Starts of `batch` sequences one after the other: all of length `most`, or of lengths from 0 to it.
Tensor sequenceStarts(int64_t batch, int64_t most, bool ragged, uint64_t seed) {
  Tensor lengths = randomTensor(DType::i32, {batch}, seed, 0, static_cast<double>(most));
  Tensor starts = Tensor::zeros(DType::i32, {batch + 1});
  for (int64_t b = 0; b < batch; ++b) {
    double length = ragged && b != 0 ? lengths.at({b}) : static_cast<double>(most);
    starts.set({b + 1}, starts.at({b}) + length);
  }
  return starts;
}

struct Attention {
  AttentionForm form;
  std::vector<double> q, k, v, startQ, startK;

  /// One row of the output: the weighted mean of the values that query `token` of head `head` sees.
  void row(int64_t token, int64_t head, double *values, double *bounds) const;
};

void Attention::row(int64_t token, int64_t head, double *values, double *bounds) const {
  const int64_t d = form.headDim, keyHead = head / (form.heads / form.keyHeads);
  auto next = std::upper_bound(startQ.begin(), startQ.end(), static_cast<double>(token));
  auto b = static_cast<size_t>(next - startQ.begin()) - 1;
  auto keys = static_cast<int64_t>(startK[b + 1] - startK[b]),
       queries = static_cast<int64_t>(startQ[b + 1] - startQ[b]);
  int64_t seen =
      form.causal ? std::clamp<int64_t>(token - static_cast<int64_t>(startQ[b]) + keys - queries + 1, 0, keys) : keys;
  const double *query = &q[static_cast<size_t>((token * form.heads + head) * d)];
  auto at = [&](int64_t j) {
    return static_cast<size_t>(((static_cast<int64_t>(startK[b]) + j) * form.keyHeads + keyHead) * d);
  };
  std::vector<double> scores(static_cast<size_t>(seen)), errors(scores);
  double top = -INFINITY, total = 0;
  for (int64_t j = 0; j < seen; ++j) {
    double magnitude = 0;
    for (int64_t c = 0; c < d; ++c) {
      double product = query[c] * k[at(j) + static_cast<size_t>(c)];
      scores[static_cast<size_t>(j)] += product * form.scale();
      magnitude += std::abs(product) * form.scale();
    }
    errors[static_cast<size_t>(j)] = (static_cast<double>(d) + 3) * kF32 * magnitude;
    top = std::max(top, scores[static_cast<size_t>(j)]);
  }
  for (double score : scores) total += std::exp(score - top);
  double worst = errors.empty() ? 0 : *std::max_element(errors.begin(), errors.end());
  for (int64_t j = 0; j < seen; ++j) {
    double weight = std::exp(scores[static_cast<size_t>(j)] - top) / total;
    double below = top - scores[static_cast<size_t>(j)];
    double relative = 2 * (worst + kFunction + (below + 4) * kF32) + unitRoundoff(form.type) +
                      2 * static_cast<double>(keys + d) * kF32;
    // Weights below the normal range of the type are rounded to a fixed step.
    double step = form.type == DType::f16 ? 0x1p-25 / total : 0;
    for (int64_t c = 0; c < d; ++c) {
      double value = v[at(j) + static_cast<size_t>(c)];
      values[c] += weight * value;
      bounds[c] += std::abs(value) * (weight * relative + step);
    }
  }
  for (int64_t c = 0; c < d; ++c) bounds[c] = rounded(form.type, values[c], bounds[c]);
}

std::vector<Expected> reference(const AttentionForm &form, const Arguments &in) {
  Attention attention{form, values(in[0]), values(in[1]), values(in[2]), values(in[4]), values(in[5])};
  size_t count = attention.q.size();
  Expected out{3, std::vector<double>(count), std::vector<double>(count)};
  int64_t rows = static_cast<int64_t>(count) / form.headDim;
  forEach(3, rows, [&](int64_t i, double &, double &) {
    auto at = static_cast<size_t>(i * form.headDim);
    attention.row(i / form.heads, i % form.heads, &out.values[at], &out.bounds[at]);
  });
  return {out};
}

/// Pairs of query and key that are multiplied, for lengths that are all the longest.
double pairs(const AttentionForm &form, Sizes s) {
  double batch = static_cast<double>(s[0]), q = static_cast<double>(s[1]), k = static_cast<double>(s[2]);
  if (!form.causal) return batch * q * k;
  double hidden = q <= k ? q * (q - 1) / 2 : k * (k - 1) / 2 + (q - k) * k;
  return batch * (q * k - hidden);
}

} // namespace

Example attentionExample(const AttentionForm &form, int64_t blockQ, int64_t blockK,
                         const std::function<Program(Choice)> &variant) {
  double width = byteWidth(form.type) * static_cast<double>(form.headDim);
  return {.name = form.name,
          .summary = "flash attention forward, " + form.summary,
          .sizeNames = {"batch", "queries", "keys"},
          .demoSizes = {1, 2048, 2048},
          .blocks = {1, blockQ, blockK},
          .program = [=] { return variant(std::array{blockQ, blockK}); },
          .parameters = {{"bm", blockQ, {16, 32, 64, 128}}, {"bn", blockK, {32, 64, 128, 256, 512}}},
          .variant = variant,
          .arguments = [=](Sizes s, uint64_t seed) -> Arguments {
            Tensor startQ = sequenceStarts(s[0], s[1], form.ragged, seed + 3);
            Tensor startK = sequenceStarts(s[0], s[2], form.ragged, seed + 4);
            auto tokensQ = static_cast<int64_t>(startQ.at({s[0]})), tokensK = static_cast<int64_t>(startK.at({s[0]}));
            return {randomTensor(form.type, {tokensQ, form.heads, form.headDim}, seed, -2, 2),
                    randomTensor(form.type, {tokensK, form.keyHeads, form.headDim}, seed + 1, -2, 2),
                    randomTensor(form.type, {tokensK, form.keyHeads, form.headDim}, seed + 2, -2, 2),
                    Tensor::empty(form.type, {tokensQ, form.heads, form.headDim}),
                    startQ,
                    startK,
                    s[1]};
          },
          .reference = [=](Sizes, const Arguments &in) { return reference(form, in); },
          .flops = [=](Sizes s) { return 4.0 * static_cast<double>(form.headDim * form.heads) * pairs(form, s); },
          .bytes =
              [=](Sizes s) {
                return width * static_cast<double>(s[0] * (2 * s[1] * form.heads + 2 * s[2] * form.keyHeads));
              }};
}

} // namespace tessera::examples
