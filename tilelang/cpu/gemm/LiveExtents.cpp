// Looks from a product back to the copies that fill its operands, and forward to those that write its result.
#include "tilelang/cpu/gemm/LiveExtents.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

namespace {

/// A copy between a whole buffer and a window of the same rank: dimensions correspond by position.
bool isWhole(Value buffer, Value window) {
  return buffer.getDefiningOp<AllocOp>() && window.getDefiningOp<RegionOp>() &&
         tileInfo(buffer).shape == tileInfo(window).shape;
}

class Liveness {
public:
  Liveness(Emitter &e, GemmOp gemm) : e(e), b(e.b), gemm(gemm) {}

  LiveExtents find() {
    LiveExtents live;
    bool isMatrix = tileInfo(gemm.getC()).rank() == 2;
    if (isMatrix && onlyWrittenOut()) {
      live.m = insideAny(0);
      live.n = insideAny(1);
    }
    CopyOp a = fillOf(gemm.getA()), right = fillOf(gemm.getB());
    if (!a || !right) return live;
    Value ofA = inside(a.getSrc(), gemm.getTransposeA() ? 0 : 1);
    Value ofB = inside(right.getSrc(), gemm.getTransposeB() ? 1 : 0);
    if (ofA && ofB) live.k = arith::MaxSIOp::create(b, ofA, ofB);
    return live;
  }

private:
  /// The copy that has filled an operand, with zeros outside of the source. It stands in front of the product.
  CopyOp fillOf(Value tile) {
    auto alloc = tile.getDefiningOp<AllocOp>();
    if (!alloc || alloc.getPadAttr() || tileInfo(tile).rank() != 2) return {};
    CopyOp fill;
    for (OpOperand &use : tile.getUses()) {
      auto copy = dyn_cast<CopyOp>(use.getOwner());
      if (copy && copy.getDst() == tile) {
        if (fill) return {};
        fill = copy;
      } else if (!isa<GemmOp>(use.getOwner()) || use.get() == cast<GemmOp>(use.getOwner()).getC()) {
        return {};
      }
    }
    bool precedes = fill && fill->getBlock() == gemm->getBlock() && fill->isBeforeInBlock(gemm);
    return precedes && !fill.getPadAttr() && isWhole(tile, fill.getSrc()) ? fill : CopyOp();
  }

  /// Whether C is a buffer whose elements go nowhere but to their places in windows of tensors; lists these.
  bool onlyWrittenOut() {
    Value c = gemm.getC();
    if (!c.getDefiningOp<AllocOp>()) return false;
    for (OpOperand &use : c.getUses()) {
      Operation *op = use.getOwner();
      if (isa<FillOp>(op) || (isa<GemmOp>(op) && use.getOperandNumber() == 2)) continue;
      auto copy = dyn_cast<CopyOp>(op);
      if (copy && copy.getSrc() == c && copy.getDst() != c && isWhole(c, copy.getDst()))
        outs.push_back(copy.getDst());
      else if (!staysInPlace(op))
        return false;
    }
    return !outs.empty();
  }

  /// A load or store at the point of a parallel loop that stores to that place of C and of windows only.
  bool staysInPlace(Operation *op) {
    auto loop = dyn_cast<ParallelOp>(op->getParentOp());
    if (!loop || !isa<LoadOp, StoreOp>(op)) return false;
    auto isAtPoint = [&](ValueRange indices) { return llvm::equal(indices, loop.getBody().getArguments()); };
    if (!isAtPoint(isa<LoadOp>(op) ? cast<LoadOp>(op).getIndices() : cast<StoreOp>(op).getIndices())) return false;
    for (Operation &inner : loop.getBody().front().without_terminator()) {
      if (inner.getNumRegions() > 0 || isa<AtomicOp>(inner)) return false;
      auto store = dyn_cast<StoreOp>(inner);
      if (!store || store.getTile() == gemm.getC()) continue;
      if (!isAtPoint(store.getIndices()) || !isWhole(gemm.getC(), store.getTile())) return false;
      outs.push_back(store.getTile());
    }
    return true;
  }

  /// The largest part of a dimension that lies inside the tensor of any window.
  Value insideAny(int64_t dim) {
    Value largest;
    for (Value window : outs) {
      Value here = inside(window, dim);
      if (!here) return {};
      largest = largest ? arith::MaxSIOp::create(b, largest, here).getResult() : here;
    }
    return largest;
  }

  /// How much of a dimension of a window lies inside its tensor, from the start of the window. Null if unknown.
  Value inside(Value window, int64_t dim) {
    auto region = window.getDefiningOp<RegionOp>();
    auto memref = dyn_cast<MemRefType>(region.getBuffer().getType());
    if (!memref || tileInfo(region.getBuffer()).space != Space::global) return {};
    OpFoldResult offset = region.getMixedOffsets()[dim];
    Value first = isa<Attribute>(offset) ? e.index(*getConstantIntValue(offset)) : emittedHere(cast<Value>(offset));
    if (!first) return {};
    Value extent = memref::DimOp::create(b, e.view(region.getBuffer()).memref, dim);
    Value left = arith::SubIOp::create(b, extent, first);
    // A window that begins before its tensor holds padding at its start, so all of it may count.
    Value isInside = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, first, e.index(0));
    return arith::SelectOp::create(b, isInside, left, e.index(INT64_MAX));
  }

  /// A scalar of the program at this place, also one that is computed only behind it, if that is simple.
  Value emittedHere(Value value) {
    Block *block = value.getParentBlock();
    Operation *here = block->findAncestorOpInBlock(*gemm), *op = value.getDefiningOp();
    if (here && (!op || op->isBeforeInBlock(here))) return e.scalar(value);
    if (!isa_and_nonnull<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MinSIOp,
                         arith::MaxSIOp>(op))
      return {};
    IRMapping operands;
    for (Value operand : op->getOperands()) {
      Value emitted = emittedHere(operand);
      if (!emitted) return {};
      operands.map(operand, emitted);
    }
    return b.clone(*op, operands)->getResult(0);
  }

  Emitter &e;
  ImplicitLocOpBuilder &b;
  GemmOp gemm;
  llvm::SmallVector<Value> outs; ///< windows of tensors that C is written to
};

} // namespace

LiveExtents emitLiveExtents(Emitter &e, GemmOp gemm) { return Liveness(e, gemm).find(); }

} // namespace tessera::cpu
