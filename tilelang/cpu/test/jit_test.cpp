// Hand-written modules of the LLVM dialect: to text, to objects for every level, and into the process.
#include "tilelang/cpu/Jit.h"

#include "tilelang/cpu/runtime/call_context.h"

#include "core/test/expect_error.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <bit>
#include <cmath>
#include <thread>
#include <vector>

namespace tessera::cpu {
namespace {

/// A module in a context of its own.
struct Source {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;

  explicit Source(std::string_view text) {
    context.loadDialect<mlir::LLVM::LLVMDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(text), mlir::ParserConfig(&context));
    if (!module) ADD_FAILURE() << "the text of the test does not parse";
  }
};

/// Slots 0 and 1 are addresses of floats: y = f(x).
std::string mathModule(std::string_view body, std::string_view declarations) {
  return R"(
    llvm.func @tsr_entry(%slots: !llvm.ptr, %context: !llvm.ptr) {
      %0 = llvm.load %slots : !llvm.ptr -> !llvm.ptr
      %1 = llvm.getelementptr %slots[1] : (!llvm.ptr) -> !llvm.ptr, i64
      %2 = llvm.load %1 : !llvm.ptr -> !llvm.ptr
)" + std::string(body) +
         R"(
      llvm.return
    }
)" + std::string(declarations);
}

std::string cosineModule() {
  return mathModule(R"(
      %x = llvm.load %0 : !llvm.ptr -> f32
      %y = llvm.call @cosf(%x) : (f32) -> f32
      llvm.store %y, %2 : f32, !llvm.ptr)",
                    "llvm.func @cosf(f32) -> f32");
}

float runOnFloat(const LoadedObject &object, float x) {
  float y = -1;
  int64_t slots[] = {std::bit_cast<int64_t>(&x), std::bit_cast<int64_t>(&y)};
  CallContext context;
  runEntry(object.entry(), slots, context);
  return y;
}

TEST(Jit, RunsCodeThatCallsTheCLibrary) {
  Source source(cosineModule());
  auto object = loadObject(emitObject(*source.module, cpuIsa()));
  EXPECT_FLOAT_EQ(runOnFloat(*object, 0.5f), std::cos(0.5f));
}

TEST(Jit, FindsTheVectorMathLibrary) {
  Source source(mathModule(R"(
      %x = llvm.load %0 {alignment = 4} : !llvm.ptr -> vector<4xf32>
      %y = llvm.call @Sleef_expf4_u10(%x) : (vector<4xf32>) -> vector<4xf32>
      llvm.store %y, %2 {alignment = 4} : vector<4xf32>, !llvm.ptr)",
                           "llvm.func @Sleef_expf4_u10(vector<4xf32>) -> vector<4xf32>"));
  auto object = loadObject(emitObject(*source.module, cpuIsa("x86-64")));
  float x[4] = {0, 1, -2, 3}, y[4] = {};
  int64_t slots[] = {std::bit_cast<int64_t>(&x), std::bit_cast<int64_t>(&y)};
  CallContext context;
  runEntry(object->entry(), slots, context);
  for (int i = 0; i < 4; ++i) EXPECT_FLOAT_EQ(y[i], std::exp(x[i]));
}

TEST(Jit, ConvertsNarrowTypesOnEveryLevel) {
  Source source(mathModule(R"(
      %x = llvm.load %0 : !llvm.ptr -> f32
      %b = llvm.fptrunc %x : f32 to bf16
      %b32 = llvm.fpext %b : bf16 to f32
      %h = llvm.fptrunc %x : f32 to f16
      %h32 = llvm.fpext %h : f16 to f32
      %h64 = llvm.fpext %h32 : f32 to f64
      %again = llvm.fptrunc %h64 : f64 to f16
      %again32 = llvm.fpext %again : f16 to f32
      %s = llvm.fadd %b32, %again32 : f32
      llvm.store %s, %2 : f32, !llvm.ptr)",
                           ""));
  for (std::string_view name : isaNames()) {
    if (!cpuIsa(name).runsHere) continue;
    auto object = loadObject(emitObject(*source.module, cpuIsa(name)));
    EXPECT_EQ(runOnFloat(*object, 1.00390625f), 1.0f + 1.00390625f) << name; // a tie of bf16
    EXPECT_EQ(runOnFloat(*object, 3.14159f), 3.140625f + 3.140625f) << name;
  }
}

constexpr std::string_view kGrid = R"(
  llvm.func @tsr_launch(!llvm.ptr, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64) -> i32
  llvm.func internal @block(%slots: !llvm.ptr, %x: i64, %y: i64, %z: i64, %arena: !llvm.ptr, %context: !llvm.ptr,
                            %index: i64) {
    %0 = llvm.load %slots : !llvm.ptr -> !llvm.ptr
    %1 = llvm.getelementptr %0[%x] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %x, %arena : i64, !llvm.ptr
    %2 = llvm.load %arena : !llvm.ptr -> i64
    llvm.store %2, %1 : i64, !llvm.ptr
    llvm.return
  }
  llvm.func @tsr_entry(%slots: !llvm.ptr, %context: !llvm.ptr) {
    %0 = llvm.getelementptr %slots[1] : (!llvm.ptr) -> !llvm.ptr, i64
    %n = llvm.load %0 : !llvm.ptr -> i64
    %one = llvm.mlir.constant(1 : i64) : i64
    %bytes = llvm.mlir.constant(64 : i64) : i64
    %flags = llvm.mlir.constant(0 : i64) : i64
    %block = llvm.mlir.addressof @block : !llvm.ptr
    llvm.call @tsr_launch(%context, %n, %one, %one, %block, %slots, %bytes, %flags)
      : (!llvm.ptr, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64) -> i32
    llvm.return
  })";

void expectGridRuns(const LoadedObject &object) {
  std::vector<int64_t> out(100, -1);
  int64_t slots[] = {std::bit_cast<int64_t>(out.data()), 100};
  CallContext context{3};
  runEntry(object.entry(), slots, context);
  for (int64_t i = 0; i < 100; ++i) ASSERT_EQ(out[static_cast<size_t>(i)], i);
}

template <class Body> void onThreads(size_t count, Body body) {
  std::vector<std::thread> threads(count);
  for (std::thread &thread : threads) thread = std::thread(body);
  for (std::thread &thread : threads) thread.join();
}

TEST(Jit, LaunchesGrids) {
  Source source(kGrid);
  expectGridRuns(*loadObject(emitObject(*source.module, cpuIsa())));
}

TEST(Jit, LoadsAndUnloadsFromManyThreads) {
  Source source(kGrid);
  std::string bytes = emitObject(*source.module, cpuIsa());
  onThreads(4, [&] {
    for (int round = 0; round < 10; ++round) expectGridRuns(*loadObject(bytes));
  });
}

TEST(Jit, CompilesOnManyThreads) {
  onThreads(3, [] {
    Source source(cosineModule());
    EXPECT_FLOAT_EQ(runOnFloat(*loadObject(emitObject(*source.module, cpuIsa())), 2.f), std::cos(2.f));
  });
}

TEST(Jit, EmitsEveryLevelWhetherOrNotItRunsHere) {
  Source source(kGrid);
  for (std::string_view name : isaNames()) {
    const CpuIsa &isa = cpuIsa(name);
    EXPECT_NE(emitLlvm(*source.module, isa).find("define void @tsr_entry"), std::string::npos);
    EXPECT_NE(emitAssembly(*source.module, isa).find("tsr_entry:"), std::string::npos);
    EXPECT_EQ(emitObject(*source.module, isa).substr(1, 3), "ELF");
  }
  EXPECT_NE(emitAssembly(*source.module, cpuIsa("neon")).find("\tb\ttsr_launch"), std::string::npos);
}

TEST(Jit, UsesTheInstructionsOfTheLevel) {
  Source source(mathModule(R"(
      %x = llvm.load %0 {alignment = 4} : !llvm.ptr -> vector<16xf32>
      %y = llvm.intr.fma(%x, %x, %x) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
      llvm.store %y, %2 {alignment = 4} : vector<16xf32>, !llvm.ptr)",
                           ""));
  EXPECT_NE(emitAssembly(*source.module, cpuIsa("avx512")).find("%zmm"), std::string::npos);
  std::string avx2 = emitAssembly(*source.module, cpuIsa("avx2"));
  EXPECT_EQ(avx2.find("%zmm"), std::string::npos);
  EXPECT_NE(avx2.find("vfmadd"), std::string::npos);
  EXPECT_NE(emitAssembly(*source.module, cpuIsa("neon")).find("fmla"), std::string::npos);
}

TEST(Jit, ExplainsWhatCannotBeTranslated) {
  Source source("llvm.func @tsr_entry(%a: !llvm.ptr) { %0 = builtin.unrealized_conversion_cast %a : !llvm.ptr to i64\n"
                "llvm.return }");
  EXPECT_ERROR(emitObject(*source.module, cpuIsa()), "unrealized_conversion_cast");
}

TEST(Jit, NamesAMissingSymbol) {
  Source source(mathModule("llvm.call @no_such_function() : () -> ()", "llvm.func @no_such_function()"));
  std::string bytes = emitObject(*source.module, cpuIsa());
  EXPECT_ERROR(loadObject(bytes), "no_such_function");
}

TEST(Jit, RefusesWhatIsNoObject) {
  EXPECT_ERROR(loadObject(""), "compiled code cannot be linked");
  EXPECT_ERROR(loadObject("\x7f"
                          "ELF and so on"),
               "compiled code cannot be linked");
  Source source(kGrid);
  std::string bytes = emitObject(*source.module, cpuIsa());
  EXPECT_ERROR(loadObject(bytes.substr(0, bytes.size() / 2)), "compiled code cannot be linked");
}

} // namespace
} // namespace tessera::cpu
