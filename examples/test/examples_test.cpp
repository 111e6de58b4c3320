// Every example against double precision over sizes from its blocks, with poisoned outputs and guarded memory.
#include "core/test/expect_error.h"
#include "examples/registry.h"
#include "tilelang/driver/compile.h"
#include "tilelang/ir/interp/interpret.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tessera::examples {
namespace {

/// Sizes to run: all 1, then each size in turn is 0 and around its block while the others keep a prime.
std::vector<std::vector<int64_t>> sizesAround(const std::vector<int64_t> &blocks) {
  std::vector<int64_t> primes;
  for (int64_t block : blocks) primes.push_back(block == 1 ? 2 : 7);
  std::vector<std::vector<int64_t>> list = {std::vector<int64_t>(blocks.size(), 1), primes};
  for (size_t d = 0; d < blocks.size(); ++d)
    for (int64_t value : {int64_t(0), int64_t(1), blocks[d] - 1, blocks[d], blocks[d] + 1, 2 * blocks[d] + 3}) {
      if (blocks[d] == 1 && value > 1) continue; // only a count
      list.push_back(primes);
      list.back()[d] = value;
    }
  return list;
}

/// A tensor inside a larger allocation of poison: NaN for floating point, 0x7f elsewhere.
class Guarded {
public:
  explicit Guarded(const Tensor &tensor) : bytes(static_cast<size_t>(tensor.bytes())), storage(bytes + 2 * kGuard) {
    std::memset(storage.data(), 0xff, storage.size());
    view = Tensor::view(storage.data() + kGuard, tensor.dtype(), tensor.shape());
  }
  bool isIntact() const {
    auto clean = [](auto from, auto to) { return std::all_of(from, to, [](uint8_t byte) { return byte == 0xff; }); };
    return clean(storage.begin(), storage.begin() + kGuard) && clean(storage.end() - kGuard, storage.end());
  }
  Tensor view;

private:
  static constexpr int kGuard = 4096;
  size_t bytes;
  std::vector<uint8_t> storage;
};

class Examples : public testing::TestWithParam<const Example *> {};

/// Runs the example for every size by `call`, each time with other inputs.
void checkSizes(const Example &example, const std::function<void(const Arguments &)> &call) {
  uint64_t seed = 1;
  for (const std::vector<int64_t> &sizes : sizesAround(example.blocks)) {
    std::string text;
    for (size_t d = 0; d < sizes.size(); ++d) text += " " + example.sizeNames[d] + "=" + std::to_string(sizes[d]);
    SCOPED_TRACE(example.name + text + " seed=" + std::to_string(seed));
    Arguments arguments = example.arguments(sizes, seed++);
    std::vector<Expected> expected = example.reference(sizes, arguments);
    std::vector<std::unique_ptr<Guarded>> guards;
    for (const Expected &output : expected) {
      auto &tensor = std::get<Tensor>(arguments[output.argument]);
      guards.push_back(std::make_unique<Guarded>(tensor));
      if (example.name == "gemm_split_k") guards.back()->view.copyFrom(tensor); // adds to what is there
      tensor = guards.back()->view;
    }
    call(arguments);
    EXPECT_LE(compare(expected, arguments).ofBound, 1);
    for (const auto &guard : guards) EXPECT_TRUE(guard->isIntact());
  }
}

TEST_P(Examples, Interpreted) {
  Program program = GetParam()->program();
  checkSizes(*GetParam(), [&](const Arguments &arguments) { interpret(program, arguments); });
}

std::vector<const Example *> pointers() {
  std::vector<const Example *> list;
  for (const Example &example : allExamples()) list.push_back(&example);
  return list;
}

INSTANTIATE_TEST_SUITE_P(All, Examples, testing::ValuesIn(pointers()),
                         [](const auto &info) { return info.param->name; });

TEST_P(Examples, Compiled) {
  Kernel kernel = compile(GetParam()->program(), "cpu");
  checkSizes(*GetParam(), [&](const Arguments &arguments) { kernel.run(arguments); });
}

/// The expected outputs as tensors.
Arguments exactResults(const std::vector<Expected> &expected, Arguments arguments) {
  for (const Expected &output : expected) {
    auto &tensor = std::get<Tensor>(arguments[output.argument]);
    tensor = Tensor::fromVector<double>(output.values, tensor.shape());
  }
  return arguments;
}

TEST_P(Examples, BoundsTellWrongFromRounded) {
  const Example &example = *GetParam();
  std::vector<int64_t> sizes(example.blocks.size(), 7);
  Arguments arguments = example.arguments(sizes, 5);
  std::vector<Expected> expected = example.reference(sizes, arguments);
  for (size_t output = 0; output < expected.size(); ++output) {
    Arguments results = exactResults(expected, arguments);
    EXPECT_EQ(compare(expected, results).ofBound, 0);
    // The largest element off by 2 %, a little more than two roundings to the coarsest type of the examples.
    const std::vector<double> &values = expected[output].values;
    auto largest =
        std::max_element(values.begin(), values.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    Tensor flat = std::get<Tensor>(results[expected[output].argument]).reshape({static_cast<int64_t>(values.size())});
    flat.set({largest - values.begin()}, *largest * 1.02);
    EXPECT_GT(compare(expected, results).ofBound, 1) << "output " << output;
  }
}

TEST(Registry, FindsByName) {
  EXPECT_EQ(find("gemm_bf16").name, "gemm_bf16");
  EXPECT_ERROR(find("gem"), "there is no example 'gem'");
  EXPECT_ERROR(find("gem"), "examples are vector_add, transpose");
}

TEST(Registry, ErrorsAreMeasuredInBounds) {
  Arguments arguments = {Tensor::fromVector<float>({1, 2, NAN})};
  auto measured = [&](std::vector<double> values, std::vector<double> bounds) {
    return compare({{0, std::move(values), std::move(bounds)}}, arguments);
  };
  EXPECT_EQ(measured({1, 2, NAN}, {0, 0, 0}).ofBound, 0);
  EXPECT_EQ(measured({1, 2.5, NAN}, {0, 1, 0}).ofBound, 0.5);
  EXPECT_EQ(measured({4, 2.5, NAN}, {8, 1, 0}).relative, 0.75);
  EXPECT_EQ(measured({1, 3, NAN}, {0, 0, 0}).ofBound, INFINITY);
  EXPECT_EQ(measured({1, 2, 3}, {0, 0, 1}).ofBound, INFINITY);
  EXPECT_EQ(measured({1, NAN, NAN}, {0, 1, 0}).ofBound, INFINITY);
  EXPECT_ERROR(measured({1}, {0}), "output 0 has 3 elements but 1 are expected");
}

TEST(Registry, TheUsualValuesGiveTheProgram) {
  int tunable = 0;
  for (const Example &example : allExamples()) {
    EXPECT_EQ(example.parameters.empty(), !example.variant) << example.name;
    if (example.parameters.empty()) continue;
    ++tunable;
    EXPECT_EQ(example.program().text(), example.variant(example.tunable().usual()).text()) << example.name;
  }
  EXPECT_GT(tunable, 10);
}

TEST(Registry, EstimatesTellSmallBlocksFromLarge) {
  const Example &gemm = find("gemm_bf16");
  Arguments arguments = gemm.arguments(std::vector<int64_t>{1024, 1024, 1024}, 1);
  Tunable tunable = gemm.tunable();
  tunable.parameters = {{"bm", 256, {8}}, {"bn", 256, {16}}, {"bk", 256, {16}}};
  std::vector<TuneTrial> trials = tuneCandidates(tunable, arguments);
  ASSERT_EQ(trials.size(), 2u);
  EXPECT_GT(trials[1].estimate, 1.5 * trials[0].estimate);
}

TEST(Registry, WorkIsCounted) {
  std::vector<int64_t> sizes = {2, 3, 5};
  EXPECT_EQ(find("gemm_bf16").flops(sizes), 60);
  EXPECT_EQ(find("gemm_bf16").bytes(sizes), 2 * (10 + 15 + 6));
  EXPECT_EQ(find("flash_attention").flops(sizes), 4.0 * 64 * 4 * 2 * 15);
  EXPECT_EQ(find("flash_attention_causal").flops(sizes), 4.0 * 128 * 4 * 2 * 12) << "3 of 15 pairs are hidden";
  std::vector<int64_t> longQueries = {1, 5, 3};
  EXPECT_EQ(find("flash_attention_causal").flops(longQueries), 4.0 * 128 * 4 * (1 + 2 + 3));
}

} // namespace
} // namespace tessera::examples
