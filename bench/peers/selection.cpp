// std::nth_element, on a copy of each row.
#include "bench/peers/peers.h"

#include "core/thread_pool.h"

#include <algorithm>
#include <functional>

namespace tessera::bench {

std::vector<Contestant> selectionPeers(const Tensor &x, const Tensor &y, int64_t k, int threads) {
  auto call = [=] {
    const auto *from = x.data<const float>();
    auto *to = y.data<float>();
    const int64_t n = x.extent(1);
    parallelFor(
        x.extent(0),
        [&](int64_t row, int) {
          thread_local std::vector<float> copy;
          copy.assign(from + row * n, from + (row + 1) * n);
          std::nth_element(copy.begin(), copy.begin() + k - 1, copy.end(), std::greater<>());
          to[row] = copy[static_cast<size_t>(k - 1)];
        },
        threads);
  };
  return {{.name = "std::nth_element", .call = call}};
}

} // namespace tessera::bench
