// C++ classes of the tile dialect: its attributes, its region type and its operations.
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "tilelang/ir/TileDialect.h.inc"
#include "tilelang/ir/TileEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tilelang/ir/TileAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tilelang/ir/TileTypes.h.inc"
#define GET_OP_CLASSES
#include "tilelang/ir/TileOps.h.inc"
