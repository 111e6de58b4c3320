// Eigen, where it was found when the project was configured; otherwise the list is empty.
#pragma once

#include "bench/peers/peers.h"

namespace tessera::bench {

PeerLibrary eigen();
std::vector<Contestant> eigenGemm(const GemmProblem &problem);

} // namespace tessera::bench
