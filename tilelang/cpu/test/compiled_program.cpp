// Runs the passes of the cpu target and loads the object.
#include "tilelang/cpu/test/compiled_program.h"

#include "tilelang/cpu/CpuPipeline.h"
#include "tilelang/cpu/runtime/call_context.h"
#include "tilelang/dsl/ProgramImpl.h"
#include "tilelang/ir/DiagnosticCollector.h"
#include "tilelang/ir/Register.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Object/ObjectFile.h"

#include <algorithm>
#include <bit>

namespace tessera::cpu {
namespace {

std::string objectOf(const Program &program, const CpuIsa &isa, bool trapOutOfBounds) {
  mlir::DialectRegistry registry;
  tile::registerDialects(registry);
  registerCpuDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(program.text(), &context);
  mlir::PassManager manager(&context);
  CpuOptions options;
  options.isa = isa;
  options.trapOutOfBounds = trapOutOfBounds;
  buildCpuPipeline(manager, options);
  DiagnosticCollector collector(&context);
  if (mlir::failed(manager.run(*module))) collector.throwErrors("the program cannot be compiled");
  return emitObject(*module, isa);
}

std::vector<std::string> undefinedIn(const std::string &bytes) {
  auto object = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "kernel")));
  std::vector<std::string> names;
  for (const llvm::object::SymbolRef &symbol : object->symbols())
    if (llvm::cantFail(symbol.getFlags()) & llvm::object::SymbolRef::SF_Undefined)
      names.push_back(llvm::cantFail(symbol.getName()).str());
  return names;
}

} // namespace

CompiledProgram::CompiledProgram(const Program &program, const CpuIsa &isa, bool trapOutOfBounds) {
  std::string bytes = objectOf(program, isa, trapOutOfBounds);
  undefined = undefinedIn(bytes);
  object = loadObject(bytes);
}

void CompiledProgram::run(std::span<const Argument> arguments) const {
  std::vector<int64_t> slots;
  for (const Argument &argument : arguments) {
    if (auto *tensor = std::get_if<Tensor>(&argument)) {
      slots.push_back(std::bit_cast<int64_t>(tensor->data()));
      slots.insert(slots.end(), tensor->shape().begin(), tensor->shape().end());
      slots.insert(slots.end(), tensor->strides().begin(), tensor->strides().end());
    } else if (auto *integer = std::get_if<int64_t>(&argument)) {
      slots.push_back(*integer);
    } else {
      slots.push_back(std::bit_cast<int64_t>(std::get<double>(argument)));
    }
  }
  CallContext context;
  runEntry(object->entry(), slots.data(), context);
}

std::vector<const CpuIsa *> levelsThatRunHere() {
  std::vector<const CpuIsa *> levels;
  for (std::string_view name : isaNames())
    if (name != "native" && cpuIsa(name).runsHere) levels.push_back(&cpuIsa(name));
  return levels;
}

std::string levelTestName(const CpuIsa &isa) {
  std::string text = isa.name;
  std::ranges::replace(text, '-', '_');
  return text;
}

} // namespace tessera::cpu
