// The same order as in EmitReduce.cpp: 16 partial results of a row, put together at its end.
#include "tilelang/cpu/emit/MergedReduces.h"

#include "tilelang/cpu/emit/LaneBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

MergedReduces::MergedReduces(Emitter &e, ParallelOp loop) : e(e) {
  for (Operation *next = loop->getNextNode(); next; next = next->getNextNode()) {
    auto reduce = dyn_cast<ReduceOp>(next);
    if (reduce && reduce->hasAttr("cpu.merged")) {
      Fold fold(e, reduce.getKind(), tileInfo(reduce.getSrc()).element, tileInfo(reduce.getDst()).element,
                reduce.getNanPropagate());
      reduces.push_back({reduce, fold, e.stackMemRef(fold.type(), {kLanes})});
    } else if (!isMemoryEffectFree(next) && !isa<AllocOp>(next)) {
      break;
    }
  }
  for (Merged &merged : reduces) {
    StoreOp last;
    for (StoreOp store : loop.getBody().getOps<StoreOp>())
      if (store.getTile() == merged.op.getSrc()) last = store;
    e.storeHooks[last].emplace_back([this, &merged](Lanes stored) { combine(merged, stored); });
  }
}

void MergedReduces::startRow() {
  for (Merged &merged : reduces) {
    Value start = merged.fold.identity(VectorType::get({kLanes}, merged.fold.type()));
    vector::StoreOp::create(e.b, start, merged.partial, ValueRange{e.index(0)});
  }
}

void MergedReduces::combine(Merged &merged, Lanes stored) {
  LaneBuilder l(e.b);
  auto type = VectorType::get({kLanes}, merged.fold.type());
  Value operand = merged.fold.operand(e.asVector(stored));
  if (e.mask) operand = l.select(e.mask, operand, merged.fold.identity(type));
  Value partial = vector::LoadOp::create(e.b, type, merged.partial, ValueRange{e.index(0)});
  vector::StoreOp::create(e.b, merged.fold.combine(partial, operand), merged.partial, ValueRange{e.index(0)});
}

void MergedReduces::finishRow(ArrayRef<Lanes> row) {
  for (Merged &merged : reduces) {
    View dst = e.view(merged.op.getDst());
    auto type = VectorType::get({kLanes}, merged.fold.type());
    Value partial = vector::LoadOp::create(e.b, type, merged.partial, ValueRange{e.index(0)});
    Value folded = merged.fold.acrossLanes(partial);
    SmallVector<Lanes> at(row);
    if (dst.rank() == tileInfo(merged.op.getSrc()).rank()) at.push_back({e.index(0)});
    if (merged.op.getAccumulate())
      folded = merged.fold.combine(folded, merged.fold.oldOperand(e.load(dst, at, false).value));
    e.store(dst, at, {merged.fold.result(folded)}, false);
  }
}

} // namespace tessera::cpu
