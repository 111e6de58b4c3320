// Every compilation has a context of its own: it locks nothing, and its memory goes with it.
#include "tilelang/driver/CpuCompiler.h"

#include "tilelang/cpu/CpuPipeline.h"
#include "tilelang/cpu/Jit.h"
#include "tilelang/cpu/gemm/SharedTiles.h"
#include "tilelang/ir/DiagnosticCollector.h"
#include "tilelang/ir/Register.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera {
namespace {

const mlir::DialectRegistry &cpuRegistry() {
  static const mlir::DialectRegistry registry = [] {
    mlir::DialectRegistry r;
    tile::registerDialects(r);
    cpu::registerCpuDialects(r);
    return r;
  }();
  return registry;
}

/// Writes down the module after each run of one pass.
struct PrintAfter : mlir::PassInstrumentation {
  PrintAfter(std::string_view name, std::string &text) : name(name), text(text) {}

  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    if (pass->getArgument() != llvm::StringRef(name)) return;
    llvm::raw_string_ostream(text) << "// after " << name << "\n" << *op << "\n";
  }

  std::string_view name;
  std::string &text;
};

class Compilation {
public:
  Compilation(const ProgramFacts &facts, const cpu::CpuOptions &options)
      : options(options), context(cpuRegistry(), mlir::MLIRContext::Threading::DISABLED), collector(&context),
        manager(&context) {
    mlir::ParserConfig config(&context);
    parsed = mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(facts.text), config);
    if (!parsed) collector.throwErrors("the program does not survive being printed");
  }

  mlir::ModuleOp lowered() {
    cpu::buildCpuPipeline(manager, options);
    return run();
  }

  mlir::ModuleOp packed() {
    cpu::buildPackingPipeline(manager, options);
    return run();
  }

  std::string irAfter(std::string_view pass) {
    cpu::buildCpuPipeline(manager, options);
    requirePass(pass);
    std::string text;
    manager.addInstrumentation(std::make_unique<PrintAfter>(pass, text));
    (void)run();
    return text;
  }

private:
  mlir::ModuleOp run() {
    if (mlir::failed(manager.run(*parsed))) collector.throwErrors("the program cannot be compiled for the cpu");
    return *parsed;
  }

  cpu::CpuOptions options;
  mlir::MLIRContext context;
  DiagnosticCollector collector;
  mlir::PassManager manager;
  mlir::OwningOpRef<mlir::ModuleOp> parsed;

  void requirePass(std::string_view wanted) const {
    std::vector<std::string> known;
    for (const mlir::Pass &pass : manager.getPasses()) {
      known.push_back(pass.getArgument().str());
      if (known.back() == wanted) return;
    }
    throw Error(tessera::Diagnostic{fmt::format("the cpu target has no pass `{}`", wanted),
                                    {},
                                    fmt::format("its passes are {}", fmt::join(known, ", "))});
  }
};

} // namespace

std::string compileCpuObject(const ProgramFacts &facts, const cpu::CpuOptions &options) {
  return cpu::emitObject(Compilation(facts, options).lowered(), options.isa);
}

std::string emitCpu(const ProgramFacts &facts, const cpu::CpuOptions &options, Stage stage) {
  Compilation compilation(facts, options);
  if (stage == Stage::llvm) return cpu::emitLlvm(compilation.lowered(), options.isa);
  return cpu::emitAssembly(compilation.lowered(), options.isa);
}

std::vector<int64_t> packedParameters(const ProgramFacts &facts, const cpu::CpuOptions &options) {
  Compilation compilation(facts, options);
  llvm::SmallVector<int64_t> parameters = cpu::packedArguments(compilation.packed());
  return {parameters.begin(), parameters.end()};
}

std::string cpuIrAfter(const ProgramFacts &facts, const cpu::CpuOptions &options, std::string_view pass) {
  return Compilation(facts, options).irAfter(pass);
}

} // namespace tessera
