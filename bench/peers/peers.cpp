// Puts together what the libraries offer.
#include "bench/peers/peers.h"

#include "bench/peers/blas.h"
#include "bench/peers/eigen.h"
#include "bench/peers/libxsmm.h"
#include "bench/peers/onednn.h"
#include "bench/peers/sleef.h"

namespace tessera::bench {
namespace {

void append(std::vector<Contestant> &list, std::vector<Contestant> more) {
  for (Contestant &contestant : more) list.push_back(std::move(contestant));
}

} // namespace

std::vector<PeerLibrary> peerLibraries() { return {oneDnn(), openBlas(), blis(), eigen(), libxsmm()}; }

std::vector<Contestant> gemmPeers(const GemmProblem &problem) {
  std::vector<Contestant> list = oneDnnGemm(problem);
  append(list, openBlasGemm(problem));
  append(list, blisGemm(problem));
  append(list, eigenGemm(problem));
  append(list, libxsmmGemm(problem));
  return list;
}

std::vector<Contestant> softmaxPeers(const Tensor &x, const Tensor &y, int threads) {
  return oneDnnSoftmax(x, y, threads);
}

std::vector<Contestant> layerNormPeers(const Tensor &x, const Tensor &gamma, const Tensor &beta, const Tensor &y,
                                       double eps, int threads) {
  return oneDnnLayerNorm(x, gamma, beta, y, eps, threads);
}

std::vector<Contestant> copyPeers(const Tensor &src, const Tensor &dst, int threads) {
  return oneDnnCopy(src, dst, threads);
}

std::vector<Contestant> functionPeers(const std::string &function, const Tensor &x, const Tensor &y, int64_t repeats) {
  return sleefFunction(function, x, y, repeats);
}

} // namespace tessera::bench
