// Splits a kernel at every sync_all: blocks that have to wait for each other become two launches.
#include "tilelang/cpu/Passes.h"
#include "tilelang/ir/TileInfo.h"

using namespace mlir;

namespace tessera::cpu {
#define GEN_PASS_DEF_CPUSPLITSYNCALL
#include "tilelang/cpu/Passes.h.inc"

using namespace tile;

namespace {

/// Whether an operation may be repeated after the barrier: it computes the same value again.
bool isRepeatable(Operation *op) { return isPure(op); }

/// Clones into the second kernel what its statements need of the first part.
LogicalResult copyNeeded(Operation *op, OpBuilder &builder, IRMapping &mapping, KernelOp first) {
  for (Value operand : op->getOperands()) {
    if (mapping.contains(operand)) continue;
    Operation *source = operand.getDefiningOp();
    if (!source || source->getParentOp() != first) continue;
    if (auto alloc = dyn_cast<AllocOp>(source))
      return failWith(
          op, "`" + alloc.getName().value_or("a buffer").str() + "` lives across a sync_all",
          "keep what later blocks need in a global tensor: the cpu target runs the two sides as two launches");
    if (!isRepeatable(source))
      return failWith(op, "a value loaded before a sync_all is used after it", "load it again after the sync_all");
    if (failed(copyNeeded(source, builder, mapping, first))) return failure();
    if (!mapping.contains(operand)) builder.clone(*source, mapping);
  }
  return success();
}

LogicalResult copyNeededDeep(Operation *op, OpBuilder &builder, IRMapping &mapping, KernelOp first) {
  LogicalResult result = success();
  op->walk([&](Operation *inner) {
    if (succeeded(result)) result = copyNeeded(inner, builder, mapping, first);
  });
  return result;
}

/// Moves what follows `barrier` into a kernel of its own.
LogicalResult splitAt(SyncAllOp barrier, KernelOp kernel) {
  OpBuilder builder(kernel->getContext());
  builder.setInsertionPointAfter(kernel);
  auto second = KernelOp::create(builder, kernel.getLoc(), kernel.getGrid());
  second->setAttrs(kernel->getAttrs());
  IRMapping mapping;
  mapping.map(kernel.getBody().getArguments(), second.getBody().getArguments());
  builder.setInsertionPointToStart(&second.getBody().front());
  SmallVector<Operation *> moved;
  for (Operation *op = barrier->getNextNode(); !op->hasTrait<OpTrait::IsTerminator>(); op = op->getNextNode()) {
    if (failed(copyNeededDeep(op, builder, mapping, kernel))) return failure();
    builder.clone(*op, mapping);
    moved.push_back(op);
  }
  for (Operation *op : llvm::reverse(moved)) op->erase();
  barrier->erase();
  return success();
}

struct SplitSyncAll : impl::CpuSplitSyncAllBase<SplitSyncAll> {
  void runOnOperation() override {
    SmallVector<SyncAllOp> barriers;
    getOperation().walk([&](SyncAllOp op) { barriers.push_back(op); });
    // The last one first, so that each split leaves the others where they are.
    for (SyncAllOp barrier : llvm::reverse(barriers)) {
      auto kernel = dyn_cast<KernelOp>(barrier->getParentOp());
      if (!kernel) {
        (void)failWith(barrier, "sync_all inside a loop, condition or scope",
                       "the cpu target splits the kernel there, so it must be a statement of the kernel itself");
        return signalPassFailure();
      }
      if (failed(splitAt(barrier, kernel))) return signalPassFailure();
    }
  }
};

} // namespace
} // namespace tessera::cpu
