// OpenBLAS and BLIS.
#pragma once

#include "bench/peers/peers.h"

namespace tessera::bench {

PeerLibrary openBlas();
PeerLibrary blis();

std::vector<Contestant> openBlasGemm(const GemmProblem &problem);
std::vector<Contestant> blisGemm(const GemmProblem &problem);

} // namespace tessera::bench
