// The LLVM half of code generation: translation out of MLIR, scalar optimisation, instruction selection.
//
// Vector code comes out of our own lowering, so LLVM's vectorisers are off: they only cost time and may undo a layout.
#include "tilelang/cpu/Jit.h"

#include "core/error.h"
#include "tilelang/cpu/MaskedAccesses.h"
#include "tilelang/cpu/Quotients.h"
#include "tilelang/ir/DiagnosticCollector.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <fmt/format.h>

namespace tessera::cpu {
namespace {

/// Makes LLVM's own errors ours; without a handler LLVM would end the process.
class LlvmErrors {
public:
  explicit LlvmErrors(llvm::LLVMContext &context) {
    context.setDiagnosticHandlerCallBack(
        [](const llvm::DiagnosticInfo *info, void *self) {
          if (info->getSeverity() != llvm::DS_Error) return;
          llvm::raw_string_ostream os(static_cast<LlvmErrors *>(self)->text);
          llvm::DiagnosticPrinterRawOStream printer(os);
          info->print(printer);
        },
        this);
  }
  void throwIfAny(const CpuIsa &isa) const {
    if (!text.empty()) throw Error(Diagnostic{fmt::format("no code for {}: {}", isa.name, text), {}, {}});
  }

private:
  std::string text;
};

void registerTargets() {
  static const bool once = [] {
    LLVMInitializeX86TargetInfo(), LLVMInitializeX86Target(), LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo(), LLVMInitializeAArch64Target(), LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    return true;
  }();
  (void)once;
}

std::unique_ptr<llvm::TargetMachine> makeMachine(const CpuIsa &isa) {
  registerTargets();
  std::string message;
  llvm::Triple triple(isa.triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target) throw Error(Diagnostic{fmt::format("no code generation for {}: {}", isa.triple, message), {}, {}});
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, isa.cpu, isa.features, llvm::TargetOptions(), llvm::Reloc::PIC_,
                                  llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
}

/// A module on its way through LLVM.
struct Compilation {
  const CpuIsa &isa;
  llvm::LLVMContext context;
  LlvmErrors errors{context};
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;

  Compilation(mlir::ModuleOp source, const CpuIsa &isa) : isa(isa), machine(makeMachine(isa)) {
    translate(source);
    module->setTargetTriple(machine->getTargetTriple());
    module->setDataLayout(machine->createDataLayout());
    setFunctionAttributes();
    optimize();
    repairMaskedAccesses(*module, isa);
    repairQuotients(*module);
    errors.throwIfAny(isa);
  }

  void translate(mlir::ModuleOp source) {
    mlir::registerBuiltinDialectTranslation(*source.getContext());
    mlir::registerLLVMDialectTranslation(*source.getContext());
    DiagnosticCollector collector(source.getContext());
    module = mlir::translateModuleToLLVMIR(source, context, "kernel");
    if (!module) collector.throwErrors("the module cannot be translated to LLVM IR");
  }

  void setFunctionAttributes() {
    for (llvm::Function &function : *module) {
      if (function.isDeclaration()) continue;
      function.addFnAttr("target-cpu", isa.cpu);
      function.addFnAttr("target-features", isa.features);
      function.addFnAttr(llvm::Attribute::NoUnwind);
    }
  }

  void optimize() {
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = tuning.LoopInterleaving = tuning.SLPVectorization = false;
    // Vector code is emitted as it shall be. In LLVM 22 this pass makes invalid shuffles of different types.
    llvm::PassInstrumentationCallbacks callbacks;
    callbacks.registerShouldRunOptionalPassCallback(
        [](llvm::StringRef pass, llvm::Any) { return pass != "VectorCombinePass"; });
    llvm::PassBuilder builder(machine.get(), tuning, std::nullopt, &callbacks);
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager graphs;
    llvm::ModuleAnalysisManager modules;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graphs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graphs, modules);
    builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(*module, modules);
  }

  std::string emit(llvm::CodeGenFileType type) {
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream os(bytes);
    llvm::legacy::PassManager passes;
    if (machine->addPassesToEmitFile(passes, os, nullptr, type))
      throw Error(Diagnostic{fmt::format("no object files for {}", isa.triple), {}, {}});
    passes.run(*module);
    errors.throwIfAny(isa);
    return {bytes.data(), bytes.size()};
  }
};

} // namespace

std::string emitLlvm(mlir::ModuleOp module, const CpuIsa &isa) {
  Compilation compilation(module, isa);
  std::string text;
  llvm::raw_string_ostream(text) << *compilation.module;
  return text;
}

std::string emitObject(mlir::ModuleOp module, const CpuIsa &isa) {
  return Compilation(module, isa).emit(llvm::CodeGenFileType::ObjectFile);
}

std::string emitAssembly(mlir::ModuleOp module, const CpuIsa &isa) {
  return Compilation(module, isa).emit(llvm::CodeGenFileType::AssemblyFile);
}

} // namespace tessera::cpu
