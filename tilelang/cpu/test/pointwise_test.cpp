// Scalar operations in generated code against the reference interpreter, bit for bit, for every level of this machine.
#include "core/numbers.h"
#include "tilelang/cpu/test/compiled_program.h"
#include "tilelang/cpu/test/number_samples.h"
#include "tilelang/ir/test/interp_program.h"

#include <cmath>
#include <fmt/format.h>

namespace tessera::cpu {
namespace {

/// How to compute a value from %a, %b and %c: statements that set %t and %u, and on the last line an expression.
/// `{t}` is the type of the operands, and of the value unless that is i1.
struct Operation {
  std::string text;
  bool isPredicate = false;
};

const std::vector<Operation> kIntegerOperations = {{"arith.addi %a, %b : {t}"},
                                                   {"arith.subi %a, %b : {t}"},
                                                   {"arith.muli %a, %b : {t}"},
                                                   {"arith.divsi %a, %b : {t}"},
                                                   {"arith.divui %a, %b : {t}"},
                                                   {"arith.remsi %a, %b : {t}"},
                                                   {"arith.remui %a, %b : {t}"},
                                                   {"arith.floordivsi %a, %b : {t}"},
                                                   {"arith.ceildivsi %a, %b : {t}"},
                                                   {"arith.ceildivui %a, %b : {t}"},
                                                   {"arith.andi %a, %b : {t}"},
                                                   {"arith.ori %a, %b : {t}"},
                                                   {"arith.xori %a, %b : {t}"},
                                                   {"arith.shli %a, %b : {t}"},
                                                   {"arith.shrui %a, %b : {t}"},
                                                   {"arith.shrsi %a, %b : {t}"},
                                                   {"arith.maxsi %a, %b : {t}"},
                                                   {"arith.maxui %a, %b : {t}"},
                                                   {"arith.minsi %a, %b : {t}"},
                                                   {"arith.minui %a, %b : {t}"},
                                                   {"math.absi %a : {t}"},
                                                   {"math.ctpop %a : {t}"},
                                                   {"math.ctlz %a : {t}"},
                                                   {"math.cttz %a : {t}"},
                                                   {"math.ipowi %a, %b : {t}"},
                                                   {"arith.cmpi slt, %a, %b : {t}", true},
                                                   {"arith.cmpi uge, %a, %b : {t}", true},
                                                   {"arith.cmpi eq, %a, %b : {t}", true}};

const std::vector<Operation> kRealOperations = {{"arith.addf %a, %b : {t}"},
                                                {"arith.subf %a, %b : {t}"},
                                                {"arith.mulf %a, %b : {t}"},
                                                {"arith.divf %a, %b : {t}"},
                                                {"arith.remf %a, %b : {t}"},
                                                {"arith.maximumf %a, %b : {t}"},
                                                {"arith.minimumf %a, %b : {t}"},
                                                {"arith.maxnumf %a, %b : {t}"},
                                                {"arith.minnumf %a, %b : {t}"},
                                                {"arith.negf %a : {t}"},
                                                {"math.absf %a : {t}"},
                                                {"math.copysign %a, %b : {t}"},
                                                {"math.fma %a, %b, %c : {t}"},
                                                {"math.sqrt %a : {t}"},
                                                {"math.floor %a : {t}"},
                                                {"math.ceil %a : {t}"},
                                                {"math.trunc %a : {t}"},
                                                {"math.round %a : {t}"},
                                                {"math.roundeven %a : {t}"},
                                                {"math.clampf %a to [%b, %c] : {t}"},
                                                {"tile.nextafter %a, %b : {t}"},
                                                {"arith.cmpf olt, %a, %b : {t}", true},
                                                {"arith.cmpf une, %a, %b : {t}", true},
                                                {"arith.cmpf ueq, %a, %b : {t}", true},
                                                {"arith.cmpf ord, %a, %b : {t}", true},
                                                {"math.isnan %a : {t}", true},
                                                {"math.isinf %a : {t}", true},
                                                {"math.isfinite %a : {t}", true},
                                                {"math.isnormal %a : {t}", true}};

/// With a divisor, exponent or amount that is a constant.
const std::vector<Operation> kIntegerOperationsWithConstants = [] {
  std::vector<Operation> list;
  for (std::string_view op : {"arith.divsi", "arith.remsi", "arith.floordivsi", "arith.ceildivsi", "arith.divui",
                              "arith.remui", "arith.ceildivui", "arith.shli", "arith.shrsi", "arith.shrui"})
    for (int constant : {0, 1, -1, 7, 8, -3, 33})
      list.push_back({fmt::format("%t = arith.constant {} : {{t}}\n{} %a, %t : {{t}}", constant, op)});
  return list;
}();

/// Both results of the operations that have two: the second is folded into the first.
const std::vector<Operation> kPairs = {
    {"%t, %u = arith.addui_extended %a, %b : {t}, i1\narith.select %u, %c, %t : {t}"},
    {"%t, %u = arith.mulsi_extended %a, %b : {t}\narith.xori %t, %u : {t}"},
    {"%t, %u = arith.mului_extended %a, %b : {t}\narith.subi %t, %u : {t}"}};

/// Integers of 32 bits through other types and back.
const std::vector<Operation> kIntegerConversions = {
    {"%t = arith.trunci %a : i32 to i8\narith.extsi %t : i8 to i32"},
    {"%t = arith.trunci %a : i32 to i8\narith.extui %t : i8 to i32"},
    {"%t = arith.extui %a : i32 to i64\n%u = arith.muli %t, %t : i64\narith.trunci %u : i64 to i32"},
    {"arith.trunci %a : i32 to i1", true},
    {"%t = arith.trunci %a : i32 to i1\narith.extsi %t : i1 to i32"},
    {"%t = arith.index_cast %a : i32 to index\n%u = arith.floordivsi %t, %c7 : index\narith.index_cast %u : index to "
     "i32"},
    {"%t = arith.index_castui %a : i32 to index\n%u = arith.divui %t, %c7 : index\narith.index_cast %u : index to i32"},
    {"%t = arith.index_cast %a : i32 to index\n%u = math.ctlz %t : index\narith.index_cast %u : index to i32"},
    {"%t = arith.bitcast %a : i32 to f32\n%u = arith.negf %t : f32\narith.bitcast %u : f32 to i32"},
    {"%t = arith.sitofp %a : i32 to bf16\narith.fptosi %t : bf16 to i32"},
    {"%t = arith.uitofp %a : i32 to bf16\narith.fptoui %t : bf16 to i32"},
    {"%t = arith.sitofp %a : i32 to f16\narith.fptoui %t : f16 to i32"},
    {"%t = arith.sitofp %a : i32 to f32\n%u = arith.bitcast %t : f32 to i32\narith.addi %u, %b : i32"},
    {"%t = arith.uitofp %a : i32 to f64\narith.fptosi %t : f64 to i32"}};

/// f32 through other types and back; 8-bit floats are compared and selected, and their signs are changed.
const std::vector<Operation> kRealConversions = {
    {"%t = arith.truncf %a : f32 to bf16\narith.extf %t : bf16 to f32"},
    {"%t = arith.truncf %a upward : f32 to bf16\narith.extf %t : bf16 to f32"},
    {"%t = arith.truncf %a downward : f32 to f16\narith.extf %t : f16 to f32"},
    {"%t = arith.truncf %a toward_zero : f32 to f8E5M2\narith.extf %t : f8E5M2 to f32"},
    {"%t = arith.truncf %a to_nearest_away : f32 to f8E4M3FN\narith.extf %t : f8E4M3FN to f32"},
    {"%t = arith.truncf %a : f32 to f8E4M3FN\n%u = arith.negf %t : f8E4M3FN\narith.extf %u : f8E4M3FN to f32"},
    {"%t = tile.cast %a saturate : f32 to f8E5M2\n%u = arith.bitcast %t : f8E5M2 to i8\narith.sitofp %u : i8 to f32"},
    {"%t = tile.cast %a : f32 to f8E4M3FN\n%u = tile.cast %b : f32 to f8E4M3FN\narith.cmpf olt, %t, %u : f8E4M3FN",
     true},
    {"%t = tile.cast %a : f32 to f8E8M0FNU\n%u = tile.cast %b : f32 to f8E8M0FNU\narith.cmpf uge, %t, %u : f8E8M0FNU",
     true},
    {"%t = arith.extf %a : f32 to f64\n%u = arith.mulf %t, %t : f64\narith.truncf %u : f64 to f32"}};

const std::vector<Operation> kRealOperationsWithIntegers = {
    {"%t = tile.cast %b : {t} to i32\ntile.ldexp %a, %t : {t}, i32"},
    {"%t = arith.constant -160 : i32\ntile.ldexp %a, %t : {t}, i32"},
    {"%t = arith.constant -1075 : i32\ntile.ldexp %a, %t : {t}, i32"},
    {"%t = arith.constant 2098 : i32\ntile.ldexp %a, %t : {t}, i32"},
    {"%t = arith.cmpf olt, %a, %b : {t}\narith.select %t, %b, %c : {t}"},
    {"%t = arith.constant 0.0 : {t}\narith.maxnumf %a, %t : {t}"},
    {"%t = arith.constant 0.1 : {t}\narith.addf %a, %t : {t}"}};

/// The statements for %r<number>.
std::string statements(const Operation &operation, size_t number, const std::string &type) {
  std::string text = operation.text;
  auto replaceAll = [&](const std::string &what, const std::string &by) {
    for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
      text.replace(at, what.size(), by);
  };
  text.insert(text.find_last_of('\n') + 1, "%r = "); // npos + 1 is 0
  replaceAll("{t}", type);
  for (std::string name : {"%t", "%u", "%r"}) {
    replaceAll(name + " ", name + std::to_string(number) + " ");
    replaceAll(name + ",", name + std::to_string(number) + ",");
  }
  return text;
}

/// Triples of operands: all pairs of edge cases with a third that runs through them, and random ones.
struct Operands {
  std::vector<uint64_t> a, b, c;
};
Operands operandsOf(DType type) {
  std::vector<uint64_t> edges = edgeCodes(type), random = randomCodes(type, 900);
  Operands o;
  for (size_t i = 0; i < edges.size(); ++i)
    for (size_t j = 0; j < edges.size(); ++j) {
      o.a.push_back(edges[i]);
      o.b.push_back(edges[j]);
      o.c.push_back(edges[(i * 7 + j * 3) % edges.size()]);
    }
  for (size_t i = 0; i + 2 < random.size(); i += 3) {
    o.a.push_back(random[i]);
    o.b.push_back(random[i + 1]);
    o.c.push_back(random[i + 2]);
  }
  return o;
}

/// Runs programs of one level and of the interpreter on the same tensors.
class PointwiseTest : public testing::TestWithParam<const CpuIsa *> {
protected:
  /// Each operation on all operands into one row of %P (predicates) or %R each.
  static std::string program(DType type, const std::vector<Operation> &operations, size_t count, bool inLanes) {
    std::string src = fmt::format("memref<{}x{}, #g>", count, mlirType(type));
    std::string values = fmt::format("memref<{}x{}x{}, #g>", operations.size(), count, mlirType(type));
    std::string bits = fmt::format("memref<{}x{}xi1, #g>", operations.size(), count);
    std::string body = fmt::format("%n = arith.constant {} : index\n", count);
    body += inLanes ? "tile.parallel (%i) in (%n) {\n" : "tile.for serial %i = %c0 to %n step %c1 {\n";
    for (std::string_view operand : {"a", "b", "c"})
      body += fmt::format("%{0} = tile.load %in_{0}[%i] : {1} -> {2}\n", operand, src, scalarType(type));
    for (size_t m = 0; m < operations.size(); ++m) {
      bool isPredicate = operations[m].isPredicate;
      body += fmt::format("%m{0} = arith.constant {0} : index\n{1}\ntile.store %r{0}, %{2}[%m{0}, %i] : {3}, {4}\n", m,
                          statements(operations[m], m, scalarType(type)), isPredicate ? "P" : "R",
                          isPredicate ? "i1" : scalarType(type), isPredicate ? bits : values);
    }
    return kernelText(fmt::format("%in_a: {0}, %in_b: {0}, %in_c: {0}, %R: {1}, %P: {2}", src, values, bits),
                      body + "}\n");
  }

  void expectAsInterpreted(DType type, const std::vector<Operation> &operations, bool inLanes = true) {
    Operands operands = operandsOf(type);
    auto rows = static_cast<int64_t>(operations.size()), count = static_cast<int64_t>(operands.a.size());
    Program source = Program::parse(program(type, operations, operands.a.size(), inLanes));
    std::vector<Argument> arguments;
    for (const auto *codes : {&operands.a, &operands.b, &operands.c})
      arguments.emplace_back(tensorOfCodes(type, *codes));
    auto run = [&](auto execute) {
      Tensor values = Tensor::zeros(type, {rows, count}), bits = Tensor::zeros(DType::boolean, {rows, count});
      std::vector<Argument> all = arguments;
      all.insert(all.end(), {values, bits});
      execute(all);
      return std::pair(codesOf(values), codesOf(bits));
    };
    auto expected = run([&](auto &all) { interpret(source, all); });
    auto actual = run([&](auto &all) { CompiledProgram(source, *GetParam()).run(all); });
    for (int64_t m = 0; m < rows; ++m)
      for (int64_t i = 0; i < count; ++i) {
        auto at = static_cast<size_t>(m * count + i), j = static_cast<size_t>(i);
        auto operation = [&] {
          return fmt::format("{} of {}, {}, {} in {}", operations[static_cast<size_t>(m)].text,
                             decode(type, operands.a[j]), decode(type, operands.b[j]), decode(type, operands.c[j]),
                             name(type));
        };
        ASSERT_TRUE(sameNumber(type, actual.first[at], expected.first[at]))
            << operation() << fmt::format(": {:#x} but expected {:#x}", actual.first[at], expected.first[at]);
        ASSERT_EQ(actual.second[at], expected.second[at]) << operation();
      }
  }
};

TEST_P(PointwiseTest, Integers) {
  for (DType type : {DType::i8, DType::i16, DType::i32, DType::i64}) expectAsInterpreted(type, kIntegerOperations);
}

TEST_P(PointwiseTest, Reals) {
  for (DType type : {DType::f16, DType::bf16, DType::f32, DType::f64}) expectAsInterpreted(type, kRealOperations);
}

TEST_P(PointwiseTest, ConstantOperands) {
  for (DType type : {DType::i8, DType::i32, DType::i64}) expectAsInterpreted(type, kIntegerOperationsWithConstants);
}

TEST_P(PointwiseTest, TwoResults) {
  for (DType type : {DType::i8, DType::i32, DType::i64}) expectAsInterpreted(type, kPairs);
}

TEST_P(PointwiseTest, Conversions) {
  expectAsInterpreted(DType::i32, kIntegerConversions);
  expectAsInterpreted(DType::f32, kRealConversions);
}

TEST_P(PointwiseTest, RealsWithIntegers) {
  for (DType type : {DType::f16, DType::bf16, DType::f32, DType::f64})
    expectAsInterpreted(type, kRealOperationsWithIntegers);
}

TEST_P(PointwiseTest, OneByOne) {
  expectAsInterpreted(DType::i32, kIntegerOperations, false);
  expectAsInterpreted(DType::bf16, kRealOperations, false);
  expectAsInterpreted(DType::f32, kRealOperations, false);
}

INSTANTIATE_TEST_SUITE_P(Levels, PointwiseTest, testing::ValuesIn(levelsThatRunHere()),
                         [](const auto &info) { return levelTestName(*info.param); });

} // namespace
} // namespace tessera::cpu
