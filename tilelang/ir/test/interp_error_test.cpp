// What the reference interpreter refuses, and that it ends where programs do not.
#include "tilelang/ir/test/interp_program.h"

#include <limits>

namespace tessera {
namespace {

const std::string kCopyText = functionText("%A: memref<?x4xf32, #g> {tile.name = \"A\"}, "
                                           "%C: memref<?x4xf32, #g> {tile.name = \"C\", tile.access = \"write\"}",
                                           R"(
    tile.kernel (%bx) in (%c1) { tile.copy %A, %C : memref<?x4xf32, #g>, memref<?x4xf32, #g> })");

TEST(InterpCall, TensorsThatDoNotFit) {
  Tensor fine = Tensor::zeros(DType::f32, {2, 4});
  auto call = [&](const Argument &a, const Argument &c) { runText(kCopyText, {a, c}); };
  call(fine, fine.clone());
  EXPECT_ERROR(runText(kCopyText, {fine}), "function kernel takes 2 arguments, got 1");
  EXPECT_ERROR(call(int64_t{3}, fine), "argument `A` is a scalar, a tensor is expected");
  EXPECT_ERROR(call(Tensor::zeros(DType::f32, {4}), fine), "argument `A` has rank 1, expected 2");
  EXPECT_ERROR(call(Tensor::zeros(DType::f32, {2, 5}), fine), "argument `A` has extent 5 in dimension 1, expected 4");
  EXPECT_ERROR(call(Tensor::zeros(DType::f16, {2, 4}), fine), "argument `A` has elements of type f16, expected f32");
  EXPECT_ERROR(call(fine, fine.asReadOnly()), "argument `C` is read-only, but the program writes it");
  Tensor elsewhere = Tensor::view(static_cast<void *>(nullptr), DType::f32, {0, 4}, {}, {DeviceKind::cuda, 1});
  EXPECT_ERROR(call(elsewhere, fine), "argument `A` is on cuda:1, expected cpu");
  EXPECT_ERROR(call(fine, Tensor::zeros(DType::f32, {2})), "kernel.mlir:6");
}

TEST(InterpCall, ReadOnlyTensorsAreNotWritten) {
  std::string text = kernelText("%C: memref<2xi32, #g> {tile.name = \"C\"}, %A: memref<2xi32, #g>", R"(
    %x = arith.constant 1 : i32
    tile.store %x, %C[%c0] : i32, memref<2xi32, #g>)");
  Tensor c = Tensor::zeros(DType::i32, {2});
  EXPECT_ERROR(runText(text, {c.asReadOnly(), c}), "write to `C`, a read-only tensor");
  EXPECT_EQ(c.at({0}), 0);
}

TEST(InterpCall, ScalarsThatDoNotFit) {
  auto call = [](const std::string &type, const Argument &value) {
    Tensor out = Tensor::zeros(type == "f32" ? DType::f32 : DType::i8, {1});
    std::string memref = "memref<1x" + type + ", #g>";
    runText(
        kernelText("%x: " + type + " {tile.name = \"x\"}, %C: " + memref, "tile.fill %x, %C : " + type + ", " + memref),
        {value, out});
    return out.at({0});
  };
  EXPECT_EQ(call("i8", int64_t{-128}), -128);
  EXPECT_EQ(call("i8", int64_t{255}), -1);
  EXPECT_ERROR(call("i8", int64_t{256}), "argument `x` is 256, which 8 bits cannot hold");
  EXPECT_ERROR(call("i8", int64_t{-129}), "argument `x` is -129");
  EXPECT_ERROR(call("i8", 1.5), "argument `x` is 1.5, an integer is expected");
  EXPECT_ERROR(call("i8", Tensor::zeros(DType::i8, {1})), "argument `x` is a tensor, a scalar is expected");
  EXPECT_EQ(call("f32", 0.1), static_cast<double>(0.1f));
  EXPECT_EQ(call("f32", int64_t{3}), 3);
  EXPECT_EQ(call("f32", std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
  EXPECT_ERROR(call("f32", 1e300), "argument `x` is 1e+300, which f32 cannot hold");
}

TEST(InterpCall, TensorsOfZeroSize) {
  runText(kCopyText, {Tensor::zeros(DType::f32, {0, 4}), Tensor::zeros(DType::f32, {0, 4})});
}

TEST(InterpError, AssertionsAndAssumptions) {
  auto run = [](const std::string &statement, int64_t n) {
    runText(kernelText("%n: index", "%c = arith.cmpi sgt, %n, %c0 : index\n" + statement), {n});
  };
  run("tile.device_assert %c, \"n is positive\"", 1);
  EXPECT_ERROR(run("tile.device_assert %c, \"n is positive\"", 0), "assertion failed: n is positive");
  EXPECT_ERROR(run("tile.device_assert %c, \"n is positive\"", 0), "kernel.mlir:19");
  run("tile.assume %c", 1);
  EXPECT_ERROR(run("tile.assume %c", 0), "an assumption does not hold");
}

TEST(InterpError, OperationsThatTileProgramsDoNotHave) {
  EXPECT_ERROR(runText(kernelText("", "%m = memref.alloc() : memref<4xf32>"), {}),
               "the interpreter cannot run 'memref.alloc'");
  EXPECT_ERROR(runText(kernelText("", "%v = arith.constant dense<1.0> : vector<4xf32>"), {}),
               "the interpreter has no constants of this type");
  EXPECT_ERROR(runText(kernelText("", "%x = arith.constant 1.0 : f32\n%y = arith.extf %x : f32 to f80"), {}),
               "the interpreter has no values of type f80");
  EXPECT_ERROR(runText(kernelText("", "%x = arith.constant 1.0 : f32\n%y = arith.fptosi %x : f32 to i100"), {}),
               "the interpreter has no values of type i100");
  EXPECT_ERROR(runText(kernelText("", "%x = arith.constant 1.0 : f8E4M3FN\n%y = arith.addf %x, %x : f8E4M3FN"), {}),
               "arithmetic on a floating-point value of at most 8 bits");
  EXPECT_ERROR(runText("func.func @kernel() -> i32 {\n%x = arith.constant 1 : i32\nreturn %x : i32\n}", {}),
               "the function returns values");
  EXPECT_ERROR(runText(kernelText("%v: vector<2xf32>", ""), {1.0}), "argument 0");
  EXPECT_ERROR(runText(functionText("", "tile.set_flag mte2, v, %c0"), {}), "set_flag outside a kernel");
}

TEST(InterpError, DimensionsThatDoNotExist) {
  std::string text = kernelText("%A: memref<?x?xf32, #g> {tile.name = \"A\"}, %d: index", R"(
    %n = memref.dim %A, %d : memref<?x?xf32, #g>)");
  runText(text, {Tensor::zeros(DType::f32, {2, 2}), int64_t{1}});
  EXPECT_ERROR(runText(text, {Tensor::zeros(DType::f32, {2, 2}), int64_t{2}}), "dimension 2 of `A`, which has rank 2");
}

TEST(InterpError, ViewsOfTensorsWithGaps) {
  std::string text = kernelText("%A: memref<2x2xf32, #g> {tile.name = \"A\"}", R"(
    %v = tile.view %A : memref<2x2xf32, #g> to memref<4xf32, #g>
    %one = arith.constant 1.0 : f32
    tile.store %one, %v[%c3] : f32, memref<4xf32, #g>)");
  Tensor wide = Tensor::zeros(DType::f32, {2, 4});
  EXPECT_ERROR(runText(text, {wide.slice(1, 0, 2)}), "view of `A`, which is not dense");
  Tensor dense = Tensor::zeros(DType::f32, {2, 2});
  runText(text, {dense});
  EXPECT_EQ(dense.at({1, 1}), 1);
}

TEST(InterpError, ProgramsThatTakeTooLong) {
  InterpreterOptions few{.maxSteps = 1000};
  std::string forever = kernelText("", "%t = arith.constant true\ntile.while { tile.condition %t } do { }");
  EXPECT_ERROR(runText(forever, {}, few), "the program takes more than 1000 steps");
  EXPECT_ERROR(runText(forever, {}, few), "use smaller sizes or the cpu target");
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  std::string blocks = functionText("%n: index", "tile.kernel (%x, %y) in (%n, %n) { }");
  EXPECT_ERROR(runText(blocks, {int64_t{1} << 24}, few), "more than 1000 steps");
  std::string points = kernelText("%n: index", "tile.parallel (%i, %j) in (%n, %n) { }");
  EXPECT_ERROR(runText(points, {kMost}, few), "more than 1000 steps");
  std::string elements = kernelText("%A: memref<?x?xf32, #g>, %n: index", R"(
    %w = tile.region %A[0, 0] [%n, %n] : memref<?x?xf32, #g> -> <?x?xf32, #g>
    %x = arith.constant 1.0 : f32
    tile.fill %x, %w : f32, !tile.region<?x?xf32, #g>)");
  EXPECT_ERROR(runText(elements, {Tensor::zeros(DType::f32, {1, 1}), kMost}, few), "more than 1000 steps");
}

TEST(InterpError, GridsThatAreTooLarge) { // as on the cpu
  std::string text = functionText("%x: index, %y: index, %z: index", "tile.kernel (%i, %j, %k) in (%x, %y, %z) { }");
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_ERROR(runText(text, {kMost, kMost, int64_t{1}}),
               "a grid of 9223372036854775807 x 9223372036854775807 x 1 blocks is too large\n"
               "  help: a grid has at most 2^48 blocks");
  EXPECT_ERROR(runText(text, {int64_t{1} << 47, int64_t{1}, int64_t{3}}), "is too large");
  InterpreterOptions few{.maxSteps = 1000};
  EXPECT_ERROR(runText(text, {int64_t{1} << 47, int64_t{1}, int64_t{2}}, few), "more than 1000 steps");
  runText(text, {kMost, kMost, int64_t{0}}, few);
  runText(text, {kMost, int64_t{-1}, kMost}, few);
  std::string plane = functionText("%n: index", "tile.kernel (%i, %j) in (%n, %n) { }");
  EXPECT_ERROR(runText(plane, {int64_t{1} << 25}), "a grid of 33554432 x 33554432 x 1 blocks is too large");
}

TEST(InterpError, BuffersThatAreTooLarge) {
  EXPECT_ERROR(runText(kernelText("", "%t = tile.alloc \"T\" : memref<100000x100000xf32, #s>"), {}),
               "no memory for `T` of 100000x100000 elements");
}

} // namespace
} // namespace tessera
