// Loops, conditions, and statements about the program.
#include "tilelang/ir/interp/frame.h"

#include "tilelang/ir/TileInfo.h"

#include <fmt/format.h>

#include <cstring>

using namespace mlir;

namespace tessera::tile {
namespace {

/// The variables that a parallel body stores to: each iteration has its own, which starts with the value from before.
class PrivateVars {
public:
  PrivateVars(ParallelOp op, Frame &frame) {
    op.getBody().walk([&](Operation *inner) {
      Value tile;
      if (auto store = dyn_cast<StoreOp>(inner)) tile = store.getTile();
      if (auto atomic = dyn_cast<AtomicOp>(inner)) tile = atomic.getTile();
      if (!tile || tileInfo(tile).space != Space::var) return;
      Value base = baseBuffer(tile);
      if (op.getBody().isAncestor(base.getParentRegion())) return;
      const Buffer &buffer = *frame.tile(base).buffer;
      if (llvm::none_of(vars, [&](const Var &var) { return var.base == buffer.base; }))
        vars.push_back({buffer.base, buffer.dtype, readElement({buffer.base}, buffer.dtype)});
    });
  }
  void restore() const {
    for (const Var &var : vars) writeElement({var.base}, var.dtype, var.before);
  }
  /// After the loop their values are undefined.
  void poison() const {
    for (const Var &var : vars) writeElement({var.base}, var.dtype, ~uint64_t{0});
  }

private:
  struct Var {
    std::byte *base;
    DType dtype;
    uint64_t before;
  };
  SmallVector<Var> vars;
};

void runParallel(ParallelOp op, Frame &frame) {
  PrivateVars vars(op, frame);
  forEachIndex(frame.indices(op.getExtents()), [&](ArrayRef<int64_t> index) {
    frame.run.charge(op, 1);
    vars.restore();
    for (auto [argument, i] : llvm::zip_equal(op.getBody().getArguments(), index))
      frame.set(argument, static_cast<uint64_t>(i));
    frame.runBody(op.getBody());
  });
  vars.poison();
}

void runFor(ForOp op, Frame &frame) {
  int64_t upper = frame.index(op.getUpper()), step = frame.index(op.getStep());
  if (step == 0) failAt(op, "loop step is 0", "give a step above or below 0");
  for (int64_t i = frame.index(op.getLower()); step > 0 ? i < upper : i > upper;) {
    frame.run.charge(op, 1);
    frame.set(op.getInductionVar(), static_cast<uint64_t>(i));
    if (frame.runBody(op.getBody()) == Flow::leaveLoop) return;
    if (__builtin_add_overflow(i, step, &i)) return;
  }
}

void runWhile(WhileOp op, Frame &frame) {
  auto condition = cast<ConditionOp>(op.getBefore().front().getTerminator());
  for (;;) {
    frame.run.charge(op, 1);
    Flow flow = frame.runBody(op.getBefore());
    if (flow == Flow::leaveLoop) return;
    if (flow == Flow::nextIteration) continue;
    if (!frame.bits(condition.getCondition())) return;
    if (frame.runBody(op.getBody()) == Flow::leaveLoop) return;
  }
}

Flow runIf(IfOp op, Frame &frame) {
  if (frame.bits(op.getCondition())) return frame.runBody(op.getThenBody());
  return op.getElseBody().empty() ? Flow::next : frame.runBody(op.getElseBody());
}

void runAssert(AssertOp op, Frame &frame) {
  if (!frame.bits(op.getCondition())) failAt(op, fmt::format("assertion failed: {}", op.getMessage().str()), "");
}

void runAssume(AssumeOp op, Frame &frame) {
  if (!frame.bits(op.getCondition()))
    failAt(op, "an assumption does not hold", "state only facts that are true for every call");
}

} // namespace

void addControlHandlers(Handlers &h) {
  h.add<ParallelOp>(runParallel);
  h.add<ForOp>(runFor);
  h.add<WhileOp>(runWhile);
  h.add<IfOp>(runIf);
  h.add<AssertOp>(runAssert);
  h.add<AssumeOp>(runAssume);
  h.add<BreakOp>([](BreakOp, Frame &) { return Flow::leaveLoop; });
  h.add<ContinueOp>([](ContinueOp, Frame &) { return Flow::nextIteration; });
  h.add<YieldOp>([](YieldOp, Frame &) {});
  h.add<ConditionOp>([](ConditionOp, Frame &) {});
  h.add<func::ReturnOp>([](func::ReturnOp op, Frame &) {
    if (op.getNumOperands() != 0) failAt(op, "the function returns values", "tile programs write to their arguments");
  });
}

} // namespace tessera::tile
