// Overlap of strided tensors, decided on their memory footprints.
#include "tilelang/driver/overlap.h"

#include <algorithm>
#include <functional>

namespace tessera {
namespace {

/// What a tensor takes, in halves of bytes, as e2m1 elements are one: runs of `run` halves at start + sum of index *
/// stride over the dimensions. Strides are positive and descend; dimensions that continue the one inside are merged
/// into it.
struct Footprint {
  struct Dim {
    int64_t extent, stride;
  };
  int64_t start = 0, run = 0;
  std::vector<Dim> dims;

  explicit Footprint(const Tensor &tensor) : start(2 * reinterpret_cast<int64_t>(tensor.data())) {
    run = bitWidth(tensor.dtype()) / 4;
    for (size_t i = 0; i < tensor.shape().size(); ++i) addDim(tensor.shape()[i], tensor.strides()[i] * run);
    std::ranges::sort(dims, std::greater<>(), &Dim::stride);
    mergeInner();
  }

  /// The first half behind the last run.
  int64_t end() const {
    int64_t last = start + run;
    for (const Dim &dim : dims) last += (dim.extent - 1) * dim.stride;
    return last;
  }

private:
  void addDim(int64_t extent, int64_t stride) {
    if (extent == 1 || stride == 0) return;
    if (stride < 0) start += (extent - 1) * stride;
    dims.push_back({extent, std::abs(stride)});
  }

  void mergeInner() {
    while (!dims.empty() && dims.back().stride == run) {
      run *= dims.back().extent;
      dims.pop_back();
    }
  }
};

/// Looks for coefficients within their ranges whose sum with `rest` lands in (-before, after).
struct OverlapSearch {
  struct Term {
    int64_t stride, low, high; // coefficient * stride, low <= coefficient <= high
  };
  std::vector<Term> terms; // strides descend
  int64_t before, after;
  int steps = 1000;

  OverlapSearch(const Footprint &a, const Footprint &b) : before(b.run), after(a.run) {
    for (const auto &dim : a.dims) terms.push_back({dim.stride, 1 - dim.extent, 0});
    for (const auto &dim : b.dims) addSecond(dim);
    std::ranges::sort(terms, std::greater<>(), &Term::stride);
  }

  bool find(int64_t rest, size_t from = 0) {
    if (from == terms.size()) return -before < rest && rest < after;
    const Term &term = terms[from];
    auto [low, high] = reach(from + 1);
    // Only coefficients from which the remaining terms can still get there.
    int64_t first = std::max(term.low, divideUp(-before + 1 - rest - high, term.stride));
    int64_t last = std::min(term.high, -divideUp(-(after - 1 - rest - low), term.stride));
    for (int64_t k = first; k <= last && steps-- > 0; ++k)
      if (find(rest + k * term.stride, from + 1)) return true;
    return false;
  }

private:
  /// A stride that both tensors have is one term: the difference of the two indices.
  void addSecond(const Footprint::Dim &dim) {
    auto same = std::ranges::find_if(terms, [&](const Term &t) { return t.stride == dim.stride && t.high == 0; });
    if (same != terms.end())
      same->high = dim.extent - 1;
    else
      terms.push_back({dim.stride, 0, dim.extent - 1});
  }

  /// Least and greatest sum of the terms from `from` on.
  std::pair<int64_t, int64_t> reach(size_t from) const {
    int64_t low = 0, high = 0;
    for (; from < terms.size(); ++from) {
      low += terms[from].low * terms[from].stride;
      high += terms[from].high * terms[from].stride;
    }
    return {low, high};
  }

  static int64_t divideUp(int64_t a, int64_t b) { return a / b + (a % b > 0); }
};

} // namespace

Overlap overlap(const Tensor &a, const Tensor &b) {
  if (a.numel() == 0 || b.numel() == 0) return Overlap::none;
  Footprint first(a), second(b);
  if (first.start >= second.end() || second.start >= first.end()) return Overlap::none;
  if (a.data() == b.data() && a.dtype() == b.dtype() && a.shape() == b.shape() && a.strides() == b.strides())
    return Overlap::same;
  return OverlapSearch(first, second).find(second.start - first.start) ? Overlap::partial : Overlap::none;
}

bool mayOverlapItself(const Tensor &tensor) {
  if (tensor.numel() == 0) return false;
  for (size_t i = 0; i < tensor.shape().size(); ++i)
    if (tensor.shape()[i] > 1 && tensor.strides()[i] == 0) return true;
  Footprint footprint(tensor);
  int64_t inside = footprint.run;
  for (auto dim = footprint.dims.rbegin(); dim != footprint.dims.rend(); ++dim) {
    if (dim->stride < inside) return true;
    inside += (dim->extent - 1) * dim->stride;
  }
  return false;
}

} // namespace tessera
