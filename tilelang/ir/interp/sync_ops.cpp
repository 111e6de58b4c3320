// Expert synchronisation: checked, and otherwise without effect on a program that runs in order.
#include "tilelang/ir/interp/block_run.h"

#include <fmt/format.h>

using namespace mlir;

namespace tessera::tile {
namespace {

BlockRun &blockOf(Operation *op, Frame &frame) {
  if (!frame.block)
    failAt(op, fmt::format("{} outside a kernel", op->getName().stripDialect().str()), "move it into a tile.kernel");
  return *frame.block;
}

} // namespace

void addSyncHandlers(Handlers &h) {
  h.add<ScopeOp>([](ScopeOp op, Frame &frame) { blockOf(op, frame).runScope(op, frame); });
  h.add<SetFlagOp>([](SetFlagOp op, Frame &frame) {
    blockOf(op, frame).setFlag(op, frame.core, op.getSrc(), op.getDst(), frame.index(op.getId()));
  });
  h.add<WaitFlagOp>([](WaitFlagOp op, Frame &frame) {
    blockOf(op, frame).waitFlag(op, frame.core, op.getSrc(), op.getDst(), frame.index(op.getId()));
  });
  h.add<SetCrossFlagOp>([](SetCrossFlagOp op, Frame &frame) {
    blockOf(op, frame).setCrossFlag(op, frame.core, frame.index(op.getId()), static_cast<int64_t>(op.getMode()));
  });
  h.add<WaitCrossFlagOp>([](WaitCrossFlagOp op, Frame &frame) {
    blockOf(op, frame).waitCrossFlag(op, frame.core, frame.index(op.getId()));
  });
  h.add<SyncAllOp>([](SyncAllOp op, Frame &frame) { blockOf(op, frame).meetAll(op, frame.core); });
  h.add<PipeBarrierOp>([](PipeBarrierOp, Frame &) {});
  h.add<BarrierAllOp>([](BarrierAllOp, Frame &) {});
}

} // namespace tessera::tile
