// tile.cast between all scalar types in generated code, bit for bit as core/numbers.h, for every level of this machine.
#include "core/numbers.h"
#include "tilelang/cpu/test/compiled_program.h"
#include "tilelang/cpu/test/number_samples.h"
#include "tilelang/ir/test/interp_program.h"

#include <fmt/format.h>

namespace tessera::cpu {
namespace {

/// A rounding as the cast spells it; empty for the default.
struct Mode {
  std::string text;
  std::optional<Rounding> rounding;
  Saturate saturate;

  uint64_t apply(DType from, uint64_t bits, DType to) const {
    return convert(from, bits, to, rounding.value_or(defaultRounding(to)), saturate);
  }
};

/// What a cast between these types may be asked for. Saturation meets one rounding of each kind: to nearest, by sign,
/// and towards zero.
std::vector<Mode> modesOf(DType from, DType to) {
  std::vector<Mode> modes{{"", std::nullopt, Saturate::no}};
  if (to == DType::boolean || (!isFloat(from) && !isFloat(to))) return modes;
  for (auto [name, rounding] :
       {std::pair("rint", Rounding::rint), std::pair("floor", Rounding::floor), std::pair("ceil", Rounding::ceil),
        std::pair("round", Rounding::round), std::pair("trunc", Rounding::trunc), std::pair("odd", Rounding::odd)})
    if (rounding != defaultRounding(to)) modes.push_back({fmt::format("round <{}>", name), rounding, Saturate::no});
  if (!isFloat(to)) return modes;
  modes.push_back({"saturate", std::nullopt, Saturate::yes});
  modes.push_back({"round <floor> saturate", Rounding::floor, Saturate::yes});
  modes.push_back({"round <trunc> saturate", Rounding::trunc, Saturate::yes});
  return modes;
}

/// Casts each of `count` elements of %S in every mode, into one row of %D each; with vector code, or one by one.
std::string castProgram(DType from, DType to, const std::vector<Mode> &modes, size_t count, bool inLanes) {
  std::string src = fmt::format("memref<{}x{}, #g>", count, mlirType(from));
  std::string dst = fmt::format("memref<{}x{}x{}, #g>", modes.size(), count, mlirType(to));
  std::string flags =
      std::string(isUnsignedInteger(from) ? " from_unsigned" : "") + (isUnsignedInteger(to) ? " to_unsigned" : "");
  std::string body = fmt::format("%n = arith.constant {} : index\n", count);
  body += inLanes ? "tile.parallel (%i) in (%n) {\n" : "tile.for serial %i = %c0 to %n step %c1 {\n";
  body += fmt::format("%x = tile.load %S[%i] : {} -> {}\n", src, scalarType(from));
  for (size_t m = 0; m < modes.size(); ++m)
    body += fmt::format("%m{0} = arith.constant {0} : index\n%y{0} = tile.cast %x {1}{2} : {3} to {4}\n"
                        "tile.store %y{0}, %D[%m{0}, %i] : {4}, {5}\n",
                        m, modes[m].text, flags, scalarType(from), scalarType(to), dst);
  return kernelText(fmt::format("%S: {}, %D: {}", src, dst), body + "}\n");
}

class CastTest : public testing::TestWithParam<const CpuIsa *> {
protected:
  void expectExact(DType from, DType to, bool inLanes) {
    std::vector<Mode> modes = modesOf(from, to);
    std::vector<uint64_t> samples = sampleCodes(from, to);
    CompiledProgram program(Program::parse(castProgram(from, to, modes, samples.size(), inLanes)), *GetParam());
    auto count = static_cast<int64_t>(samples.size());
    EXPECT_THAT(program.undefinedSymbols(), testing::ElementsAre("tsr_launch")) << "conversions call no functions";
    Tensor src = tensorOfCodes(from, samples), dst = Tensor::empty(to, {static_cast<int64_t>(modes.size()), count});
    program.run(std::vector<Argument>{src, dst});
    std::vector<uint64_t> results = codesOf(dst);
    for (size_t m = 0; m < modes.size(); ++m)
      for (size_t i = 0; i < samples.size(); ++i) {
        uint64_t expected = modes[m].apply(from, samples[i], to), actual = results[m * samples.size() + i];
        ASSERT_EQ(actual, expected) << fmt::format("{} of type {} to {} {}{}: {:#x} but expected {:#x}",
                                                   decode(from, samples[i]), name(from), name(to), modes[m].text,
                                                   inLanes ? "" : ", one by one", actual, expected);
      }
  }
};

TEST_P(CastTest, EveryPairInLanes) {
  for (DType from : kScalarTypes)
    for (DType to : kScalarTypes)
      if (from != to) expectExact(from, to, true);
}

TEST_P(CastTest, OneByOne) {
  for (DType from : {DType::i32, DType::u64, DType::bf16, DType::f16, DType::f32, DType::f64, DType::e4m3})
    for (DType to :
         {DType::boolean, DType::i8, DType::u32, DType::f16, DType::bf16, DType::f32, DType::e5m2, DType::e8m0})
      if (from != to) expectExact(from, to, false);
}

INSTANTIATE_TEST_SUITE_P(Levels, CastTest, testing::ValuesIn(levelsThatRunHere()),
                         [](const auto &info) { return levelTestName(*info.param); });

} // namespace
} // namespace tessera::cpu
