// oneDNN, where it was found when the project was configured; otherwise every list is empty.
#pragma once

#include "bench/peers/peers.h"

namespace tessera::bench {

PeerLibrary oneDnn();

std::vector<Contestant> oneDnnGemm(const GemmProblem &problem);
std::vector<Contestant> oneDnnSoftmax(const Tensor &x, const Tensor &y, int threads);
std::vector<Contestant> oneDnnLayerNorm(const Tensor &x, const Tensor &gamma, const Tensor &beta, const Tensor &y,
                                        double eps, int threads);
std::vector<Contestant> oneDnnCopy(const Tensor &src, const Tensor &dst, int threads);

} // namespace tessera::bench
