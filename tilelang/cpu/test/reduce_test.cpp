// tile.reduce and tile.scan in generated code against the reference interpreter, bit for bit, for every level of this
// machine.
#include "core/numbers.h"
#include "tilelang/cpu/test/compiled_program.h"
#include "tilelang/cpu/test/number_samples.h"
#include "tilelang/ir/test/interp_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera::cpu {
namespace {

using Extents = Tensor::Extents;

std::string memref(DType type, const Extents &shape) {
  return fmt::format("memref<{}{}{}, #g>", fmt::join(shape, "x"), shape.empty() ? "" : "x", mlirType(type));
}
/// The same with run-time extents.
std::string dynamicMemref(DType type, const Extents &shape) {
  std::string text = "memref<";
  for (size_t d = 0; d < shape.size(); ++d) text += "?x";
  return text + mlirType(type) + ", #g>";
}

/// One statement: what it computes, and the type of its result.
struct Statement {
  std::string text; ///< kind and flags
  DType to;
};

bool isLogical(std::string_view kind) { return kind == "any" || kind == "all"; }
bool isExtreme(std::string_view kind) { return kind == "max" || kind == "min" || kind == "absmax"; }

std::vector<std::string> kindsOf(DType type) {
  if (type == DType::boolean) return {"any", "all", "bitand", "bitor", "bitxor"};
  std::vector<std::string> kinds{"sum", "max", "min", "absmax", "abssum", "any", "all"};
  if (isInteger(type)) kinds.insert(kinds.end(), {"bitand", "bitor", "bitxor"});
  return kinds;
}

/// Types in which a sum of this type may be kept.
std::vector<DType> sumTypes(DType type) {
  switch (type) {
  case DType::bf16: return {DType::bf16, DType::f32, DType::f64};
  case DType::e4m3: return {DType::e4m3, DType::f16, DType::f32};
  case DType::f32: return {DType::f32, DType::f64};
  case DType::i8: return {DType::i8, DType::i32};
  case DType::u8: return {DType::u8, DType::i32, DType::u64};
  default: return {type};
  }
}

/// Every reduction of elements of a type, with every flag; `%x` and `%d` stand for the tiles.
std::vector<Statement> reductionsOf(DType type) {
  std::vector<Statement> list;
  for (const std::string &kind : kindsOf(type)) {
    bool isSum = kind == "sum" || kind == "abssum";
    for (DType to : isSum ? sumTypes(type) : std::vector{isLogical(kind) ? DType::boolean : type})
      for (std::string_view accumulate : {"", " accumulate"})
        for (std::string_view nan : {"", " nan"})
          if (nan.empty() || isExtreme(kind))
            list.push_back({fmt::format("tile.reduce {} %x, %d{}{}", kind, accumulate, nan), to});
  }
  return list;
}

std::vector<Statement> scansOf(DType type) {
  std::vector<Statement> list;
  for (std::string_view kind : {"sum", "max"})
    for (std::string_view reverse : {"", " reverse"})
      list.push_back({fmt::format("tile.scan {} %x, %d{}", kind, reverse), type});
  return list;
}

Extents without(Extents shape, size_t axis) {
  shape.erase(shape.begin() + static_cast<ptrdiff_t>(axis));
  return shape;
}
Extents withOne(Extents shape, size_t axis) {
  shape[axis] = 1;
  return shape;
}

int64_t product(const Extents &shape) {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

/// Sums and maxima alone.
std::vector<Statement> plainReductionsOf(DType type) {
  return {{"tile.reduce sum %x, %d", type}, {"tile.reduce max %x, %d", type}};
}

class ReduceTest : public testing::TestWithParam<const CpuIsa *> {
protected:
  static Tensor samples(DType type, const Extents &shape, size_t from) {
    std::vector<uint64_t> pool = randomCodes(type, 311), edges = edgeCodes(type), codes;
    if (type == DType::boolean) pool = edges = sampleCodes(type, type);
    // Runs of ordinary numbers with an edge case here and there, so that NaN does not drown everything.
    for (size_t i = from; codes.size() < static_cast<size_t>(product(shape)); ++i)
      codes.push_back(i % 23 == 5 ? edges[i % edges.size()] : pool[i * 7 % pool.size()]);
    return tensorOfCodes(type, codes).reshape(shape);
  }

  /// Runs all statements on one source, each into its own destination.
  void expectAsInterpreted(DType type, const Extents &shape, size_t axis, const Extents &result,
                           const std::vector<Statement> &statements, bool isDynamic = false) {
    auto typeText = [&](DType t, const Extents &s) { return isDynamic ? dynamicMemref(t, s) : memref(t, s); };
    std::string parameters = "%x: " + typeText(type, shape), body;
    std::vector<Tensor> expected{samples(type, shape, axis)};
    for (size_t n = 0; n < statements.size(); ++n) {
      const Statement &statement = statements[n];
      std::string dst = typeText(statement.to, result), text = statement.text;
      text.insert(text.find("%d") + 2, std::to_string(n));
      parameters += fmt::format(", %d{}: {}", n, dst);
      body += fmt::format("{} {{dim = {} : i64}} : {}, {}\n", text, axis, typeText(type, shape), dst);
      expected.push_back(samples(statement.to, result, n));
    }
    std::vector<Tensor> actual;
    for (const Tensor &tensor : expected) actual.push_back(tensor.clone());
    Program source = Program::parse(kernelText(parameters, body));
    interpret(source, std::vector<Argument>(expected.begin(), expected.end()));
    CompiledProgram(source, *GetParam()).run(std::vector<Argument>(actual.begin(), actual.end()));
    for (size_t n = 0; n < statements.size(); ++n) {
      std::vector<uint64_t> a = codesOf(actual[n + 1]), b = codesOf(expected[n + 1]);
      for (size_t i = 0; i < a.size(); ++i)
        ASSERT_TRUE(sameNumber(statements[n].to, a[i], b[i])) << fmt::format(
            "{} of {} [{}] over {} to {} [{}], element {}: {:#x} but expected {:#x}", statements[n].text, name(type),
            fmt::join(shape, ", "), axis, name(statements[n].to), fmt::join(result, ", "), i, a[i], b[i]);
    }
  }

  using List = std::vector<Statement> (*)(DType);
  void expectReductions(DType type, const Extents &shape, List list = reductionsOf, bool isDynamic = false) {
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      bool keepsAxis = axis % 2 == 1;
      expectAsInterpreted(type, shape, axis, keepsAxis ? withOne(shape, axis) : without(shape, axis), list(type),
                          isDynamic);
    }
  }

  /// The same bits, or NaN on both sides.
  static void expectSame(const Tensor &actual, const Tensor &expected, const std::string &body) {
    std::vector<uint64_t> a = codesOf(actual), b = codesOf(expected);
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i)
      EXPECT_TRUE(sameNumber(expected.dtype(), a[i], b[i]))
          << fmt::format("element {}: {:#x} but expected {:#x}\n{}", i, a[i], b[i], body);
  }

  /// Runs a kernel on a tensor %x of f32 and a tensor %d.
  void expectAsInterpreted(const std::string &parameters, const std::string &body, const Tensor &x, const Tensor &d) {
    Program source = Program::parse(kernelText(parameters, body));
    auto copied = [](const Tensor &t) { return t.isContiguous() ? t.clone() : t; }; // a copy would be dense
    Tensor expected = d.clone(), actual = d.clone(), expectedX = copied(x), actualX = copied(x);
    interpret(source, std::vector<Argument>{expectedX, expected});
    CompiledProgram(source, *GetParam()).run(std::vector<Argument>{actualX, actual});
    expectSame(actual, expected, body);
    expectSame(actualX, expectedX, body);
  }
};

TEST_P(ReduceTest, EveryTypeOverBothAxes) {
  for (DType type : kScalarTypes)
    if (type != DType::e8m0) expectReductions(type, {5, 37});
}

TEST_P(ReduceTest, LengthsAroundTheLanes) {
  for (int64_t n : {1, 2, 15, 16, 17, 32, 33, 129}) {
    expectReductions(DType::f32, {n}, plainReductionsOf);
    expectReductions(DType::bf16, {3, n}, plainReductionsOf);
  }
  expectAsInterpreted(DType::f32, {40}, 0, {1}, reductionsOf(DType::f32));
}

TEST_P(ReduceTest, HigherRanksAndRunTimeExtents) {
  for (bool isDynamic : {false, true}) {
    expectReductions(DType::f32, {2, 3, 19}, reductionsOf, isDynamic);
    expectReductions(DType::i16, {2, 2, 3, 17}, plainReductionsOf, isDynamic);
    expectReductions(DType::f16, {4, 1}, plainReductionsOf, isDynamic);
  }
}

/// Elements outside count as 0, rows outside are not written, and gaps between elements stay as they are.
TEST_P(ReduceTest, WindowsThatHangOver) {
  Tensor x = samples(DType::f32, {6, 20}, 0);
  for (auto [axis, extent] : {std::pair(1, 6), std::pair(0, 30)})
    for (std::string_view kind : {"sum", "max", "min"})
      expectAsInterpreted(
          "%x: memref<6x20xf32, #g>, %d: memref<?xf32, #g>",
          fmt::format("%w = tile.region %x[%c2, %c7] [6, 30] : memref<6x20xf32, #g> -> <6x30xf32, #g>\n"
                      "%v = tile.region %d[%c1] [{0}] : memref<?xf32, #g> -> <{0}xf32, #g>\n"
                      "tile.reduce {1} %w, %v accumulate {{dim = {2} : i64}} : !tile.region<6x30xf32, #g>, "
                      "!tile.region<{0}xf32, #g>",
                      extent, kind, axis),
          x, samples(DType::f32, {extent - 1}, 3));
}

/// Also where element accesses outside are to fail.
TEST_P(ReduceTest, WindowsThatHangOverAreNotTrapped) {
  for (std::string_view statement :
       {"tile.reduce sum %w, %v {dim = 1 : i64} : !tile.region<6x30xf32, #g>, memref<6xf32, #g>",
        "tile.scan sum %w, %w {dim = 1 : i64} : !tile.region<6x30xf32, #g>, "
        "!tile.region<6x30xf32, #g>"}) {
    std::string body = "%w = tile.region %x[%c0, %c7] [6, 30] : memref<6x20xf32, #g> -> <6x30xf32, #g>\n";
    Program source = Program::parse(kernelText("%x: memref<6x20xf32, #g> {tile.name = \"X\"}, %v: memref<6xf32, #g>",
                                               body + std::string(statement)));
    std::vector<Argument> arguments{Tensor::zeros(DType::f32, {6, 20}), Tensor::zeros(DType::f32, {6})};
    EXPECT_NO_THROW(CompiledProgram(source, *GetParam(), true).run(arguments));
  }
}

TEST_P(ReduceTest, Strides) {
  Tensor x = samples(DType::f32, {40, 7}, 0).transpose(0, 1); // columns lie apart
  std::string strided = "memref<7x40xf32, strided<[?, ?], offset: 0>, #g>";
  for (int axis : {0, 1})
    for (std::string_view statement : {"tile.reduce sum", "tile.reduce max"}) {
      std::string dst = axis == 0 ? "memref<40xf32, #g>" : "memref<7xf32, #g>";
      expectAsInterpreted("%x: " + strided + ", %d: " + dst,
                          fmt::format("{} %x, %d {{dim = {} : i64}} : {}, {}", statement, axis, strided, dst), x,
                          samples(DType::f32, {axis == 0 ? 40 : 7}, 1));
    }
}

TEST_P(ReduceTest, ScanOfAColumnWindowInPlace) {
  for (std::string_view kind : {"sum", "max"})
    expectAsInterpreted("%x: memref<4x8xf32, #g>, %d: memref<1xf32, #g>",
                        fmt::format("%w = tile.region %x[0, 0] [4, 6] : memref<4x8xf32, #g> -> <4x6xf32, #g>\n"
                                    "tile.scan {} %w, %w {{dim = 1 : i64}} : !tile.region<4x6xf32, #g>, "
                                    "!tile.region<4x6xf32, #g>",
                                    kind),
                        samples(DType::f32, {4, 8}, 2), samples(DType::f32, {1}, 0));
}

TEST_P(ReduceTest, ScansOfEveryType) {
  for (DType type : kScalarTypes)
    if (type != DType::e8m0 && type != DType::boolean)
      for (size_t axis : {0, 1}) expectAsInterpreted(type, {5, 37}, axis, {5, 37}, scansOf(type), axis == 1);
  for (size_t axis : {0, 1, 2}) expectAsInterpreted(DType::f32, {2, 3, 19}, axis, {2, 3, 19}, scansOf(DType::f32));
}

INSTANTIATE_TEST_SUITE_P(Levels, ReduceTest, testing::ValuesIn(levelsThatRunHere()),
                         [](const auto &info) { return levelTestName(*info.param); });

} // namespace
} // namespace tessera::cpu
