// Every case, by what it measures. Lists depend on the number of threads only.
#pragma once

#include "bench/case.h"

#include <vector>

namespace tessera::bench {

std::vector<Case> allCases(int threads);

std::vector<Case> gemmCases(int threads);
std::vector<Case> gemvCases(int threads);
std::vector<Case> attentionCases(int threads);
std::vector<Case> memoryCases(int threads);
std::vector<Case> selectionCases(int threads);
std::vector<Case> functionCases();
std::vector<Case> compileCases();
std::vector<Case> launchCases();

} // namespace tessera::bench
