// Functions of SLEEF, which is part of the library.
#pragma once

#include "bench/peers/peers.h"

namespace tessera::bench {

std::vector<Contestant> sleefFunction(const std::string &function, const Tensor &x, const Tensor &y, int64_t repeats);

} // namespace tessera::bench
