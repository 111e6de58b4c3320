// Every mistake at a call has its message, and what is legal reaches the code.
#include "tilelang/driver/call_check.h"
#include "tilelang/driver/compile.h"

#include "core/test/expect_error.h"
#include "tilelang/dsl/tl.h"

#include <bit>
#include <limits>

namespace tessera {
namespace {

using namespace tl;

/// out(M, N) = a(M, N) * s + n, with one more tensor whose shape follows from N.
Program affineProgram() {
  ProgramBuilder p("affine");
  Dim M = p.dim("M"), N = p.dim("N");
  Buffer a = p.input("a", f32, {M, N}), b = p.input("b", f32, {ceildiv(N, 128), 4});
  Expr s = p.scalar("s", f32), n = p.scalar("n", i8);
  Buffer out = p.output("out", f32, {M, N});
  p.kernel({M}, [&](Var row) {
    for (Var col : Serial(N)) out(row, col) = a(row, col) * s + cast(n, f32) + b(0, 0) * 0;
  });
  return p.build();
}

class CallTest : public testing::Test {
protected:
  Kernel kernel = compile(affineProgram(), "interpreter");
  Tensor a = Tensor::zeros(DType::f32, {3, 5}), b = Tensor::zeros(DType::f32, {1, 4}),
         out = Tensor::zeros(DType::f32, {3, 5});
};

TEST_F(CallTest, RunsWhatFits) {
  a.fill(2);
  kernel(a, b, 0.5, -3, out);
  EXPECT_EQ(out.at({2, 4}), -2);
  kernel(a, b, 3, 255, a); // in place; 255 is -1
  EXPECT_EQ(a.at({2, 4}), 5);
  std::vector<Argument> list = {a, b, int64_t{1}, int64_t{0}, out};
  kernel.run(list);
  EXPECT_EQ(out.at({0, 0}), 5);
}

TEST_F(CallTest, NamesTheLineOfTheKernel) {
  EXPECT_ERROR(kernel(a), "call_test.cpp:");
  EXPECT_ERROR(kernel(), "error: `affine` takes 5 arguments, got 0\n"
                         "  help: its signature is affine(a: f32[M, N], b: f32[ceildiv(N, 128), 4], s: f32, n: i8, out "
                         "out: f32[M, N])");
}

TEST_F(CallTest, RefusesTheWrongKind) {
  EXPECT_ERROR(kernel(7, b, 1, 1, out), "argument `a` of `affine` is the number 7, expected a tensor\n"
                                        "  help: a: f32[M, N]");
  EXPECT_ERROR(kernel(a, b, a, 1, out), "argument `s` of `affine` is a tensor f32[3, 5]");
}

TEST_F(CallTest, RefusesTheWrongElementType) {
  EXPECT_ERROR(kernel(a.to(DType::bf16), b, 1, 1, out), "argument `a` of `affine` has element type bf16, expected f32");
}

TEST_F(CallTest, RefusesTheWrongRank) {
  EXPECT_ERROR(kernel(a.reshape({1, 3, 5}), b, 1, 1, out),
               "argument `a` of `affine` has rank 3, expected 2: its shape is [1, 3, 5]");
}

TEST_F(CallTest, RefusesTheWrongExtent) {
  EXPECT_ERROR(kernel(a, Tensor::zeros(DType::f32, {1, 5}), 1, 1, out),
               "argument `b` of `affine` has extent 5 in dimension 1, expected 4");
  EXPECT_ERROR(kernel(a, Tensor::zeros(DType::f32, {2, 4}), 1, 1, out),
               "argument `b` of `affine` has extent 2 in dimension 0, expected ceildiv(N, 128) = 1");
  EXPECT_ERROR(kernel(a, b, 1, 1, Tensor::zeros(DType::f32, {3, 6})),
               "argument `out` of `affine` has extent 6 in dimension 1, expected N = 5\n"
               "  help: N is the extent of dimension 1 of `a`");
}

TEST_F(CallTest, RefusesStridesOfAContiguousParameter) {
  Tensor wide = Tensor::zeros(DType::f32, {3, 8});
  EXPECT_ERROR(kernel(wide.slice(1, 0, 5), b, 1, 1, out),
               "argument `a` of `affine` has strides [8, 1], expected [5, 1]");
}

TEST_F(CallTest, RefusesAnotherDevice) {
  Tensor there = Tensor::view(a.mutableData(), DType::f32, {3, 5}, {}, {DeviceKind::cuda, 1});
  EXPECT_ERROR(kernel(there, b, 1, 1, out), "argument `a` of `affine` is on cuda:1, expected cpu");
}

TEST_F(CallTest, RefusesAMisalignedAddress) {
  std::vector<char> bytes(100);
  char *at = bytes.data() + (reinterpret_cast<uintptr_t>(bytes.data()) % 4 == 2 ? 1 : 2);
  Tensor skewed = Tensor::view(static_cast<void *>(at), DType::f32, {3, 5});
  EXPECT_ERROR(kernel(skewed, b, 1, 1, out), "which is no multiple of its element size 4");
}

TEST_F(CallTest, RefusesAReadOnlyOutput) {
  EXPECT_NO_THROW(kernel(a.asReadOnly(), b, 1, 1, out));
  EXPECT_ERROR(kernel(a, b, 1, 1, out.asReadOnly()),
               "argument `out` of `affine` is read-only, but the kernel writes it");
}

TEST_F(CallTest, RefusesAnOutputThatSharesPartOfAnInput) {
  Tensor memory = Tensor::zeros(DType::f32, {4, 5});
  EXPECT_ERROR(kernel(memory.slice(0, 0, 3), b, 1, 1, memory.slice(0, 1, 4)),
               "argument `out` of `affine` shares memory with argument `a`: f32[3, 5]");
  EXPECT_NO_THROW(kernel(memory.slice(0, 0, 2), b, 1, 1, memory.slice(0, 2, 4)));
}

TEST_F(CallTest, RefusesNumbersThatDoNotFit) {
  EXPECT_ERROR(kernel(a, b, 1, 256, out), "argument `n` of `affine` is 256, which i8 cannot hold");
  EXPECT_ERROR(kernel(a, b, 1, -129, out), "argument `n` of `affine` is -129, which i8 cannot hold");
  EXPECT_ERROR(kernel(a, b, 1, 0.5, out), "argument `n` of `affine` is the number 0.5, expected an integer of type i8");
  EXPECT_ERROR(kernel(a, b, 1e39, 1, out), "argument `s` of `affine` is 1e+39, which f32 cannot hold");
  EXPECT_NO_THROW(kernel(a, b, std::numeric_limits<double>::infinity(), 1, out));
}

TEST_F(CallTest, TakesUnsignedNumbersOfAnySize) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  ProgramBuilder p("large");
  Expr f = p.scalar("f", f32), d = p.scalar("d", f64), i = p.scalar("i", i64), u = p.scalar("u", u64);
  Buffer reals = p.output("reals", f64, {2}), integers = p.output("integers", i64, {2});
  p.kernel({1}, [&](Var) {
    reals(0) = f, reals(1) = d;
    integers(0) = i, integers(1) = u;
  });
  Program program = p.build();
  for (const char *target : {"interpreter", "cpu"}) {
    SCOPED_TRACE(target);
    Tensor x = Tensor::zeros(DType::f64, {2}), n = Tensor::zeros(DType::i64, {2});
    compile(program, target)(kMost, kMost - 4095, kMost, kMost - 1, x, n);
    EXPECT_EQ(x.at({0}), 0x1p64);
    EXPECT_EQ(x.at({1}), 0x1p64 - 4096);
    EXPECT_EQ(n.at({0}), -1);
    EXPECT_EQ(n.at({1}), -2);
  }
  EXPECT_ERROR(kernel(a, b, 1, kMost, out), "argument `n` of `affine` is 18446744073709551615, which i8 cannot hold\n"
                                            "  help: give -128 to 255");
  EXPECT_ERROR(kernel(kMost, b, 1, 1, out), "argument `a` of `affine` is the number 18446744073709551615");
}

TEST_F(CallTest, ReportsEveryArgumentAtOnce) {
  try {
    kernel(1, 2, a, 0.5, out.asReadOnly());
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(error.diagnostics().size(), 5u);
  }
}

TEST_F(CallTest, TakesTensorsWithoutElements) {
  Tensor none = Tensor::zeros(DType::f32, {0, 5}), flat = Tensor::zeros(DType::f32, {3, 0});
  EXPECT_NO_THROW(kernel(none, b, 1, 1, none));
  EXPECT_NO_THROW(kernel(flat, Tensor::zeros(DType::f32, {0, 4}), 1, 1, flat));
  Tensor null = Tensor::view(static_cast<void *>(nullptr), DType::f32, {0, 5});
  EXPECT_NO_THROW(kernel(null, b, 1, 1, none));
  EXPECT_ERROR(kernel(none, b, 1, 1, out), "argument `out` of `affine` has extent 3 in dimension 0, expected M = 0");
}

Signature twoOutputs() {
  Parameter in{"in", true, DType::i32, Parameter::Access::read, {{}, {}}, {std::nullopt, 1}, false};
  Parameter first{"first", true, DType::i32, Parameter::Access::write, {{}, {}}, {std::nullopt, 1}, false};
  Parameter second{"second", true, DType::i32, Parameter::Access::readWrite, {{}, {}}, {std::nullopt, 1}, false};
  return {"two", {}, {in, first, second}, {}};
}

TEST(PackArguments, GivesPointerSizesAndStrides) {
  Tensor memory = Tensor::zeros(DType::i32, {6, 9});
  Tensor in = memory.slice(1, 0, 3), first = memory.slice(1, 3, 6), second = memory.slice(1, 6, 9);
  ArgumentRef list[] = {&in, &first, &second};
  auto at = [](const Tensor &t) { return reinterpret_cast<int64_t>(t.data()); };
  EXPECT_EQ(packArguments(twoOutputs(), list),
            (std::vector<int64_t>{at(in), 6, 3, 9, 1, at(first), 6, 3, 9, 1, at(second), 6, 3, 9, 1}));
}

TEST(PackArguments, GivesTheStridesThatTheCodeExpectsWhereTheyDoNotMatter) {
  Tensor one =
      Tensor::view(static_cast<void *>(Tensor::zeros(DType::i32, {4}).mutableData()), DType::i32, {0, 3}, {7, 5});
  Signature signature = twoOutputs();
  signature.parameters.resize(1);
  ArgumentRef list[] = {&one};
  EXPECT_EQ(packArguments(signature, list).at(4), 1);
  signature.parameters[0].contiguous = true;
  EXPECT_EQ(packArguments(signature, list).at(3), 3);
  EXPECT_EQ(packArguments(signature, list).at(4), 1);
}

TEST(PackArguments, RefusesTheStrideOfOneDimension) {
  Tensor memory = Tensor::zeros(DType::i32, {6, 6}), other = Tensor::zeros(DType::i32, {6, 3});
  Tensor skipping = memory.slice(1, 0, 6, 2), third = other.clone();
  ArgumentRef list[] = {&skipping, &other, &third};
  EXPECT_ERROR(packArguments(twoOutputs(), list), "argument `in` of `two` has stride 2 in dimension 1, expected 1");
}

TEST(PackArguments, RefusesTwoOutputsInOnePlace) {
  Tensor in = Tensor::zeros(DType::i32, {2, 2}), out = in.clone();
  ArgumentRef list[] = {&in, &out, &out};
  EXPECT_ERROR(packArguments(twoOutputs(), list),
               "argument `first` of `two` shares memory with argument `second`, which is written too");
}

TEST(PackArguments, RefusesAnOutputWhoseElementsShareMemory) {
  Tensor in = Tensor::zeros(DType::i32, {3, 2}), second = in.clone();
  Tensor repeated = Tensor::view(in.clone().mutableData(), DType::i32, {3, 2}, {0, 1});
  ArgumentRef list[] = {&in, &repeated, &second};
  EXPECT_ERROR(packArguments(twoOutputs(), list), "has strides [0, 1] for shape [3, 2], so that elements share memory");
  ArgumentRef reading[] = {&repeated, &in, &second};
  EXPECT_NO_THROW(packArguments(twoOutputs(), reading));
}

TEST(PackArguments, KeepsTheBitsOfNumbers) {
  Signature signature{"k", {}, {{"f", false, DType::f32}, {"d", false, DType::f64}, {"i", false, DType::u64}}, {}};
  ArgumentRef list[] = {0.5, int64_t{3}, int64_t{-1}};
  EXPECT_EQ(packArguments(signature, list),
            (std::vector<int64_t>{std::bit_cast<int64_t>(0.5), std::bit_cast<int64_t>(3.0), -1}));
}

TEST(PackArguments, GivesAnIndexItsSign) {
  Signature signature{"k", {}, {{"n", false, DType::i64}}, {}};
  signature.parameters[0].isIndex = true;
  ArgumentRef most[] = {std::numeric_limits<int64_t>::max()}, more[] = {uint64_t{1} << 63};
  EXPECT_EQ(packArguments(signature, most), (std::vector<int64_t>{std::numeric_limits<int64_t>::max()}));
  EXPECT_ERROR(packArguments(signature, more), "argument `n` of `k` is 9223372036854775808, which index cannot hold\n"
                                               "  help: give -9223372036854775808 to 9223372036854775807");
}

} // namespace
} // namespace tessera
