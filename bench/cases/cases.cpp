// The list of cases.
#include "bench/cases/cases.h"

namespace tessera::bench {

std::vector<Case> allCases(int threads) {
  std::vector<Case> all;
  for (const std::vector<Case> &list :
       {gemmCases(threads), gemvCases(threads), attentionCases(threads), memoryCases(threads), selectionCases(threads),
        functionCases(), compileCases(), launchCases()})
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

} // namespace tessera::bench
