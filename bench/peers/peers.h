// The libraries that our kernels are measured against, each by its best public path. One that is not installed is left
// out: BLAS libraries are opened when the program runs, the others are found when it is configured.
#pragma once

#include "bench/case.h"
#include "core/tensor.h"

#include <string>
#include <vector>

namespace tessera::bench {

struct PeerLibrary {
  std::string name;
  /// Empty where it is absent.
  std::string version;
  /// Why it is absent, else empty.
  std::string reason;
};

/// Every library that some case knows.
std::vector<PeerLibrary> peerLibraries();

/// c = a . b, row-major: a m x k, b k x n, c m x n. Elements are rounded to the type of c at the end.
struct GemmProblem {
  Tensor a, b, c;
  int threads = 1;
  /// Also measure peers with b brought into their own layout beforehand.
  bool packed = false;
};
/// The contestants that know the types. The data of the problem lives as long as they do.
std::vector<Contestant> gemmPeers(const GemmProblem &problem);

/// y = softmax of each row of x, f32.
std::vector<Contestant> softmaxPeers(const Tensor &x, const Tensor &y, int threads);
/// y = (x - mean) / sqrt(variance + eps) * gamma + beta for each row; x and y bf16, the others f32.
std::vector<Contestant> layerNormPeers(const Tensor &x, const Tensor &gamma, const Tensor &beta, const Tensor &y,
                                       double eps, int threads);
/// y = the k-th largest number of each row of x, f32; k from 1 to the length of a row.
std::vector<Contestant> selectionPeers(const Tensor &x, const Tensor &y, int64_t k, int threads);
/// dst = src, which may be strided, converted to the type of dst.
std::vector<Contestant> copyPeers(const Tensor &src, const Tensor &dst, int threads);

/// y = f(x) for the functions exp, log, tanh and erf of f32, on one thread, `repeats` times over.
std::vector<Contestant> functionPeers(const std::string &function, const Tensor &x, const Tensor &y, int64_t repeats);

} // namespace tessera::bench
