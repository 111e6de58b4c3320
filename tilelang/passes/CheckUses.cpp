// Finds reads of on-chip buffers at which certainly nothing has been written yet. Buffers count as a whole.
#include "tilelang/passes/Passes.h"
#include "tilelang/passes/TileAccess.h"

#include "tilelang/ir/TileInfo.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace tessera {
#define GEN_PASS_DEF_TILECHECKUSES
#include "tilelang/passes/Passes.h.inc"

using namespace mlir;
using namespace tile;

namespace {

/// One statement that touches a buffer. They are kept in program order.
struct Use {
  Operation *op;
  bool reads, writes;
};

/// The innermost operation around both.
Operation *commonAncestor(Operation *a, Operation *b) {
  Operation *ancestor = a->getParentOp();
  while (!ancestor->isAncestor(b)) ancestor = ancestor->getParentOp();
  return ancestor;
}

/// Whether a later write can come before the read after all: in an earlier iteration of a loop around both that skipped
/// the read, or on the other kind of core.
bool mayComeBefore(Operation *write, Operation *read, Operation *alloc) {
  if (write->getParentOfType<ScopeOp>() != read->getParentOfType<ScopeOp>()) return true;
  Operation *common = commonAncestor(read, write);
  bool inLoop = false;
  for (Operation *op = common; op != alloc->getParentOp(); op = op->getParentOp()) inLoop |= isa<ForOp, WhileOp>(op);
  if (!inLoop) return false;
  for (Operation *op = read->getParentOp(); op != common; op = op->getParentOp())
    if (!isa<ScopeOp>(op)) return true; // a condition, or a loop that may run no time
  // The sides of one condition exclude each other, and the body of a while loop follows its condition.
  return isa<IfOp>(common) && !read->getParentRegion()->isAncestor(write->getParentRegion());
}

LogicalResult report(AllocOp alloc, const Use &read, ArrayRef<Use> uses) {
  std::string name = quotedName(alloc.getBuffer());
  if (read.writes) {
    InFlightDiagnostic diag = read.op->emitError(read.op->getName().stripDialect())
                              << " accumulates into " << name << ", which nothing has initialised";
    diag.attachNote() << "help: "
                      << (isa<GemmOp>(read.op) ? "clear it first, or let the first step of the loop clear it"
                                               : "fill it first");
    return diag;
  }
  const Use *write = llvm::find_if(uses, [](const Use &use) { return use.writes; });
  InFlightDiagnostic diag = read.op->emitError(name)
                            << (write == uses.end() ? " is read but nothing writes it"
                                                    : " is read before anything is written to it");
  if (write != uses.end()) diag.attachNote(write->op->getLoc()) << "the first write is here";
  diag.attachNote() << "help: copy, fill or store to it first";
  return diag;
}

LogicalResult checkBuffer(AllocOp alloc, ArrayRef<Use> uses) {
  for (const Use *use = uses.begin(); use != uses.end(); ++use) {
    if (!use->reads && use->writes) return success();
    if (!use->reads) continue;
    bool saved = std::any_of(std::next(use), uses.end(),
                             [&](const Use &later) { return later.writes && mayComeBefore(later.op, use->op, alloc); });
    return saved ? success() : report(alloc, *use, uses);
  }
  return success();
}

LogicalResult checkKernel(KernelOp kernel) {
  llvm::MapVector<AllocOp, SmallVector<Use>> buffers;
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (const TileAccess &access : tileAccesses(op))
      // Buffers at fixed addresses may share their bytes on purpose.
      if (auto alloc = baseBuffer(access.tile).getDefiningOp<AllocOp>(); alloc && !alloc.getAddress())
        buffers[alloc].push_back({op, access.reads, access.writes});
  });
  LogicalResult result = success();
  for (auto &[alloc, uses] : buffers)
    if (failed(checkBuffer(alloc, uses))) result = failure();
  return result;
}

struct CheckUses : impl::TileCheckUsesBase<CheckUses> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    bool fine = true;
    getOperation().walk([&](KernelOp kernel) { fine &= succeeded(checkKernel(kernel)); });
    if (!fine) signalPassFailure();
  }
};

} // namespace
} // namespace tessera
