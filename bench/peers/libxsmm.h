// libxsmm, if it was found when this was configured.
#pragma once

#include "bench/peers/peers.h"

namespace tessera::bench {

PeerLibrary libxsmm();
std::vector<Contestant> libxsmmGemm(const GemmProblem &problem);

} // namespace tessera::bench
