// Stands in for libxsmm.cpp where the library is missing.
#include "bench/peers/libxsmm.h"

namespace tessera::bench {

PeerLibrary libxsmm() {
  return {.name = "libxsmm", .version = {}, .reason = "not found when this was configured (libxsmm-dev)"};
}

std::vector<Contestant> libxsmmGemm(const GemmProblem &) { return {}; }

} // namespace tessera::bench
