// Warns where blocks that differ only in one dimension of the grid write the same elements of a global tensor.
#include "tilelang/passes/Passes.h"
#include "tilelang/passes/ScalarForm.h"
#include "tilelang/passes/TileAccess.h"

#include "tilelang/ir/TileInfo.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallBitVector.h"

namespace tessera {
#define GEN_PASS_DEF_TILECHECKBLOCKS
#include "tilelang/passes/Passes.h.inc"

using namespace mlir;
using namespace tile;

namespace {

/// The indices of the grid that values may depend on. What is loaded may depend on all of them.
llvm::SmallBitVector gridIndicesOf(SmallVector<Value> values, KernelOp kernel) {
  llvm::SmallBitVector result(kernel.getGrid().size());
  DenseSet<Value> seen;
  while (!values.empty()) {
    Value value = values.pop_back_val();
    if (!seen.insert(value).second) continue;
    Operation *owner = value.getParentBlock()->getParentOp(), *op = value.getDefiningOp();
    if (!op && owner == kernel) result.set(cast<BlockArgument>(value).getArgNumber());
    if (!op && isa<ForOp, ParallelOp>(owner)) llvm::append_range(values, owner->getOperands());
    if (!op || !kernel->isProperAncestor(op) || isa<AllocOp>(op)) continue;
    if (!isMemoryEffectFree(op)) result.set();
    llvm::append_range(values, op->getOperands());
  }
  return result;
}

/// Those that decide where, whether and how often a statement writes.
llvm::SmallBitVector gridIndicesOf(Operation *op, Value tile, KernelOp kernel) {
  SmallVector<Value> values{tile};
  if (auto store = dyn_cast<StoreOp>(op)) llvm::append_range(values, store.getIndices());
  bool unknown = false;
  for (Operation *parent = op->getParentOp(); parent != kernel; parent = parent->getParentOp()) {
    unknown |= isa<WhileOp>(parent);
    llvm::append_range(values, parent->getOperands());
  }
  llvm::SmallBitVector result = gridIndicesOf(std::move(values), kernel);
  return unknown ? result.set() : result;
}

void checkWrite(Operation *op, Value tile, KernelOp kernel) {
  llvm::SmallBitVector used = gridIndicesOf(op, tile, kernel);
  for (auto [dim, extent] : llvm::enumerate(kernel.getGrid())) {
    if (used.test(dim) || constantValue(extent) == 1) continue;
    InFlightDiagnostic diag = op->emitWarning("all blocks along grid dimension ")
                              << dim << " write the same elements of " << quotedName(tile);
    diag.attachNote() << "help: use that block index in the address, an atomic update, or a condition on the index";
    return;
  }
}

struct CheckBlocks : impl::TileCheckBlocksBase<CheckBlocks> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    getOperation().walk([](KernelOp kernel) {
      kernel.getBody().walk([&](Operation *op) {
        if (isa<AtomicOp, AtomicTileOp>(op)) return;
        for (const TileAccess &access : tileAccesses(op))
          if (access.writes && tileInfo(access.tile).space == Space::global) checkWrite(op, access.tile, kernel);
      });
    });
  }
};

} // namespace
} // namespace tessera
