// tile.scan: line by line along the last axis, 16 lines at a time along any other.
#include "tilelang/cpu/emit/Fold.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

namespace {

class Scan {
public:
  Scan(Emitter &e, ScanOp op)
      : e(e), src(e.view(op.getSrc())), dst(e.view(op.getDst())), axis(op.getDim()), reverse(op.getReverse()),
        fold(e, op.getKind() == ScanKind::sum ? ReduceKind::sum : ReduceKind::max, src.element, dst.element, false) {}

  LogicalResult emit(bool guarded) {
    SmallVector<Value> extents;
    for (auto [a, b] : llvm::zip(src.sizes, dst.sizes)) extents.push_back(e.b.createOrFold<arith::MinSIOp>(a, b));
    Value count = extents[axis];
    extents[axis] = e.index(1);
    int64_t last = src.rank() - 1;
    return e.emitBox(extents, axis == last ? -1 : last, [&](ArrayRef<Lanes> point) {
      Type type = fold.type();
      Value start = fold.identity(e.inLanes ? VectorType::get({kLanes}, type) : type);
      auto loop = scf::ForOp::create(e.b, e.index(0), count, e.index(1), ValueRange{start});
      OpBuilder::InsertionGuard guard(e.b);
      e.b.setInsertionPointToStart(loop.getBody());
      SmallVector<Lanes> at(point);
      at[axis] = {position(loop.getInductionVar(), count)};
      Lanes loaded = e.load(src, at, guarded && !src.isInside());
      Value operand = fold.operand(e.inLanes ? e.asVector(loaded) : loaded.value);
      Value folded = fold.combine(loop.getRegionIterArg(0), operand);
      e.store(dst, at, {fold.result(folded)}, guarded && !dst.isInside());
      scf::YieldOp::create(e.b, ValueRange{folded});
      return success();
    });
  }

private:
  Emitter &e;
  View src, dst;
  int64_t axis;
  bool reverse;
  Fold fold;

  Value position(Value step, Value count) {
    if (!reverse) return step;
    return arith::SubIOp::create(e.b, arith::SubIOp::create(e.b, count, e.index(1)), step);
  }
};

} // namespace

LogicalResult Emitter::emitScan(ScanOp op) {
  Scan scan(*this, op);
  return emitGuarded(view(op.getSrc()), view(op.getDst()), [&](bool guard) { return scan.emit(guard); });
}

} // namespace tessera::cpu
