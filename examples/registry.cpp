// The list of examples.
#include "examples/registry.h"

#include "core/error.h"

#include <fmt/format.h>

namespace tessera::examples {
namespace {

std::vector<Example> collect() {
  std::vector<Example> list = {vectorAdd(), transposeMatrix(), elementwiseChain(), onlineSoftmax(), layerNorm(),
                               rmsNorm(),   rowReductions(),   columnReductions(), cumulativeSum(), kthLargest()};
  for (Example &example : gemms()) list.push_back(std::move(example));
  list.push_back(gemmBiasActivation());
  list.push_back(gemmSplitK());
  list.push_back(gemmFp8());
  list.push_back(gemmW4a16());
  for (Example &example : flashAttentions()) list.push_back(std::move(example));
  return list;
}

} // namespace

const std::vector<Example> &allExamples() {
  static const std::vector<Example> list = collect();
  return list;
}

const Example &find(std::string_view name) {
  std::string known;
  for (const Example &example : allExamples()) {
    if (example.name == name) return example;
    known += (known.empty() ? "" : ", ") + example.name;
  }
  throw Error({fmt::format("there is no example '{}'", name), {}, "examples are " + known});
}

} // namespace tessera::examples
