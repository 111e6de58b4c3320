// Compiles the text of a tile program for one instruction set and runs it, without the driver.
#pragma once

#include "core/argument.h"
#include "tilelang/cpu/CpuPipeline.h"
#include "tilelang/cpu/Jit.h"
#include "tilelang/cpu/runtime/call_context.h"
#include "tilelang/dsl/ProgramImpl.h"

#include "mlir/Pass/PassManager.h"

#include <bit>
#include <gtest/gtest.h>

namespace tessera::cpu {

/// The module of the LLVM dialect that a program becomes; failures end the test.
inline mlir::OwningOpRef<mlir::ModuleOp> lowered(Program &program, const CpuIsa &isa) {
  mlir::DialectRegistry registry;
  registerCpuDialects(registry);
  program.impl().context.appendDialectRegistry(registry);
  mlir::OwningOpRef<mlir::ModuleOp> module(program.impl().module->clone());
  mlir::PassManager manager(&program.impl().context);
  buildCpuPipeline(manager, {isa});
  if (mlir::failed(manager.run(*module))) ADD_FAILURE() << "the pipeline failed on\n" << program.text();
  return module;
}

class CompiledProgram {
public:
  CompiledProgram(std::string_view text, const CpuIsa &isa) {
    Program program = Program::parse(text);
    object = loadObject(emitObject(*lowered(program, isa), isa));
  }

  void run(std::span<const Argument> arguments) const {
    std::vector<int64_t> slots;
    for (const Argument &argument : arguments) append(slots, argument);
    CallContext context;
    runEntry(object->entry(), slots.data(), context);
  }

private:
  static void append(std::vector<int64_t> &slots, const Argument &argument) {
    if (auto *number = std::get_if<int64_t>(&argument)) return slots.push_back(*number);
    if (auto *number = std::get_if<double>(&argument)) return slots.push_back(std::bit_cast<int64_t>(*number));
    const auto &tensor = std::get<Tensor>(argument);
    slots.push_back(std::bit_cast<int64_t>(tensor.data()));
    slots.insert(slots.end(), tensor.shape().begin(), tensor.shape().end());
    slots.insert(slots.end(), tensor.strides().begin(), tensor.strides().end());
  }

  std::unique_ptr<LoadedObject> object;
};

} // namespace tessera::cpu
