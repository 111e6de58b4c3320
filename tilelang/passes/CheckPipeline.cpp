// Checks hand-written schedules of pipelined loops. Statement x of iteration k runs at time k + stage[x]; statements of
// one time run by `order`, or as they are written.
#include "tilelang/passes/Passes.h"
#include "tilelang/passes/ScalarForm.h"
#include "tilelang/passes/TileAccess.h"

#include "tilelang/ir/DiagnosticCollector.h"
#include "tilelang/ir/TileInfo.h"

#include "mlir/IR/BuiltinOps.h"

#include <fmt/format.h>

namespace tessera {
#define GEN_PASS_DEF_TILECHECKPIPELINE
#include "tilelang/passes/Passes.h.inc"

using namespace mlir;
using namespace tile;

namespace {

/// What a statement, with all that it contains, reads and writes.
struct Statement {
  Operation *op;
  int64_t stage, order;
  SmallVector<Value> reads, writes; ///< buffers and regions
};

Statement statementOf(Operation *op) {
  Statement statement{op, 0, 0, {}, {}};
  op->walk([&](Operation *inner) {
    for (const TileAccess &access : tileAccesses(inner)) {
      // Which elements of a global tensor single accesses touch is not known.
      if (isa<LoadOp, StoreOp, AtomicOp>(inner) && tileInfo(access.tile).space == Space::global) continue;
      if (access.reads) statement.reads.push_back(access.tile);
      if (access.writes) statement.writes.push_back(access.tile);
    }
  });
  return statement;
}

/// The statements that `stage` and `order` number: those with effects. Scalars, windows, loads and buffers are not
/// counted; they belong to the statements that use them.
SmallVector<Statement> statementsOf(ForOp loop) {
  SmallVector<Statement> list;
  for (Operation &op : loop.getBody().front().without_terminator())
    if (!isMemoryEffectFree(&op) && !isa<LoadOp, AllocOp>(op)) list.push_back(statementOf(&op));
  return list;
}

std::string place(Operation *op) {
  SourceLine line = sourceLine(op->getLoc());
  std::string name = op->getName().stripDialect().str();
  return line.known() ? fmt::format("{} ({}:{})", name, line.file, line.line) : name;
}

LogicalResult checkLists(ForOp loop, size_t count) {
  for (auto [what, list] : {std::pair(StringRef("stage"), loop.getStage()), {StringRef("order"), loop.getOrder()}})
    if (list && list->size() != count)
      return failWith(loop, what + " list has " + Twine(list->size()) + " entries for " + Twine(count) + " statements",
                      "give one number for each statement of the body; scalars and slices are no statements");
  if (auto stage = loop.getStage())
    for (int64_t number : *stage)
      if (number < 0 || number > 64)
        return failWith(loop, Twine("stage ") + Twine(number) + " does not exist", "stages run from 0 to 64");
  auto order = loop.getOrder();
  if (!order) return success();
  SmallVector<bool> seen(count, false);
  for (int64_t number : *order) {
    if (number < 0 || number >= static_cast<int64_t>(count) || seen[number])
      return failWith(loop,
                      Twine("order is no permutation: ") + Twine(number) +
                          (number < 0 || number >= static_cast<int64_t>(count) ? " is out of range" : " occurs twice"),
                      Twine("give each of 0 to ") + Twine(count - 1) + " once");
    seen[number] = true;
  }
  return success();
}

/// Whether `first` of one iteration runs before `second` of the one that is `distance` later.
bool runsBefore(const Statement &first, const Statement &second, int64_t distance) {
  int64_t before = first.stage, after = second.stage + distance;
  return before < after || (before == after && first.order < second.order);
}

/// Whether the window is the same in every iteration.
bool isFixed(Value tile) {
  auto window = tile.getDefiningOp<RegionOp>();
  return !window || (window.getOffsets().empty() && window.getSizes().empty());
}

/// Whether the statement certainly writes elements of the tile: of the same iteration, or of any.
bool writes(const Statement &statement, Value tile, bool anyIteration) {
  return llvm::any_of(statement.writes, [&](Value written) {
    return certainlyOverlap(written, tile) && (!anyIteration || (isFixed(written) && isFixed(tile)));
  });
}

bool mayWrite(const Statement &statement, Value tile) {
  return llvm::any_of(statement.writes, [&](Value written) { return baseBuffer(written) == baseBuffer(tile); });
}

/// Both use the copy of the buffer that belongs to their iteration, so the second write must wait for the read.
LogicalResult reportOverwrite(const Statement &reader, const Statement &writer, Value tile) {
  InFlightDiagnostic diag = writer.op->emitError(place(writer.op))
                            << " in stage " << writer.stage << " overwrites " << quotedName(tile) << " before "
                            << place(reader.op) << " reads it, in stage " << reader.stage;
  diag.attachNote(reader.op->getLoc()) << "it is read here";
  diag.attachNote() << "help: give the second write the same or a later stage and order, or another buffer";
  return diag;
}

LogicalResult reportOrder(const Statement &producer, const Statement &consumer, Value tile, bool carried) {
  std::string name = quotedName(tile);
  InFlightDiagnostic diag = consumer.op->emitError(place(consumer.op))
                            << " in stage " << consumer.stage << " needs " << name << " from " << place(producer.op)
                            << (carried ? " of the iteration before" : "") << ", which runs later, in stage "
                            << producer.stage;
  diag.attachNote(producer.op->getLoc()) << name << " is written here";
  diag.attachNote() << "help: give the "
                    << (carried ? "two statements the same stage"
                                : "reading statement the same or a later stage and order")
                    << ", or leave the schedule to num_stages";
  return diag;
}

/// What a statement reads must be there in the new order as well. Its producers are the writes before it in the body
/// or, where the body writes the buffer only later, those of the iteration before.
LogicalResult checkStatement(ArrayRef<Statement> list, size_t reader) {
  ArrayRef<Statement> before = list.take_front(reader), after = list.drop_front(reader + 1);
  for (Value tile : list[reader].reads) {
    for (const Statement &producer : before)
      if (writes(producer, tile, false) && !runsBefore(producer, list[reader], 0))
        return reportOrder(producer, list[reader], tile, false);
    bool fromThisIteration = llvm::any_of(before, [&](const Statement &s) { return mayWrite(s, tile); });
    for (const Statement &other : after)
      if (fromThisIteration && writes(other, tile, false) && !runsBefore(list[reader], other, 0))
        return reportOverwrite(list[reader], other, tile);
    if (fromThisIteration) continue;
    for (const Statement &producer : after)
      if (writes(producer, tile, true) && !runsBefore(producer, list[reader], 1))
        return reportOrder(producer, list[reader], tile, true);
  }
  return success();
}

LogicalResult checkRange(ForOp loop) {
  std::optional<int64_t> lower = constantValue(loop.getLower()), upper = constantValue(loop.getUpper()),
                         step = constantValue(loop.getStep());
  if (!lower || !upper || step.value_or(0) <= 0 || *upper >= *lower) return success();
  return failWith(loop, Twine("pipelined loop from ") + Twine(*lower) + " to " + Twine(*upper) + " is empty",
                  Twine("was num_stages=") + Twine(*upper) + " meant?");
}

LogicalResult checkLoop(ForOp loop) {
  if (loop.getKind() != LoopKind::pipelined) return success();
  if (failed(checkRange(loop))) return failure();
  if (!loop.getStage() && !loop.getOrder()) return success();
  SmallVector<Statement> list = statementsOf(loop);
  if (failed(checkLists(loop, list.size()))) return failure();
  for (auto [i, statement] : llvm::enumerate(list)) {
    statement.stage = loop.getStage() ? (*loop.getStage())[i] : 0;
    statement.order = loop.getOrder() ? (*loop.getOrder())[i] : static_cast<int64_t>(i);
  }
  for (size_t reader = 0; reader < list.size(); ++reader)
    if (failed(checkStatement(list, reader))) return failure();
  return success();
}

struct CheckPipeline : impl::TileCheckPipelineBase<CheckPipeline> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    bool fine = true;
    getOperation().walk([&](ForOp loop) { fine &= succeeded(checkLoop(loop)); });
    if (!fine) signalPassFailure();
  }
};

} // namespace
} // namespace tessera
