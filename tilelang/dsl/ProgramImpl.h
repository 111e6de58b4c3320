// What a Program holds: its own MLIR context and one module with one entry function. For the compiler only.
#pragma once

#include "tilelang/dsl/program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <mutex>

namespace tessera {

struct ProgramFacts;

struct Program::Impl {
  /// A context with the dialects of tile programs loaded and threading off.
  Impl();

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;

  /// A context serves one thread at a time; who reads a program that is complete locks this.
  std::mutex mutex;
  /// What the driver has found out about the program.
  std::shared_ptr<const ProgramFacts> facts;
};

} // namespace tessera
