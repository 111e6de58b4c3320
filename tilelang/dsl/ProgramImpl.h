// What a Program holds: its own MLIR context and one module with one entry function. For the compiler only.
#pragma once

#include "tilelang/dsl/program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace tessera {

struct Program::Impl {
  /// A context with the dialects of tile programs loaded and threading off.
  Impl();

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
};

} // namespace tessera
