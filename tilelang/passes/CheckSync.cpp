// Checks expert synchronisation that does not depend on data: which pipes have flags, whether sets and waits pair up,
// and whether every block reaches a grid barrier. Flags with a run-time id match any id of their pipes.
#include "tilelang/passes/Passes.h"
#include "tilelang/passes/ScalarForm.h"

#include "tilelang/ir/TileInfo.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <map>

namespace tessera {
#define GEN_PASS_DEF_TILECHECKSYNC
#include "tilelang/passes/Passes.h.inc"

using namespace mlir;
using namespace tile;

namespace {

std::optional<Core> coreOf(Operation *op) {
  auto scope = op->getParentOfType<ScopeOp>();
  return scope ? std::optional(scope.getCore()) : std::nullopt;
}

// --- Pipes --------------------------------------------------------------------------------------------------------

bool isCubePair(Pipe src, Pipe dst) {
  if (src == Pipe::s || dst == Pipe::s) return src != Pipe::v && dst != Pipe::v;
  switch (src) {
  case Pipe::m: return dst == Pipe::mte1 || dst == Pipe::mte2 || dst == Pipe::fix;
  case Pipe::mte1: return dst == Pipe::m || dst == Pipe::mte2 || dst == Pipe::mte3 || dst == Pipe::fix;
  case Pipe::mte2: return dst == Pipe::m || dst == Pipe::mte1 || dst == Pipe::mte3;
  case Pipe::mte3: return dst == Pipe::mte1 || dst == Pipe::mte2;
  case Pipe::fix: return dst == Pipe::m || dst == Pipe::mte1;
  default: return false;
  }
}

bool isVectorPair(Pipe src, Pipe dst) {
  auto known = [](Pipe pipe) { return pipe == Pipe::s || pipe == Pipe::v || pipe == Pipe::mte2 || pipe == Pipe::mte3; };
  return known(src) && known(dst);
}

LogicalResult checkPair(Operation *op, Pipe src, Pipe dst) {
  std::optional<Core> core = coreOf(op);
  if ((core != Core::vector && isCubePair(src, dst)) || (core != Core::cube && isVectorPair(src, dst)))
    return success();
  return failWith(op,
                  Twine("no flag leads from pipe ") + stringifyPipe(src) + " to pipe " + stringifyPipe(dst) +
                      (core ? " of the " + stringifyCore(*core).str() + " core" : ""),
                  "cube cores have the pipes s, m, mte1, mte2, mte3 and fix, vector cores s, v, mte2 and mte3");
}

LogicalResult checkId(Operation *op, Value id, int64_t count) {
  std::optional<int64_t> number = constantValue(id);
  if (!number || (*number >= 0 && *number < count)) return success();
  return failWith(op, Twine("flag id ") + Twine(*number) + " does not exist",
                  Twine("ids run from 0 to ") + Twine(count - 1));
}

// --- Pairs of set and wait ----------------------------------------------------------------------------------------

struct FlagUse {
  Operation *op;
  std::optional<Core> core;
  std::optional<int64_t> id; ///< nothing: known at run time
  bool isSet;
};

/// Sets minus waits of one flag, where that is the same in every run.
class Balance {
public:
  Balance(ArrayRef<FlagUse> uses, StringRef name) : name(name) {
    for (const FlagUse &use : uses) change[use.op] = use.isSet ? 1 : -1;
  }

  /// Of one run of a block; nothing if it depends on a condition. Reports loops in whose iterations it isn't zero.
  std::optional<int64_t> of(Block &block) {
    int64_t total = 0;
    for (Operation &op : block) {
      std::optional<int64_t> part = change.lookup(&op);
      if (isa<BreakOp, ContinueOp>(op)) return std::nullopt;
      if (op.getNumRegions() != 0) part = ofBodies(op);
      if (!part) return std::nullopt;
      total += *part;
    }
    return total;
  }
  bool reported() const { return hasReported; }

private:
  std::optional<int64_t> ofBodies(Operation &op) {
    SmallVector<std::optional<int64_t>> parts;
    for (Region &region : op.getRegions()) parts.push_back(region.empty() ? 0 : of(region.front()));
    if (isa<ScopeOp>(op)) return parts[0];
    if (isa<IfOp>(op)) return parts[0] == parts[1] ? parts[0] : std::nullopt;
    for (std::optional<int64_t> part : parts)
      if (!part) return std::nullopt;
    int64_t each = 0;
    for (std::optional<int64_t> part : parts) each += *part;
    if (each == 0) return 0;
    if (runsOnceAtMost(op)) return std::nullopt;
    report(op, each);
    return std::nullopt;
  }

  static bool runsOnceAtMost(Operation &op) {
    auto loop = dyn_cast<ForOp>(op);
    if (!loop) return false;
    std::optional<int64_t> lower = constantValue(loop.getLower()), upper = constantValue(loop.getUpper()),
                           step = constantValue(loop.getStep());
    if (!lower || !upper || !step) return false;
    return *step > 0 ? *upper - *lower <= *step : *upper - *lower >= *step;
  }

  /// A flag holds one set, so a second iteration would set it while it is raised or wait for nothing.
  void report(Operation &loop, int64_t each) {
    hasReported = true;
    (void)failWith(&loop,
                   Twine("every iteration ") + (each > 0 ? "sets" : "waits for") + " flag " + name + " " +
                       Twine(std::abs(each)) + " more than it " + (each > 0 ? "waits for" : "sets") + " it",
                   "set and wait in the same loop, with one set before it or one wait after it if need be");
  }

  StringRef name;
  DenseMap<Operation *, int64_t> change;
  bool hasReported = false;
};

LogicalResult checkBalance(ArrayRef<FlagUse> uses, StringRef name, KernelOp kernel) {
  Balance balance(uses, name);
  int64_t total = balance.of(kernel.getBody().front()).value_or(0);
  if (balance.reported()) return failure();
  if (total == 0) return success();
  bool tooManySets = total > 0;
  Operation *last = nullptr;
  for (const FlagUse &use : uses)
    if (use.isSet == tooManySets) last = use.op;
  return failWith(last,
                  Twine("flag ") + name + " is " + (tooManySets ? "set " : "waited for ") + Twine(std::abs(total)) +
                      " more than it is " + (tooManySets ? "waited for" : "set"),
                  "each wait consumes one set, and none may be left when the kernel ends");
}

/// Uses that can belong together.
LogicalResult checkGroup(ArrayRef<FlagUse> uses, StringRef name, KernelOp kernel, bool exact) {
  bool anySet = llvm::any_of(uses, [](const FlagUse &use) { return use.isSet; });
  bool anyWait = llvm::any_of(uses, [](const FlagUse &use) { return !use.isSet; });
  if (anySet && anyWait) return exact ? checkBalance(uses, name, kernel) : success();
  for (const FlagUse &use : uses)
    (void)failWith(
        use.op, Twine("flag ") + name + (anySet ? " is set but never waited for" : " is waited for but never set"),
        anySet ? "wait for it on the destination, or remove the set" : "set it on the source, or remove the wait");
  return failure();
}

/// All uses of the flags between two pipes of one core, or between cores.
LogicalResult checkFlags(ArrayRef<FlagUse> uses, StringRef pipes, KernelOp kernel, bool exact) {
  if (llvm::any_of(uses, [](const FlagUse &use) { return !use.id; })) return checkGroup(uses, pipes, kernel, false);
  std::map<int64_t, SmallVector<FlagUse>> byId;
  for (const FlagUse &use : uses) byId[*use.id].push_back(use);
  LogicalResult result = success();
  for (auto &[id, group] : byId)
    if (failed(checkGroup(group, std::to_string(id) + " " + pipes.str(), kernel, exact))) result = failure();
  return result;
}

/// The core that a flag between these pipes belongs to, where it is known.
std::optional<Core> coreOfFlag(Operation *op, Pipe src, Pipe dst) {
  if (std::optional<Core> core = coreOf(op)) return core;
  bool cube = isCubePair(src, dst), vector = isVectorPair(src, dst);
  if (cube == vector) return std::nullopt;
  return cube ? Core::cube : Core::vector;
}

struct Flags {
  std::map<std::pair<Pipe, Pipe>, SmallVector<FlagUse>> pipes;
  SmallVector<FlagUse> cross;
};

LogicalResult collect(Operation *op, Flags &flags) {
  auto pipeFlag = [&](auto flag, bool isSet) {
    flags.pipes[{flag.getSrc(), flag.getDst()}].push_back(
        {op, coreOfFlag(op, flag.getSrc(), flag.getDst()), constantValue(flag.getId()), isSet});
    if (failed(checkPair(op, flag.getSrc(), flag.getDst()))) return failure();
    return checkId(op, flag.getId(), 8);
  };
  if (auto set = dyn_cast<SetFlagOp>(op)) return pipeFlag(set, true);
  if (auto wait = dyn_cast<WaitFlagOp>(op)) return pipeFlag(wait, false);
  if (auto set = dyn_cast<SetCrossFlagOp>(op)) {
    flags.cross.push_back({op, std::nullopt, constantValue(set.getId()), true});
    return checkId(op, set.getId(), set.getMode() == 4 ? 32 : 16);
  }
  if (auto wait = dyn_cast<WaitCrossFlagOp>(op)) {
    flags.cross.push_back({op, std::nullopt, constantValue(wait.getId()), false});
    return checkId(op, wait.getId(), 32);
  }
  return success();
}

LogicalResult checkAllFlags(KernelOp kernel) {
  Flags flags;
  LogicalResult result = success();
  kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (failed(collect(op, flags))) result = failure();
  });
  if (failed(result)) return result;
  for (auto &[pair, uses] : flags.pipes) {
    std::string name = (stringifyPipe(pair.first) + "->" + stringifyPipe(pair.second)).str();
    // Each core has flags of its own; a use of no stated core may be on either.
    bool mixed = llvm::any_of(uses, [](const FlagUse &use) { return !use.core; });
    for (std::optional<Core> core : {std::optional(Core::cube), std::optional(Core::vector)}) {
      SmallVector<FlagUse> mine;
      for (const FlagUse &use : uses)
        if (mixed || use.core == core) mine.push_back(use);
      if (!mine.empty() && failed(checkFlags(mine, name, kernel, true))) result = failure();
      if (mixed) break;
    }
  }
  // Between cores one set may release several waits, so only their presence is checked.
  if (!flags.cross.empty() && failed(checkFlags(flags.cross, "between cores", kernel, false))) result = failure();
  return result;
}

// --- Grid barriers ------------------------------------------------------------------------------------------------

/// Whether the value follows from the index of the block. What comes from memory may be equal for all.
bool followsBlock(Value condition) {
  SmallVector<Value> values{condition};
  DenseSet<Value> seen;
  while (!values.empty()) {
    Value value = values.pop_back_val();
    if (!seen.insert(value).second) continue;
    Operation *op = value.getDefiningOp(), *owner = value.getParentBlock()->getParentOp();
    if (!op && isa<KernelOp>(owner)) return true;
    if (!op && isa<ForOp>(owner)) llvm::append_range(values, owner->getOperands());
    if (op && isMemoryEffectFree(op)) llvm::append_range(values, op->getOperands());
  }
  return false;
}

int64_t countBarriers(Region &region) {
  int64_t count = 0;
  region.walk([&](SyncAllOp) { ++count; });
  return count;
}

LogicalResult checkBarrier(SyncAllOp barrier) {
  for (auto condition = barrier->getParentOfType<IfOp>(); condition; condition = condition->getParentOfType<IfOp>()) {
    if (!followsBlock(condition.getCondition())) continue;
    if (countBarriers(condition.getThenBody()) == countBarriers(condition.getElseBody())) continue;
    InFlightDiagnostic diag = barrier.emitError("sync_all is reached by some blocks only");
    diag.attachNote(condition.getLoc()) << "this condition depends on the block";
    diag.attachNote() << "help: every block must reach it equally often; move it out of the condition";
    return diag;
  }
  return success();
}

struct CheckSync : impl::TileCheckSyncBase<CheckSync> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    bool fine = true;
    getOperation().walk([&](KernelOp kernel) { fine &= succeeded(checkAllFlags(kernel)); });
    getOperation().walk([&](SyncAllOp barrier) { fine &= succeeded(checkBarrier(barrier)); });
    if (!fine) signalPassFailure();
  }
};

} // namespace
} // namespace tessera
