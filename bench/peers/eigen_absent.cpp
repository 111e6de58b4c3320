// Stands in for Eigen where it is not installed.
#include "bench/peers/eigen.h"

namespace tessera::bench {

PeerLibrary eigen() { return {.name = "Eigen", .version = {}, .reason = "not found when configured"}; }
std::vector<Contestant> eigenGemm(const GemmProblem &) { return {}; }

} // namespace tessera::bench
