// Checks the shape of a whole program: what may stand where, and of which types values may be.
#include "tilelang/passes/Passes.h"
#include "tilelang/passes/ScalarForm.h"
#include "tilelang/passes/TileAccess.h"

#include "tilelang/ir/TileInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace tessera {
#define GEN_PASS_DEF_TILECHECKPROGRAM
#include "tilelang/passes/Passes.h.inc"

using namespace mlir;
using namespace tile;

namespace {

bool isScalarType(Type type) { return type.isIndex() || (isElementType(type) && scalarType(type) == type); }

bool isValueType(Type type) { return isScalarType(type) || isBufferType(type) || isa<RegionType>(type); }

std::string argumentName(func::FuncOp func, unsigned number) {
  auto name = func.getArgAttrOfType<StringAttr>(number, "tile.name");
  return name ? "`" + name.str() + "`" : std::to_string(number);
}

/// Tensors are row-major with any pitch: the strides are known or not, but the last one is 1.
bool hasUnitInnerStride(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) && (strides.empty() || strides.back() == 1);
}

LogicalResult checkArgument(func::FuncOp func, unsigned number) {
  Type type = func.getArgumentTypes()[number];
  std::string what = "argument " + argumentName(func, number) + " of `" + func.getName().str() + "`";
  std::string typeText;
  llvm::raw_string_ostream(typeText) << type;
  auto tensor = dyn_cast<MemRefType>(type);
  if (!tensor) {
    if (isScalarType(type) && !isNarrowFloat(type)) return success();
    return failWith(func, Twine(what) + " has the type " + typeText,
                    "arguments are global tensors, or scalars of type bool, i8-i64, f16, bf16, f32, f64 or index");
  }
  if (!isBufferType(type))
    return failWith(func, Twine(what) + " has the type " + typeText,
                    "tensors have elements of a tile type and lie in the space global");
  if (tileInfo(type).space != Space::global)
    return failWith(func, Twine(what) + " is in the space " + stringifySpace(tileInfo(type).space),
                    "tensors lie in the space global; on-chip buffers are allocated in the kernel");
  if (!hasUnitInnerStride(tensor))
    return failWith(func, Twine(what) + " has no unit stride in its last dimension: " + typeText,
                    "the last dimension is contiguous; others may have any stride");
  return success();
}

LogicalResult checkFunction(func::FuncOp func) {
  if (func.isExternal())
    return failWith(func, Twine("function `") + func.getName() + "` has no body", "a program is complete in itself");
  if (func.getNumResults() != 0)
    return failWith(func, Twine("function `") + func.getName() + "` has " + Twine(func.getNumResults()) + " results",
                    "a kernel writes to its tensor arguments and returns nothing");
  if (!func.getBody().hasOneBlock())
    return failWith(func,
                    Twine("function `") + func.getName() + "` has " + Twine(func.getBody().getBlocks().size()) +
                        " basic blocks",
                    "control flow is written with tile.for, tile.while and tile.if");
  LogicalResult result = success();
  for (unsigned number = 0; number < func.getNumArguments(); ++number)
    if (failed(checkArgument(func, number))) result = failure();
  return result;
}

/// Statements of the host part of a function: scalars only, and kernels.
bool mayStandOutsideKernels(Operation *op) {
  if (isa<KernelOp, func::ReturnOp, memref::DimOp, AssumeOp>(op)) return true;
  return isMemoryEffectFree(op) && op->getNumRegions() == 0 && llvm::all_of(op->getResultTypes(), isScalarType);
}

bool isTileProgramOp(Operation *op) {
  Dialect *dialect = op->getDialect();
  return isa_and_nonnull<TileDialect, arith::ArithDialect, math::MathDialect>(dialect) ||
         isa<memref::DimOp, func::ReturnOp>(op);
}

LogicalResult checkTypes(Operation *op) {
  for (Type type : op->getResultTypes()) {
    if (isValueType(type)) continue;
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return failWith(op, Twine(op->getName().getStringRef()) + " gives a value of type " + text,
                    "values are scalars of type bool, i8-i64, f16, bf16, f32, f64, e4m3, e5m2, e8m0, e2m1 and index, "
                    "buffers and regions");
  }
  if (isa<TileDialect>(op->getDialect()) || isa<memref::DimOp>(op)) return success();
  for (Value value : llvm::concat<Value>(SmallVector<Value>(op->getOperands()), SmallVector<Value>(op->getResults())))
    if (!isScalarType(value.getType()))
      return failWith(op, Twine(op->getName().getStringRef()) + " works on a buffer",
                      "only operations of the tile dialect take buffers; choose one with tile.if");
  return success();
}

LogicalResult checkDim(memref::DimOp op) {
  std::optional<int64_t> dim = constantValue(op.getIndex());
  int64_t rank = cast<ShapedType>(op.getSource().getType()).getRank();
  if (dim && *dim >= 0 && *dim < rank) return success();
  if (dim)
    return failWith(op, Twine("dim ") + Twine(*dim) + " of " + quotedName(op.getSource()) + " does not exist",
                    Twine("it has rank ") + Twine(rank));
  return failWith(op, "the dimension of memref.dim is known only at run time", "give a constant dimension");
}

/// Whether it runs whenever its kernel's body does, or its loop's.
bool isUnconditional(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent && !isa<KernelOp>(parent); parent = parent->getParentOp())
    if (isa<IfOp, WhileOp>(parent)) return false;
  return true;
}

/// Elements of on-chip buffers that are not there. Global tensors have edges; accesses beyond them are defined.
LogicalResult checkElement(Operation *op, Value tile, ValueRange indices) {
  TileInfo info = tileInfo(tile);
  if (info.space == Space::global || !isUnconditional(op)) return success();
  for (auto [dim, value] : llvm::enumerate(indices)) {
    std::optional<int64_t> index = constantValue(value);
    int64_t extent = info.shape[dim];
    if (!index || ShapedType::isDynamic(extent) || (*index >= 0 && *index < extent)) continue;
    return failWith(op,
                    Twine("index ") + Twine(*index) + " in dimension " + Twine(dim) + " exceeds extent " +
                        Twine(extent) + " of " + quotedName(tile),
                    "keep the index inside the buffer");
  }
  return success();
}

/// What the signature promises to read only may lie in memory that cannot be written.
LogicalResult checkAccess(Operation *op) {
  for (const TileAccess &access : tileAccesses(op)) {
    auto argument = dyn_cast<BlockArgument>(baseBuffer(access.tile));
    auto func = argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
    if (!func || !access.writes) continue;
    auto declared = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "tile.access");
    if (!declared || declared.getValue() != "read") continue;
    return failWith(op,
                    Twine(op->getName().stripDialect()) + " writes " + argumentName(func, argument.getArgNumber()) +
                        ", which is declared as an input",
                    "declare it as an output, or as both");
  }
  return success();
}

LogicalResult checkBounds(ForOp loop) {
  if (constantValue(loop.getStep()) == 0) return failWith(loop, "loop step is 0", "give a step above or below 0");
  std::optional<int64_t> lower = constantValue(loop.getLower()), upper = constantValue(loop.getUpper());
  int64_t span;
  if (lower && upper && llvm::SubOverflow(*upper, *lower, span))
    return failWith(loop, Twine("the distance from ") + Twine(*lower) + " to " + Twine(*upper) + " exceeds 2^63",
                    "give bounds that are closer");
  return success();
}

LogicalResult checkStatement(Operation *op) {
  if (!isTileProgramOp(op)) {
    bool allocates = isa<memref::AllocOp, memref::AllocaOp>(op);
    return failWith(op, Twine(op->getName().getStringRef()) + " cannot stand in a tile program",
                    allocates ? "allocate buffers with tile.alloc"
                              : "a program holds operations of tile, arith and math, and memref.dim");
  }
  if (!op->getParentOfType<KernelOp>() && !mayStandOutsideKernels(op))
    return failWith(op, Twine(op->getName().getStringRef()) + " stands outside a kernel",
                    "put it in the body of tile.kernel; outside stand scalar operations only");
  if (failed(checkTypes(op)) || failed(checkAccess(op))) return failure();
  if (auto dim = dyn_cast<memref::DimOp>(op)) return checkDim(dim);
  if (auto load = dyn_cast<LoadOp>(op)) return checkElement(op, load.getTile(), load.getIndices());
  if (auto store = dyn_cast<StoreOp>(op)) return checkElement(op, store.getTile(), store.getIndices());
  if (auto atomic = dyn_cast<AtomicOp>(op)) return checkElement(op, atomic.getTile(), atomic.getIndices());
  if (auto loop = dyn_cast<ForOp>(op)) return checkBounds(loop);
  return success();
}

struct CheckProgram : impl::TileCheckProgramBase<CheckProgram> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    bool fine = true;
    for (Operation &op : getOperation().getBody()->getOperations()) {
      auto func = dyn_cast<func::FuncOp>(op);
      if (!func) {
        fine = false;
        (void)failWith(&op, Twine(op.getName().getStringRef()) + " stands outside a function",
                       "a module holds functions only");
        continue;
      }
      if (failed(checkFunction(func))) {
        fine = false;
        continue;
      }
      func.getBody().walk([&](Operation *inner) { fine &= succeeded(checkStatement(inner)); });
    }
    if (!fine) signalPassFailure();
  }
};

} // namespace
} // namespace tessera
