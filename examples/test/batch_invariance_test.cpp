// The bits of a row depend on nothing but the row: not on how many rows there are, on the other rows, on the number of
// threads or on what ran before. On every instruction set that runs here.
#include "core/test/expect_error.h"
#include "examples/registry.h"
#include "tilelang/chips/chip_folder.h"
#include "tilelang/cpu/CpuIsa.h"
#include "tilelang/driver/compile.h"

#include <cstring>

namespace tessera::examples {
namespace {

/// An example whose first size counts independent rows, which are the first dimension of some arguments.
struct RowKernel {
  std::string name;
  std::vector<int64_t> sizes;
  std::vector<size_t> inputs, outputs; // arguments with these rows
};

const std::vector<RowKernel> &rowKernels() {
  static const std::vector<RowKernel> list = {
      {"gemm_f32", {300, 100, 333}, {0}, {2}},       {"gemm_bf16", {300, 100, 333}, {0}, {2}},
      {"gemm_f16", {300, 100, 333}, {0}, {2}},       {"gemm_i8", {300, 100, 1111}, {0}, {2}},
      {"gemm_bias_act", {300, 100, 333}, {0}, {3}},  {"online_softmax", {37, 3000}, {0}, {1}},
      {"layer_norm", {37, 3000}, {0}, {3}},          {"rms_norm", {37, 3000}, {0}, {2}},
      {"row_reductions", {37, 3000}, {0}, {1, 2, 3}}};
  return list;
}

std::vector<std::string> targetsHere() {
  std::vector<std::string> targets;
  for (std::string_view isa : cpu::isaNames())
    if (cpu::cpuIsa(isa).runsHere) targets.push_back(isa == "native" ? "cpu" : "cpu:" + std::string(isa));
  return targets;
}

const Tensor &tensor(const Arguments &arguments, size_t at) { return std::get<Tensor>(arguments[at]); }

bool sameBits(const Tensor &a, const Tensor &b) {
  Tensor x = a.clone(), y = b.clone();
  return x.shape() == y.shape() && std::memcmp(x.data(), y.data(), static_cast<size_t>(x.bytes())) == 0;
}

/// Copies of all arguments, those with rows cut to [begin, end).
Arguments rowsOf(const Arguments &arguments, const RowKernel &kernel, int64_t begin, int64_t end) {
  Arguments part = arguments;
  for (size_t at = 0; at < part.size(); ++at) {
    auto *whole = std::get_if<Tensor>(&part[at]);
    if (!whole) continue;
    auto holds = [at](const std::vector<size_t> &list) { return std::ranges::find(list, at) != list.end(); };
    bool hasRows = holds(kernel.inputs) || holds(kernel.outputs);
    *whole = hasRows ? whole->slice(0, begin, end).clone() : whole->clone();
  }
  return part;
}

class BatchInvariance : public testing::TestWithParam<std::tuple<RowKernel, std::string>> {
protected:
  RowKernel row = std::get<0>(GetParam());
  std::string target = std::get<1>(GetParam());
  Program program = find(row.name).program();
  Arguments arguments = find(row.name).arguments(row.sizes, 11);

  Arguments run(Arguments given, int threads = 0) const {
    CompileOptions options;
    options.threads = threads;
    for (size_t output : row.outputs) std::get<Tensor>(given[output]).fill(77);
    compile(program, target, options).run(given);
    return given;
  }
  void expectSame(const Arguments &whole, const Arguments &part, int64_t begin, int64_t end) const {
    for (size_t output : row.outputs)
      EXPECT_TRUE(sameBits(tensor(whole, output).slice(0, begin, end), tensor(part, output)))
          << row.name << " on " << target << ", rows " << begin << " to " << end << ", output " << output;
  }
};

TEST_P(BatchInvariance, ARowDoesNotDependOnHowManyThereAre) {
  const int64_t rows = row.sizes[0];
  Arguments whole = run(rowsOf(arguments, row, 0, rows));
  for (auto [begin, end] :
       {std::pair<int64_t, int64_t>{0, 1}, {5, 6}, {rows - 1, rows}, {0, 2}, {3, 10}, {4, 20}, {1, rows}})
    expectSame(whole, run(rowsOf(arguments, row, begin, end)), begin, end);
}

TEST_P(BatchInvariance, ARowDoesNotDependOnTheOthers) {
  const int64_t rows = row.sizes[0], kept = 9;
  Arguments whole = run(rowsOf(arguments, row, 0, rows)), others = rowsOf(arguments, row, 0, rows);
  for (size_t input : row.inputs) {
    auto &changed = std::get<Tensor>(others[input]);
    Tensor own = changed.slice(0, kept, kept + 1).clone();
    changed.fillRandom(99, -3, 3);
    changed.slice(0, kept, kept + 1).copyFrom(own);
  }
  Arguments result = run(others);
  bool sameElsewhere = true;
  for (size_t output : row.outputs) {
    EXPECT_TRUE(
        sameBits(tensor(whole, output).slice(0, kept, kept + 1), tensor(result, output).slice(0, kept, kept + 1)));
    sameElsewhere = sameElsewhere && sameBits(tensor(whole, output), tensor(result, output));
  }
  EXPECT_FALSE(sameElsewhere) << "the other rows have not changed";
}

TEST_P(BatchInvariance, ThreadsAndRepetitionChangeNothing) {
  const int64_t rows = row.sizes[0];
  Arguments one = run(rowsOf(arguments, row, 0, rows), 1);
  for (int threads : {1, 2, 3, 8}) expectSame(one, run(rowsOf(arguments, row, 0, rows), threads), 0, rows);
}

std::string testName(const testing::TestParamInfo<std::tuple<RowKernel, std::string>> &info) {
  std::string text = std::get<0>(info.param).name + "_on_" + std::get<1>(info.param);
  for (char &c : text)
    if (c == ':' || c == '-') c = '_';
  return text;
}

INSTANTIATE_TEST_SUITE_P(All, BatchInvariance,
                         testing::Combine(testing::ValuesIn(rowKernels()), testing::ValuesIn(targetsHere())), testName);

/// Attention: a sequence alone gives what it gives in a batch, and a head what it gives beside others.
class AttentionInvariance : public testing::TestWithParam<std::string> {};

TEST_P(AttentionInvariance, ASequenceDoesNotDependOnTheBatch) {
  for (const char *name : {"flash_attention", "flash_attention_causal", "flash_attention_ragged"}) {
    const Example &example = find(name);
    Arguments batch = example.arguments(std::vector<int64_t>{3, 70, 150}, 13);
    Kernel kernel = compile(example.program(), GetParam());
    kernel.run(batch);
    for (int threads : {1, 3}) {
      Arguments again = batch;
      again[3] = Tensor::zeros(tensor(batch, 3).dtype(), tensor(batch, 3).shape());
      CompileOptions options;
      options.threads = threads;
      compile(example.program(), GetParam(), options).run(again);
      EXPECT_TRUE(sameBits(tensor(batch, 3), tensor(again, 3))) << name << " with " << threads << " threads";
    }
    auto start = [&](size_t argument, int64_t b) { return static_cast<int64_t>(tensor(batch, argument).at({b})); };
    for (int64_t b = 0; b < 3; ++b) {
      Arguments alone = batch;
      for (size_t at : {0, 3}) alone[at] = tensor(batch, at).slice(0, start(4, b), start(4, b + 1)).clone();
      for (size_t at : {1, 2}) alone[at] = tensor(batch, at).slice(0, start(5, b), start(5, b + 1)).clone();
      Tensor expected = tensor(alone, 3).clone();
      std::get<Tensor>(alone[3]).fill(0);
      alone[4] = Tensor::fromVector<int32_t>({0, static_cast<int32_t>(start(4, b + 1) - start(4, b))});
      alone[5] = Tensor::fromVector<int32_t>({0, static_cast<int32_t>(start(5, b + 1) - start(5, b))});
      kernel.run(alone);
      EXPECT_TRUE(sameBits(expected, tensor(alone, 3))) << name << ", sequence " << b;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, AttentionInvariance, testing::ValuesIn(targetsHere()), [](const auto &info) {
  std::string text = info.param;
  for (char &c : text)
    if (c == ':' || c == '-') c = '_';
  return text;
});

/// The figures of another chip lead to other register tiles, vectors and instructions, but not to other sums.
TEST(Chips, AnotherChipGivesTheSameBits) {
  int compared = 0;
  for (const RowKernel &row : rowKernels()) {
    if (row.name == "gemm_bf16" || row.name == "gemm_bias_act") continue; // bf16 pairs have an order of their own
    const Example &example = find(row.name);
    Arguments own = example.arguments(row.sizes, 5), other = rowsOf(own, row, 0, row.sizes[0]);
    compile(example.program(), "cpu").run(own);
    for (const std::string &name : chips::cpuChipNames()) {
      chips::CpuChip chip = chips::cpuChipNamed(name);
      bool hasFma = chip.fma.perCycle > 0 && cpu::cpuIsa().hasFma; // without it, products are rounded before the sum
      if (chip.vectorBytes > cpu::cpuIsa().vectorBytes || (!hasFma && row.name.starts_with("gemm_f"))) continue;
      CompileOptions options;
      options.chip = name;
      compile(example.program(), "cpu", options).run(other);
      for (size_t output : row.outputs)
        EXPECT_TRUE(sameBits(tensor(own, output), tensor(other, output))) << row.name << " by the figures of " << name;
      ++compared;
    }
  }
  EXPECT_GT(compared, 5);
}

} // namespace
} // namespace tessera::examples
