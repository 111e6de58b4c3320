// tile.reduce: 16 elements of a line at a time along the last axis, 16 lines at a time along any other.
#include "tilelang/cpu/emit/Fold.h"
#include "tilelang/cpu/emit/LaneBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

namespace {

class Reduction {
public:
  Reduction(Emitter &e, ReduceOp op)
      : e(e), src(e.view(op.getSrc())), dst(e.view(op.getDst())), axis(op.getDim()), accumulate(op.getAccumulate()),
        fold(e, op.getKind(), src.element, dst.element, op.getNanPropagate()) {}

  /// `guard`: elements of the window may lie outside the buffer, where they count as 0.
  LogicalResult emit(bool guard) {
    guarded = guard;
    int64_t last = src.rank() - 1;
    SmallVector<Value> extents(src.sizes);
    for (int64_t d = 0; d <= last; ++d)
      if (d != axis) extents[d] = smaller(src.sizes[d], dst.sizes[dstDim(d)]);
    extents[axis] = e.index(1);
    return e.emitBox(extents, axis == last ? -1 : last, [&](ArrayRef<Lanes> point) {
      Value folded = axis == last ? fold.acrossLanes(alongLastAxis(point)) : alongOtherAxis(point);
      SmallVector<Lanes> at(point);
      if (dst.rank() != src.rank()) at.erase(at.begin() + axis);
      bool guardDst = guarded && !dst.isInside();
      if (accumulate) folded = fold.combine(folded, fold.oldOperand(inShape(folded, e.load(dst, at, guardDst))));
      e.store(dst, at, {fold.result(folded)}, guardDst);
      return success();
    });
  }

private:
  Emitter &e;
  View src, dst;
  int64_t axis;
  bool accumulate, guarded = false;
  Fold fold;

  int64_t dstDim(int64_t d) const { return dst.rank() == src.rank() || d < axis ? d : d - 1; }
  Value smaller(Value x, Value y) { return e.b.createOrFold<arith::MinSIOp>(x, y); }
  Value inShape(Value like, Lanes lanes) { return isa<VectorType>(like.getType()) ? e.asVector(lanes) : lanes.value; }

  Value loadAt(ArrayRef<Lanes> point, Lanes index) {
    SmallVector<Lanes> at(point);
    at[axis] = index;
    Lanes loaded = e.load(src, at, guarded && !src.isInside());
    return fold.operand(e.inLanes ? e.asVector(loaded) : loaded.value);
  }

  /// folded = body(index, folded) for index = lower, lower + step, ... below upper.
  Value loop(Value lower, Value upper, int64_t step, Value start, function_ref<Value(Value, Value)> body) {
    auto loop = scf::ForOp::create(e.b, lower, upper, e.index(step), ValueRange{start});
    OpBuilder::InsertionGuard guard(e.b);
    e.b.setInsertionPointToStart(loop.getBody());
    Value folded = body(loop.getInductionVar(), loop.getRegionIterArg(0));
    scf::YieldOp::create(e.b, ValueRange{folded});
    return loop.getResult(0);
  }

  /// 16 partial results of a line.
  Value alongLastAxis(ArrayRef<Lanes> point) {
    llvm::SaveAndRestore lanesOn(e.inLanes, true);
    Value extent = src.sizes[axis], lanes = e.index(kLanes);
    Value whole = e.b.createOrFold<arith::MulIOp>(e.b.createOrFold<arith::DivUIOp>(extent, lanes), lanes);
    Value start = fold.identity(VectorType::get({kLanes}, fold.type()));
    Value folded = loop(e.index(0), whole, kLanes, start,
                        [&](Value i, Value partial) { return fold.combine(partial, loadAt(point, {i, 1})); });
    if (matchPattern(e.b.createOrFold<arith::SubIOp>(extent, whole), m_Zero())) return folded;
    // At most one round for the rest of the line.
    return loop(whole, extent, kLanes, folded, [&](Value i, Value partial) {
      Value left = arith::SubIOp::create(e.b, extent, i);
      auto type = VectorType::get({kLanes}, e.b.getI1Type());
      llvm::SaveAndRestore<Value> masked(e.mask, vector::CreateMaskOp::create(e.b, type, ValueRange{left}));
      Value operand = loadAt(point, {i, 1});
      LaneBuilder l(e.b);
      return fold.combine(partial, l.select(e.mask, operand, fold.identity(operand.getType())));
    });
  }

  Value alongOtherAxis(ArrayRef<Lanes> point) {
    Value start = fold.identity(VectorType::get({kLanes}, fold.type()));
    return loop(e.index(0), src.sizes[axis], 1, start,
                [&](Value i, Value folded) { return fold.combine(folded, loadAt(point, {i})); });
  }
};

} // namespace

LogicalResult Emitter::emitReduce(ReduceOp op) {
  if (op->hasAttr("cpu.merged")) return success(); // see MergedReduces.h
  Reduction reduction(*this, op);
  return emitGuarded(view(op.getSrc()), view(op.getDst()), [&](bool guard) { return reduction.emit(guard); });
}

} // namespace tessera::cpu
