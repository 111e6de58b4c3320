// Stands in for oneDNN where it is not installed.
#include "bench/peers/onednn.h"

namespace tessera::bench {

PeerLibrary oneDnn() { return {.name = "oneDNN", .version = {}, .reason = "not found when configured"}; }

std::vector<Contestant> oneDnnGemm(const GemmProblem &) { return {}; }
std::vector<Contestant> oneDnnSoftmax(const Tensor &, const Tensor &, int) { return {}; }
std::vector<Contestant> oneDnnLayerNorm(const Tensor &, const Tensor &, const Tensor &, const Tensor &, double, int) {
  return {};
}
std::vector<Contestant> oneDnnCopy(const Tensor &, const Tensor &, int) { return {}; }

} // namespace tessera::bench
