// Grids, loops, conditions and variables on the reference interpreter.
#include "tilelang/ir/test/interp_program.h"

#include <limits>

namespace tessera {
namespace {

using testing::Each;
using testing::ElementsAre;

/// A counter per index, raised by one wherever `%i` gets.
std::string visit(const std::string &index) {
  return "%old" + index + " = tile.atomic add %one, %A[%" + index + "] : i32, memref<?xi32, #g>\n";
}

std::vector<double> visits(const std::string &body, const std::vector<Argument> &more = {}, int64_t size = 8,
                           const std::string &parameters = "") {
  Tensor counts = Tensor::zeros(DType::i32, {size});
  std::vector<Argument> arguments{counts};
  arguments.insert(arguments.end(), more.begin(), more.end());
  runText(functionText("%A: memref<?xi32, #g>" + parameters, "%one = arith.constant 1 : i32\n" + body), arguments);
  return elements(counts);
}

TEST(InterpKernel, RunsBlocksInOrderOfTheirIndex) {
  // Each block appends its linear index to a list.
  std::string text = functionText("%A: memref<?xi32, #g>, %n: memref<1xi32, #g>", R"(
    tile.kernel (%x, %y, %z) in (%c2, %c3, %c2) {
      %one = arith.constant 1 : i32
      %at32 = tile.atomic add %one, %n[%c0] : i32, memref<1xi32, #g>
      %at = arith.index_cast %at32 : i32 to index
      %yz = arith.muli %z, %c3 : index
      %row = arith.addi %yz, %y : index
      %two = arith.muli %row, %c2 : index
      %linear = arith.addi %two, %x : index
      %value = arith.index_cast %linear : index to i32
      tile.store %value, %A[%at] : i32, memref<?xi32, #g>
    })");
  Tensor order = tensorOf(DType::i32, std::vector<double>(13, -1));
  runText(text, {order, Tensor::zeros(DType::i32, {1})});
  EXPECT_THAT(elements(order), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, -1));
}

TEST(InterpKernel, EmptyGridsRunNothing) {
  auto run = [](int64_t n) { return visits("tile.kernel (%x) in (%n) {\n" + visit("x") + "}", {n}, 4, ", %n: index"); };
  EXPECT_THAT(run(0), Each(0));
  EXPECT_THAT(run(-3), Each(0));
  EXPECT_THAT(run(3), ElementsAre(1, 1, 1, 0));
}

TEST(InterpKernel, BlocksHaveBuffersOfTheirOwn) {
  std::string text = functionText("%A: memref<?xf32, #g>", R"(
    tile.kernel (%x) in (%c2) {
      %t = tile.alloc "t" : memref<1xf32, #s>
      %old = tile.load %t[%c0] : memref<1xf32, #s> -> f32
      tile.store %old, %A[%x] : f32, memref<?xf32, #g>
      %one = arith.constant 1.0 : f32
      tile.fill %one, %t : f32, memref<1xf32, #s>
    })");
  Tensor a = Tensor::zeros(DType::f32, {2});
  runText(text, {a});
  EXPECT_THAT(elements(a), Each(testing::IsNan()));
}

std::vector<double> forVisits(int64_t lower, int64_t upper, int64_t step, const std::string &kind = "serial") {
  return visits("tile.kernel (%bx) in (%c1) {\ntile.for " + kind + " %i = %lo to %up step %st {\n" + visit("i") +
                    "}\n}",
                {lower, upper, step}, 8, ", %lo: index, %up: index, %st: index");
}

TEST(InterpFor, CountsUpDownAndWithSteps) {
  EXPECT_THAT(forVisits(1, 7, 2), ElementsAre(0, 1, 0, 1, 0, 1, 0, 0));
  EXPECT_THAT(forVisits(0, 6, 2, "unroll"), ElementsAre(1, 0, 1, 0, 1, 0, 0, 0));
  EXPECT_THAT(forVisits(0, 5, 2, "vectorize"), ElementsAre(1, 0, 1, 0, 1, 0, 0, 0));
  EXPECT_THAT(forVisits(6, 0, -2, "pipelined"), ElementsAre(0, 0, 1, 0, 1, 0, 1, 0));
  EXPECT_THAT(forVisits(3, 3, 1, "persistent"), Each(0));
  EXPECT_THAT(forVisits(5, 3, 1), Each(0));
  EXPECT_THAT(forVisits(3, 5, -1), Each(0));
}

TEST(InterpFor, EndsWhereTheCounterWouldOverflow) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max(), kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_THAT(forVisits(2, kMost, kMost), ElementsAre(0, 0, 1, 0, 0, 0, 0, 0));
  EXPECT_THAT(forVisits(2, kLeast, kLeast), ElementsAre(0, 0, 1, 0, 0, 0, 0, 0));
}

TEST(InterpFor, StepZeroIsAnError) { EXPECT_ERROR(forVisits(0, 1, 0), "loop step is 0"); }

TEST(InterpFor, BreakAndContinue) {
  auto body = [](const std::string &jump) {
    return "tile.kernel (%bx) in (%c1) {\ntile.for serial %i = %c0 to %c6 step %c1 {\n"
           "%is3 = arith.cmpi eq, %i, %c3 : index\ntile.if %is3 {\n" +
           jump + "\n}\n" + visit("i") + "}\n}";
  };
  EXPECT_THAT(visits(body("tile.break")), ElementsAre(1, 1, 1, 0, 0, 0, 0, 0));
  EXPECT_THAT(visits(body("tile.continue")), ElementsAre(1, 1, 1, 0, 1, 1, 0, 0));
}

TEST(InterpWhile, RunsWhileTheConditionHolds) {
  auto body = [](const std::string &jump) {
    return R"(
    tile.kernel (%bx) in (%c1) {
      %v = tile.alloc "v" : memref<i32, #v>
      %zero = arith.constant 0 : i32
      %three = arith.constant 3 : i32
      %five = arith.constant 5 : i32
      tile.store %zero, %v[] : i32, memref<i32, #v>
      tile.while {
        %i = tile.load %v[] : memref<i32, #v> -> i32
        %c = arith.cmpi slt, %i, %five : i32
        tile.condition %c
      } do {
        %n = tile.load %v[] : memref<i32, #v> -> i32
        %next = arith.addi %n, %one : i32
        tile.store %next, %v[] : i32, memref<i32, #v>
        %is3 = arith.cmpi eq, %n, %three : i32
        tile.if %is3 {
          )" +
           jump + R"(
        }
        %at = arith.index_cast %n : i32 to index
        )" +
           visit("at") + "}\n}";
  };
  EXPECT_THAT(visits(body("")), ElementsAre(1, 1, 1, 1, 1, 0, 0, 0));
  EXPECT_THAT(visits(body("tile.break")), ElementsAre(1, 1, 1, 0, 0, 0, 0, 0));
  EXPECT_THAT(visits(body("tile.continue")), ElementsAre(1, 1, 1, 0, 1, 0, 0, 0));
}

TEST(InterpIf, RunsOneOfTheBodies) {
  auto run = [](int64_t n) {
    return visits("tile.kernel (%bx) in (%c1) {\n%c = arith.cmpi sgt, %n, %c1 : index\ntile.if %c {\n" + visit("c0") +
                      "} else {\n" + visit("c1") + "}\ntile.if %c {\n" + visit("c2") + "}\n}",
                  {n}, 4, ", %n: index");
  };
  EXPECT_THAT(run(2), ElementsAre(1, 0, 1, 0));
  EXPECT_THAT(run(1), ElementsAre(0, 1, 0, 0));
}

TEST(InterpParallel, VisitsEveryPointOfTheBox) {
  auto run = [](int64_t n) {
    return visits(R"(
    tile.kernel (%bx) in (%c1) {
      tile.parallel (%i, %j) in (%c2, %n) {
        %row = arith.muli %i, %c4 : index
        %at = arith.addi %row, %j : index
        )" + visit("at") +
                      "}\n}",
                  {n}, 8, ", %n: index");
  };
  EXPECT_THAT(run(3), ElementsAre(1, 1, 1, 0, 1, 1, 1, 0));
  EXPECT_THAT(run(0), Each(0));
  EXPECT_THAT(run(-1), Each(0));
}

TEST(InterpParallel, VariablesArePrivateToTheIteration) {
  // v starts at 7 in every iteration, whatever the others wrote, and is undefined afterwards.
  std::string text = kernelText("%A: memref<?xi32, #g>, %C: memref<1xi32, #g>", R"(
    %v = tile.alloc "v" : memref<i32, #v>
    %seven = arith.constant 7 : i32
    tile.store %seven, %v[] : i32, memref<i32, #v>
    tile.parallel (%i) in (%c4) {
      %odd = arith.remui %i, %c2 : index
      %isOdd = arith.cmpi eq, %odd, %c1 : index
      tile.if %isOdd {
        %i32 = arith.index_cast %i : index to i32
        tile.store %i32, %v[] : i32, memref<i32, #v>
      }
      %x = tile.load %v[] : memref<i32, #v> -> i32
      tile.store %x, %A[%i] : i32, memref<?xi32, #g>
    }
    %y = tile.load %v[] : memref<i32, #v> -> i32
    tile.store %y, %C[%c0] : i32, memref<1xi32, #g>)");
  Tensor a = Tensor::zeros(DType::i32, {4}), c = Tensor::zeros(DType::i32, {1});
  runText(text, {a, c});
  EXPECT_THAT(elements(a), ElementsAre(7, 1, 7, 3));
  EXPECT_THAT(elements(c), ElementsAre(-1));
}

TEST(InterpParallel, ATemporaryIsASnapshot) {
  auto run = [](bool first) {
    std::string storeB = "tile.store %half, %B[%i] : f32, memref<2xf32, #g>\n";
    std::string storeA = "tile.store %twice, %A[%i] : f32, memref<2xf32, #g>\n";
    std::string text = kernelText("%A: memref<2xf32, #g>, %B: memref<2xf32, #g>", R"(
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      tile.parallel (%i) in (%c2) {
        %x = tile.load %A[%i] : memref<2xf32, #g> -> f32
        %t = arith.maximumf %x, %one : f32
        %half = arith.divf %t, %two : f32
        %twice = arith.mulf %t, %two : f32
        )" + (first ? storeB + storeA : storeA + storeB) + "}");
    Tensor a = tensorOf(DType::f32, {0, 3}), b = Tensor::zeros(DType::f32, {2});
    runText(text, {a, b});
    EXPECT_THAT(elements(a), ElementsAre(2, 6));
    EXPECT_THAT(elements(b), ElementsAre(0.5, 1.5));
  };
  run(true);
  run(false);
}

} // namespace
} // namespace tessera
