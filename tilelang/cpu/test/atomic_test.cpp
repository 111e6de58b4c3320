// tile.atomic and tile.atomic_tile in generated code against the reference interpreter, bit for bit, for every level of
// this machine.
#include "tilelang/cpu/test/compiled_program.h"
#include "tilelang/cpu/test/number_samples.h"
#include "tilelang/ir/test/interp_program.h"

#include <fmt/format.h>

namespace tessera::cpu {
namespace {

class AtomicTest : public testing::TestWithParam<const CpuIsa *> {
protected:
  /// Runs a kernel on elements %x and on what it updates, %d; the old values go to %o.
  void expectAsInterpreted(DType type, const std::string &body) {
    std::vector<uint64_t> values = edgeCodes(type), before;
    for (size_t i = 0; i < values.size(); ++i) before.push_back(values[(i * 7 + 3) % values.size()]);
    std::string memref = fmt::format("memref<{}x{}, #g>", values.size(), mlirType(type)), text = body;
    auto replaceAll = [&](std::string_view what, const std::string &by) {
      for (size_t at; (at = text.find(what)) != std::string::npos;) text.replace(at, what.size(), by);
    };
    replaceAll("{m}", memref);
    replaceAll("{t}", scalarType(type));
    std::string program = kernelText(fmt::format("%x: {0}, %d: {0}, %o: {0}", memref),
                                     fmt::format("%n = arith.constant {} : index\n", values.size()) + text);
    Program source = Program::parse(program);
    auto run = [&](auto execute) {
      std::vector<Argument> arguments{tensorOfCodes(type, values), tensorOfCodes(type, before),
                                      tensorOfCodes(type, before)};
      execute(arguments);
      std::vector<uint64_t> codes = codesOf(std::get<Tensor>(arguments[1]));
      std::vector<uint64_t> old = codesOf(std::get<Tensor>(arguments[2]));
      codes.insert(codes.end(), old.begin(), old.end());
      return codes;
    };
    std::vector<uint64_t> expected = run([&](auto &arguments) { interpret(source, arguments); });
    std::vector<uint64_t> actual = run([&](auto &arguments) { CompiledProgram(source, *GetParam()).run(arguments); });
    for (size_t i = 0; i < expected.size(); ++i)
      ASSERT_TRUE(sameNumber(type, actual[i], expected[i]))
          << fmt::format("element {} of {}: {:#x} but expected {:#x}\n{}", i, name(type), actual[i], expected[i], text);
  }
};

constexpr DType kTypes[] = {DType::i8,  DType::u8,   DType::i32, DType::u64,
                            DType::f16, DType::bf16, DType::f32, DType::f64};

TEST_P(AtomicTest, ElementsInLanesAndOneByOne) {
  for (DType type : kTypes)
    for (std::string_view kind : {"add", "max", "min"})
      for (std::string_view loop : {"tile.parallel (%i) in (%n)", "tile.for serial %i = %c0 to %n step %c1"})
        expectAsInterpreted(type, fmt::format("{} {{\n%v = tile.load %x[%i] : {{m}} -> {{t}}\n"
                                              "%old = tile.atomic {} %v, %d[%i] : {{t}}, {{m}}\n"
                                              "tile.store %old, %o[%i] : {{t}}, {{m}}\n}}",
                                              loop, kind));
}

TEST_P(AtomicTest, Tiles) {
  for (DType type : kTypes)
    for (std::string_view kind : {"add", "max", "min"})
      expectAsInterpreted(type, fmt::format("tile.atomic_tile {} %x, %d : {{m}}, {{m}}", kind));
}

/// Points run in row-major order, whichever loop the lanes take.
TEST_P(AtomicTest, SumsOfManyPointsInOneElement) {
  for (DType type : {DType::bf16, DType::f32})
    for (std::string_view point : {"%i", "%j"})
      expectAsInterpreted(type, fmt::format("tile.parallel (%i, %j) in (%n, %n) {{\n"
                                            "%v = tile.load %x[{}] : {{m}} -> {{t}}\n%p = math.absf %v : {{t}}\n"
                                            "%most = arith.constant 3.3 : {{t}}\n%w = arith.minnumf %p, %most : {{t}}\n"
                                            "%old = tile.atomic add %w, %d[%c0] : {{t}}, {{m}}\n}}",
                                            point));
}

INSTANTIATE_TEST_SUITE_P(Levels, AtomicTest, testing::ValuesIn(levelsThatRunHere()),
                         [](const auto &info) { return levelTestName(*info.param); });

} // namespace
} // namespace tessera::cpu
