// Which copies are shared, and the code around them.
#include "tilelang/cpu/gemm/SharedTiles.h"

#include "tilelang/cpu/gemm/OperandLayout.h"
#include "tilelang/passes/TileAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

namespace {

constexpr StringRef kNumber = "cpu.shared";

bool isWritten(BlockArgument tensor) {
  bool written = false;
  tensor.getOwner()->getParentOp()->walk([&](Operation *op) {
    for (const TileAccess &access : tileAccesses(op)) written |= access.writes && baseBuffer(access.tile) == tensor;
  });
  return written;
}

/// The dimensions of the grid on which scalars of the kernel may depend; what is loaded may depend on all.
void addGridDims(Value value, KernelOp kernel, llvm::SmallBitVector &dims) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (owner == kernel) dims.set(argument.getArgNumber());
    if (kernel->isProperAncestor(owner))
      for (Value operand : owner->getOperands()) addGridDims(operand, kernel, dims);
    return;
  }
  Operation *op = value.getDefiningOp();
  if (!kernel->isProperAncestor(op)) return;
  if (!isMemoryEffectFree(op)) dims.set();
  for (Value operand : op->getOperands()) addGridDims(operand, kernel, dims);
}

ArrayRef<int64_t> tileShape(CopyOp copy) { return tileInfo(copy.getSrc()).shape; }

int64_t tileBytes(CopyOp copy) {
  constexpr int64_t kAlignment = 64;
  int64_t bytes = bufferBytes(copy.getDst().getDefiningOp<AllocOp>());
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// How many tiles a dimension of the tensor is cut into.
Value tilesAlong(Emitter &e, Value memref, CopyOp copy, int64_t dim) {
  Value extent = memref::DimOp::create(e.b, memref, dim);
  return arith::CeilDivUIOp::create(e.b, extent, e.index(tileShape(copy)[dim]));
}

} // namespace

CopyOp shareableFill(Value buffer) {
  auto alloc = buffer.getDefiningOp<AllocOp>();
  if (!alloc) return {};
  CopyOp fill;
  SmallVector<Operation *> readers;
  for (OpOperand &use : buffer.getUses()) {
    auto copy = dyn_cast<CopyOp>(use.getOwner());
    if (!copy) {
      readers.push_back(use.getOwner());
      continue;
    }
    if (fill || copy.getDst() != buffer || copy.getSrc() == buffer) return {};
    fill = copy;
  }
  bool precedes =
      fill && llvm::all_of(readers, [&](Operation *reader) {
        return isa<GemmOp>(reader) && reader->getBlock() == fill->getBlock() && fill->isBeforeInBlock(reader);
      });
  auto region = precedes ? fill.getSrc().getDefiningOp<RegionOp>() : RegionOp();
  if (!region || ShapedType::isDynamicShape(tileInfo(region.getResult()).shape)) return {};
  auto tensor = dyn_cast<BlockArgument>(region.getBuffer());
  if (!tensor || !isa<func::FuncOp>(tensor.getOwner()->getParentOp()) || isWritten(tensor)) return {};
  return fill;
}

void numberSharedCopies(KernelOp kernel) {
  int64_t next = 0;
  kernel.walk([&](AllocOp alloc) {
    if (!layoutOf(alloc)) return;
    if (CopyOp copy = shareableFill(alloc.getBuffer())) copy->setAttr(kNumber, Builder(copy).getI64IntegerAttr(next++));
  });
}

SmallVector<CopyOp> sharedCopies(KernelOp kernel) {
  SmallVector<CopyOp> copies;
  kernel.walk([&](CopyOp copy) {
    auto number = copy->getAttrOfType<IntegerAttr>(kNumber);
    if (!number) return;
    size_t place = static_cast<size_t>(number.getInt());
    if (copies.size() <= place) copies.resize(place + 1);
    copies[place] = copy;
  });
  return copies;
}

llvm::SmallVector<int64_t> packedArguments(mlir::ModuleOp module) {
  llvm::SmallVector<int64_t> arguments;
  module.walk([&](CopyOp copy) {
    if (!copy->hasAttr(kNumber)) return;
    int64_t argument = cast<BlockArgument>(baseBuffer(copy.getSrc())).getArgNumber();
    if (!llvm::is_contained(arguments, argument)) arguments.push_back(argument);
  });
  return arguments;
}

Value emitWorkspace(Emitter &e, CopyOp copy, int64_t number) {
  ImplicitLocOpBuilder &b = e.b;
  auto kernel = copy->getParentOfType<KernelOp>();
  auto region = copy.getSrc().getDefiningOp<RegionOp>();
  llvm::SmallBitVector used(kernel.getGrid().size());
  for (Value offset : region.getOffsets()) addGridDims(offset, kernel, used);
  // Blocks that differ in the other dimensions take the same tiles.
  Value blocks = e.index(1), tiles = e.index(1), memref = e.view(region.getBuffer()).memref;
  for (auto [dim, extent] : llvm::enumerate(kernel.getGrid()))
    if (!used.test(dim)) blocks = arith::MulIOp::create(b, blocks, e.scalar(extent));
  for (int64_t dim = 0; dim < tileInfo(region.getBuffer()).rank(); ++dim)
    tiles = arith::MulIOp::create(b, tiles, tilesAlong(e, memref, copy, dim));
  Value isShared =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sge, blocks, e.index(e.options.isa.chip.leastSharing));
  Type i64 = b.getI64Type();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantOp::create(b, b.getI64IntegerAttr(value)); };
  auto word = [&](Value value) -> Value { return arith::IndexCastOp::create(b, i64, value); };
  int64_t argument = cast<BlockArgument>(region.getBuffer()).getArgNumber();
  return e.callRuntime("tsr_workspace", i64,
                       {e.block.context, constant(argument), constant(number), word(tiles), constant(tileBytes(copy)),
                        arith::ExtUIOp::create(b, i64, isShared).getResult()});
}

LogicalResult emitSharedCopy(Emitter &e, CopyOp copy, Value workspace, function_ref<LogicalResult()> pack) {
  ImplicitLocOpBuilder &b = e.b;
  Type i64 = b.getI64Type(), ptr = LLVM::LLVMPointerType::get(b.getContext());
  auto compare = [&](arith::CmpIPredicate p, Value x, Value y) {
    return arith::CmpIOp::create(b, p, x, y).getResult();
  };
  auto both = [&](Value x, Value y) { return arith::AndIOp::create(b, x, y).getResult(); };
  auto number = [&](int64_t value) { return arith::ConstantOp::create(b, b.getI64IntegerAttr(value)).getResult(); };

  // Tiles lie side by side from the start of the tensor; a window that is none of them is the block's own.
  View src = e.view(copy.getSrc());
  Value isTile = compare(arith::CmpIPredicate::ne, workspace, number(0)), place = e.index(0);
  for (auto [dim, extent] : llvm::enumerate(tileShape(copy))) {
    Value at = src.offsets[dim], size = e.index(extent), count = tilesAlong(e, src.memref, copy, dim);
    Value nth = arith::DivUIOp::create(b, at, size);
    isTile = both(isTile, both(compare(arith::CmpIPredicate::eq, arith::MulIOp::create(b, nth, size), at),
                               compare(arith::CmpIPredicate::ult, nth, count)));
    place = arith::AddIOp::create(b, arith::MulIOp::create(b, place, count), nth);
  }
  Value tile = arith::IndexCastOp::create(b, i64, place);
  auto claim = scf::IfOp::create(b, TypeRange{i64}, isTile, /*withElseRegion=*/true);
  b.setInsertionPointToEnd(claim.thenBlock());
  scf::YieldOp::create(b, ValueRange{e.callRuntime("tsr_tile_claim", i64, {workspace, tile})});
  b.setInsertionPointToEnd(claim.elseBlock());
  scf::YieldOp::create(b, ValueRange{number(0)});
  b.setInsertionPointAfter(claim);

  Value claimed = claim.getResult(0), isOwn = compare(arith::CmpIPredicate::eq, claimed, number(0));
  Value isOpen = compare(arith::CmpIPredicate::ne, both(claimed, number(1)), number(0));
  Value shared = LLVM::IntToPtrOp::create(b, ptr, both(claimed, number(-2)));
  e.bindBuffer(copy.getDst(), arith::SelectOp::create(b, isOwn, e.storage(copy.getDst()), shared));
  return e.emitIf(arith::OrIOp::create(b, isOwn, isOpen), [&]() -> LogicalResult {
    if (failed(pack())) return failure();
    return e.emitIf(isOpen, [&] { return e.callRuntime("tsr_tile_done", {}, {workspace, tile}), success(); });
  });
}

} // namespace tessera::cpu
