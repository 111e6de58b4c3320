// The harness of the field cases.
#include "tilelang/driver/test/field_case.h"

#include "tilelang/driver/target.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tessera::field {
namespace {

/// Bytes in front of and behind a tensor; a multiple of the strictest alignment.
constexpr size_t kCanaryBytes = 256;
constexpr std::byte kCanary{0xA5};

bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

} // namespace

Values values(const Shape &shape, const std::function<double(const Shape &)> &value) {
  Values result;
  Shape index(shape.size(), 0);
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  for (int64_t n = 0; n < count; ++n) {
    result.push_back(value(index));
    for (size_t d = shape.size(); d > 0; --d) {
      if (++index[d - 1] < shape[d - 1]) break;
      index[d - 1] = 0;
    }
  }
  return result;
}

Tensor Target::tensor(DType type, const Shape &shape, const Values &elements) {
  Tensor plain = Tensor::fromVector(elements, shape).to(type);
  auto bytes = static_cast<size_t>(plain.bytes());
  auto memory = std::make_shared<std::vector<std::byte>>(bytes + 2 * kCanaryBytes + Tensor::kAlignment, kCanary);
  size_t skew = reinterpret_cast<uintptr_t>(memory->data()) % Tensor::kAlignment;
  // The least alignment that is promised: that of an element, not more.
  size_t start = kCanaryBytes + Tensor::kAlignment - skew + static_cast<size_t>(std::max(byteWidth(type), 1));
  Tensor inside = Tensor::viewOwned(memory, memory->data() + start, type, shape);
  inside.copyFrom(plain);
  guarded.push_back({memory, start, start + bytes});
  return inside;
}

Tensor Target::untouched(DType type, const Shape &shape) {
  return tensor(type, shape, values(shape, [](const Shape &) { return kUntouched; }));
}

void Target::checkCanaries() const {
  for (const Guarded &tensor : guarded) {
    auto intact = [](auto first, auto last) {
      return std::all_of(first, last, [](std::byte b) { return b == kCanary; });
    };
    auto begin = tensor.memory->begin();
    EXPECT_TRUE(intact(begin, begin + static_cast<ptrdiff_t>(tensor.start))) << "bytes in front of a tensor changed";
    EXPECT_TRUE(intact(begin + static_cast<ptrdiff_t>(tensor.end), tensor.memory->end()))
        << "bytes behind a tensor changed";
  }
}

void onEveryTarget(const std::function<void(Target &)> &body, bool few) {
  for (const TargetInfo &info : targets()) {
    if (!info.available || (few && info.name != "cpu" && info.name != "interpreter")) continue;
    SCOPED_TRACE("target " + info.name);
    Target target(info.name);
    body(target);
  }
}

void expectValues(const Tensor &tensor, const Values &expected) {
  Tensor wide = tensor.to(DType::f64);
  ASSERT_EQ(wide.numel(), static_cast<int64_t>(expected.size()));
  const double *found = wide.data<const double>();
  for (size_t n = 0; n < expected.size(); ++n)
    ASSERT_TRUE(same(found[n], expected[n]))
        << "element " << n << " of " << expected.size() << " is " << found[n] << ", expected " << expected[n];
}

} // namespace tessera::field
