// Reads a program once under its lock: a context serves one thread at a time.
#include "tilelang/driver/ProgramFacts.h"

#include "tilelang/driver/SignatureReader.h"
#include "tilelang/dsl/ProgramImpl.h"
#include "tilelang/ir/DiagnosticCollector.h"
#include "tilelang/ir/Tile.h"
#include "tilelang/passes/Pipeline.h"

#include "mlir/Pass/PassManager.h"

namespace tessera {
namespace {

std::string print(mlir::func::FuncOp function, bool withLines) {
  mlir::OpPrintingFlags flags;
  if (withLines) flags.enableDebugInfo();
  std::string text;
  llvm::raw_string_ostream os(text);
  function->print(os, flags.useLocalScope());
  return text;
}

void check(Program::Impl &impl) {
  DiagnosticCollector collector(&impl.context);
  mlir::PassManager manager(&impl.context);
  addCheckPasses(manager);
  if (mlir::failed(manager.run(*impl.module))) collector.throwErrors("the program is refused without a reason");
}

std::shared_ptr<const ProgramFacts> findFacts(Program::Impl &impl) {
  check(impl);
  auto facts = std::make_shared<ProgramFacts>();
  facts->signature = readSignature(impl.function);
  facts->text = print(impl.function, true);
  facts->content = hash128(print(impl.function, false));
  facts->contentWithLines = hash128(facts->text);
  facts->hasAssertions =
      impl.function.walk([](tile::AssertOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
  return facts;
}

} // namespace

std::shared_ptr<const ProgramFacts> programFacts(const Program &program) {
  Program::Impl &impl = program.impl();
  std::lock_guard guard(impl.mutex);
  if (!impl.facts) impl.facts = findFacts(impl);
  return impl.facts;
}

} // namespace tessera
