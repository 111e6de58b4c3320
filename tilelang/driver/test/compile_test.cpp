// Targets, options and text of compiled kernels. What the code computes is tested with the cpu target.
#include "tilelang/driver/cache.h"
#include "tilelang/driver/compile.h"
#include "tilelang/driver/target.h"

#include "core/test/expect_error.h"
#include "tilelang/dsl/tl.h"

#include <algorithm>
#include <thread>

namespace tessera {
namespace {

using namespace tl;
using testing::HasSubstr;

/// out = x + step, block by block.
Program addProgram(double step, int64_t block = 128, const char *name = "add") {
  ProgramBuilder p(name);
  Dim N = p.dim("N");
  Buffer x = p.input("x", f32, {N}), out = p.output("out", f32, {N});
  p.kernel({ceildiv(N, block)}, [&](Var b) {
    for (Var i : Parallel(block)) out(b * block + i) = x(b * block + i) + step;
  });
  return p.build();
}

/// Works in memory only, so that other processes cannot change what is counted.
CompileOptions inMemory() {
  CompileOptions options;
  setenv("TESSERA_CACHE_DIR", "", 1);
  return options;
}

void expectAdds(const Kernel &kernel, int64_t n, float step) {
  Tensor x = Tensor::empty(DType::f32, {n}), out = Tensor::empty(DType::f32, {n + 1});
  x.fillRandom(static_cast<uint64_t>(n), -1, 1);
  out.fill(-77);
  kernel(x, out.slice(0, 0, n));
  for (int64_t i = 0; i < n; ++i)
    ASSERT_EQ(out.data<float>()[i], x.data<float>()[i] + step) << "element " << i << " of " << n;
  EXPECT_EQ(out.at({n}), -77);
}

TEST(Compile, ServesEveryLengthWithOneCompilation) {
  clearMemoryCache();
  int64_t before = cacheStatistics().compilations;
  for (int64_t n : {0, 1, 127, 128, 129, 1024, 100003}) expectAdds(compile(addProgram(1), "cpu", inMemory()), n, 1);
  EXPECT_EQ(cacheStatistics().compilations, before + 1);
}

Program copyProgram() {
  ProgramBuilder p("copy2d");
  Dim M = p.dim("M"), N = p.dim("N");
  Buffer x = p.input("x", f32, {M, N}), out = p.output("out", f32, {M, N});
  p.kernel({ceildiv(N, 64), ceildiv(M, 8)}, [&](Var bx, Var by) {
    Buffer tile = allocShared({8, 64}, f32, "tile");
    copy(x(by * 8, bx * 64), tile);
    copy(tile, out(by * 8, bx * 64));
  });
  return p.build();
}

TEST(Compile, ServesEveryShapeWithOneCompilation) {
  clearMemoryCache();
  int64_t before = cacheStatistics().compilations;
  for (auto [m, n] : {std::pair{8, 128}, {16, 128}, {9, 130}, {0, 5}, {5, 0}}) {
    Tensor x = Tensor::empty(DType::f32, {m, n}), out = Tensor::zeros(DType::f32, {m, n});
    x.fillRandom(7, -1, 1);
    compile(copyProgram(), "cpu", inMemory())(x, out);
    for (int64_t i = 0; i < m * n; ++i) ASSERT_EQ(out.data<float>()[i], x.data<float>()[i]) << m << " x " << n;
  }
  EXPECT_EQ(cacheStatistics().compilations, before + 1);
}

TEST(Compile, RunsOnEveryInstructionSetOfThisMachine) {
  for (const TargetInfo &target : targets())
    if (target.available) expectAdds(compile(addProgram(2), target.name, inMemory()), 1000, 2);
}

TEST(Compile, TellsProgramsWithOtherCapturedValuesApart) {
  expectAdds(compile(addProgram(3, 128), "cpu", inMemory()), 300, 3);
  expectAdds(compile(addProgram(4, 128), "cpu", inMemory()), 300, 4);
  expectAdds(compile(addProgram(4, 256), "cpu", inMemory()), 300, 4);
}

TEST(Compile, FindsAnEqualProgramAgain) {
  compile(addProgram(5), "cpu", inMemory());
  CacheStatistics before = cacheStatistics();
  Kernel again = compile(addProgram(5), "cpu", inMemory());
  expectAdds(again, 10, 5);
  EXPECT_EQ(cacheStatistics().compilations, before.compilations);
  EXPECT_EQ(cacheStatistics().memoryHits, before.memoryHits + 1);
}

TEST(Compile, CompilesAgainWithoutTheCache) {
  CompileOptions options = inMemory();
  options.useCache = false;
  CacheStatistics before = cacheStatistics();
  compile(addProgram(6), "cpu", options);
  expectAdds(compile(addProgram(6), "cpu", options), 10, 6);
  EXPECT_EQ(cacheStatistics().compilations, before.compilations + 2);
  EXPECT_EQ(cacheStatistics().memoryHits, before.memoryHits);
}

TEST(Compile, KeepsAKernelThatTheCacheHasForgotten) {
  Kernel kernel = compile(addProgram(7), "cpu", inMemory());
  clearMemoryCache();
  expectAdds(kernel, 200, 7);
}

/// Element 130 of a tensor of 130: the last block leaves it.
TEST(Compile, KeysByTheOptionsThatChangeCode) {
  CompileOptions plain = inMemory(), trapping = plain;
  trapping.trapOutOfBounds = true;
  Program program = addProgram(8);
  int64_t before = cacheStatistics().compilations;
  Tensor x = Tensor::zeros(DType::f32, {130}), out = Tensor::zeros(DType::f32, {130});
  EXPECT_NO_THROW(compile(program, "cpu", plain)(x, out));
  EXPECT_ERROR(compile(program, "cpu", trapping)(x, out), "compile_test.cpp:");
  EXPECT_EQ(cacheStatistics().compilations, before + 2);
  EXPECT_NO_THROW(compile(program, "cpu", plain)(x, out));
  EXPECT_EQ(cacheStatistics().compilations, before + 2);
}

TEST(Compile, CompilesOnceForManyThreads) {
  int64_t before = cacheStatistics().compilations;
  CompileOptions options = inMemory();
  std::vector<std::thread> threads(6);
  for (std::thread &thread : threads)
    thread = std::thread([&] { expectAdds(compile(addProgram(9), "cpu", options), 500, 9); });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(cacheStatistics().compilations, before + 1);
}

TEST(Compile, CallsOneKernelFromManyThreads) {
  for (const char *target : {"cpu", "interpreter"}) {
    Kernel kernel = compile(addProgram(10), target, inMemory());
    std::vector<std::thread> threads(4);
    for (std::thread &thread : threads)
      thread = std::thread([&] {
        for (int i = 0; i < 5; ++i) expectAdds(kernel, 300 + i, 10);
      });
    for (std::thread &thread : threads) thread.join();
  }
}

TEST(Compile, SharesOneProgramBetweenThreads) {
  Program program = addProgram(11);
  CompileOptions options = inMemory();
  options.useCache = false;
  std::vector<std::thread> threads(3);
  for (std::thread &thread : threads)
    thread = std::thread([&] { expectAdds(compile(program, "cpu", options), 300, 11); });
  for (std::thread &thread : threads) thread.join();
}

TEST(Targets, AreListedWithWhatStandsAgainstThem) {
  std::vector<TargetInfo> list = targets();
  EXPECT_EQ(list.front().name, "cpu");
  EXPECT_TRUE(list.front().available);
  for (const TargetInfo &target : list) EXPECT_EQ(target.available, target.reason.empty()) << target.name;
}

TEST(Targets, ThatAreNotBuiltSaySo) {
  for (const char *name : {"ascend950dt", "ascend950pr", "ascend910b", "ascend910c", "cuda:sm_90a"})
    EXPECT_ERROR(compile(addProgram(1), name), "target `" + std::string(name) + "` is not built");
}

TEST(Targets, ThatAreUnknownListTheKnownOnes) {
  EXPECT_ERROR(compile(addProgram(1), "tpu"), "unknown target `tpu`\n  help: known are cpu, cpu:avx512bf16, ");
  EXPECT_ERROR(compile(addProgram(1), "cpu:avx10"), "unknown target `cpu:avx10`");
  EXPECT_ERROR(compile(addProgram(1), ""), "unknown target ``");
}

TEST(Targets, OfAnotherMachineCanBeEmittedButNotCalled) {
#if defined(__aarch64__)
  Kernel kernel = compile(addProgram(1), "cpu:avx2", inMemory());
#else
  Kernel kernel = compile(addProgram(1), "cpu:neon", inMemory());
#endif
  EXPECT_THAT(kernel.emit(Stage::assembly), HasSubstr("tsr_entry:"));
  Tensor x = Tensor::zeros(DType::f32, {4});
  EXPECT_ERROR(kernel(x, x), "does not run on this machine");
}

TEST(Kernels, ShowTheirStages) {
  Kernel kernel = compile(addProgram(1), "cpu:x86-64", inMemory());
  EXPECT_EQ(kernel.name(), "add");
  EXPECT_EQ(kernel.target(), "cpu:x86-64");
  EXPECT_THAT(kernel.emit(Stage::tile), HasSubstr("tile.kernel"));
  EXPECT_THAT(kernel.emit(Stage::llvm), HasSubstr("define void @tsr_entry"));
  EXPECT_THAT(kernel.emit(Stage::assembly), HasSubstr("tsr_entry:"));
  Kernel reference = compile(addProgram(1), "interpreter");
  EXPECT_THAT(reference.emit(Stage::tile), HasSubstr("tile.kernel"));
  EXPECT_ERROR(reference.emit(Stage::llvm), "target `interpreter` has no LLVM IR");
  EXPECT_ERROR(reference.emit(Stage::assembly), "target `interpreter` has no assembly");
}

TEST(Kernels, ShowTheProgramAfterAPass) {
  Kernel kernel = compile(addProgram(1), "cpu", inMemory());
  EXPECT_THAT(kernel.irAfter("cpu-emit-blocks"), HasSubstr("@tsr_entry"));
  EXPECT_THAT(kernel.irAfter("cpu-plan-arena"), HasSubstr("tile.kernel"));
  EXPECT_ERROR(kernel.irAfter("no-such-pass"),
               "the cpu target has no pass `no-such-pass`\n  help: its passes are canonicalize");
  EXPECT_ERROR(compile(addProgram(1), "interpreter").irAfter("cse"), "target `interpreter` has no passes");
}

TEST(Kernels, PrintToTheSinkOfTheirOptions) {
  for (const char *target : {"cpu", "interpreter"}) {
    ProgramBuilder p("prints");
    p.kernel({3}, [&](Var b) { print("block %d\n", b); });
    std::string text;
    CompileOptions options = inMemory();
    options.print = [&](std::string_view s) { text += s; };
    compile(p.build(), target, options)();
    EXPECT_EQ(text, "block 0\nblock 1\nblock 2\n") << target;
  }
}

TEST(Kernels, RefuseAThreadCountThatIsNone) {
  CompileOptions options;
  options.threads = -1;
  EXPECT_ERROR(compile(addProgram(1), "cpu", options), "thread count -1 is not from 0 to 1024");
}

TEST(Kernels, GiveTheSameBitsWhateverTheThreadCount) {
  for (int threads : {1, 2, 7}) {
    CompileOptions options = inMemory();
    options.threads = threads;
    expectAdds(compile(addProgram(12), "cpu", options), 5000, 12);
  }
}

} // namespace
} // namespace tessera
