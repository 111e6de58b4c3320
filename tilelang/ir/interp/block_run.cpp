// Flags, and waiting.
#include "tilelang/ir/interp/block_run.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <fmt/format.h>

#include <system_error>

using namespace mlir;

namespace tessera::tile {
namespace {

constexpr int64_t kMostPending = 15; // what the hardware's counters hold

std::string flagText(Pipe src, Pipe dst, int64_t id) {
  return fmt::format("{}, {}, {}", stringifyPipe(src).str(), stringifyPipe(dst).str(), id);
}

void checkId(Operation *op, int64_t id, int64_t limit) {
  if (id >= 0 && id < limit) return;
  failAt(op, fmt::format("flag id {} does not exist", id), fmt::format("ids run from 0 to {}", limit - 1));
}

/// Whether bodies of scopes may go on running beside this statement.
bool runsBesideScopes(Operation *op) {
  return isa<ScopeOp, ForOp, WhileOp, IfOp, YieldOp, ConditionOp, BreakOp, ContinueOp, AllocOp>(op) || isPure(op);
}

bool mayWait(ScopeOp op) {
  return op.getBody()
      .walk([](Operation *inner) {
        return isa<WaitCrossFlagOp, SyncAllOp>(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace

void resumeOrFail(Coroutine &coroutine, Operation *op) try { coroutine.resume(); } catch (const std::system_error &) {
  failAt(op, "there are no threads to run the block on", "use a smaller grid");
}

void BlockRun::setFlag(Operation *op, CoreKind core, Pipe src, Pipe dst, int64_t id) {
  checkId(op, id, 8);
  if (!raised.emplace(FlagKey(core, src, dst, id), op).second)
    failAt(op, fmt::format("set_flag {} while the flag is still raised", flagText(src, dst, id)),
           "wait for it before setting it again");
}

void BlockRun::waitFlag(Operation *op, CoreKind core, Pipe src, Pipe dst, int64_t id) {
  checkId(op, id, 8);
  if (!raised.erase(FlagKey(core, src, dst, id)))
    failAt(op, fmt::format("deadlock: wait_flag {} without a set_flag before it", flagText(src, dst, id)),
           "every wait needs a set of the same pipes and id on the same core");
}

void BlockRun::setCrossFlag(Operation *op, CoreKind core, int64_t id, int64_t mode) {
  checkId(op, id, mode == 4 ? 32 : 16);
  ++grid.events;
  if (mode == 0) {
    ++met[{core, id}];
    return;
  }
  CoreKind receiver = core;
  if (mode == 1)
    receiver = Core::vector;
  else if (core)
    receiver = *core == Core::cube ? Core::vector : Core::cube;
  if (++pending[{receiver, id}] > kMostPending)
    failAt(op, fmt::format("cross-core flag {} is set {} times without a wait", id, kMostPending + 1),
           fmt::format("at most {} sets may be pending", kMostPending));
}

bool BlockRun::takeCrossFlag(CoreKind core, int64_t id) {
  auto take = [&](CoreKind receiver) {
    auto found = pending.find({receiver, id});
    return found != pending.end() && found->second > 0 && found->second--;
  };
  // A statement outside scopes is one of every core.
  bool taken = take(core) || (core ? take(std::nullopt) : take(Core::cube) || take(Core::vector));
  if (taken) return true;
  CrossKey key{core, id};
  bool allSet = llvm::all_of(grid.blocks, [&](BlockRun *block) { return block->met[key] > attended[key]; });
  if (allSet) ++attended[key];
  return allSet;
}

void BlockRun::waitCrossFlag(Operation *op, CoreKind core, int64_t id) {
  checkId(op, id, 32);
  waitUntil(op, fmt::format("wait_cross_flag {}", id), [&] { return takeCrossFlag(core, id); });
  ++grid.events;
}

void BlockRun::meetAll(Operation *op, CoreKind core) {
  int64_t round = ++arrivals[core];
  ++grid.events;
  waitUntil(op, "sync_all",
            [&] { return llvm::all_of(grid.blocks, [&](BlockRun *block) { return block->arrivals[core] >= round; }); });
}

void BlockRun::waitUntil(Operation *op, const std::string &what, FunctionRef<bool()> ready) {
  for (;;) {
    int64_t before = grid.events;
    if (ready()) return;
    if (op) {
      waitingAt = op;
      waitingFor = what;
    }
    if (Coroutine::inside())
      Coroutine::suspend();
    else if (grid.events == before)
      failDeadlock(op);
  }
}

void BlockRun::failDeadlock(Operation *fallback) const {
  Operation *op = waitingAt ? waitingAt : fallback;
  failAt(op, fmt::format("deadlock: {} in block {} waits for ever", waitingFor, index),
         "every wait needs a set on the core that it waits for, and every block must reach each sync_all");
}

bool BlockRun::resumeScopes(CoreKind only) {
  bool allEnded = true;
  for (Core core : {Core::cube, Core::vector}) {
    std::unique_ptr<Coroutine> &scope = scopes[static_cast<size_t>(core)];
    if (!scope) continue;
    scope->resume();
    if (scope->finished()) {
      scope.reset();
      ++grid.events;
    } else if (!only || *only == core) {
      allEnded = false;
    }
  }
  return allEnded;
}

void BlockRun::finishScopes(Operation *op, CoreKind only) {
  auto runs = [&](Core core) { return scopes[static_cast<size_t>(core)] != nullptr; };
  bool any = only ? runs(*only) : runs(Core::cube) || runs(Core::vector);
  if (any) waitUntil(nullptr, "", [&] { return resumeScopes(only); });
}

void BlockRun::runScope(ScopeOp op, const Frame &frame) {
  Core core = op.getCore();
  finishScopes(op, core);
  // The body keeps the values it sees now, whatever loops around it do meanwhile.
  auto body = [op, inner = Frame(frame, core)]() mutable { inner.runBody(op.getBody()); };
  if (!mayWait(op)) return body();
  auto scope = std::make_unique<Coroutine>(std::move(body));
  ++grid.events;
  resumeOrFail(*scope, op);
  if (!scope->finished()) scopes[static_cast<size_t>(core)] = std::move(scope);
}

void BlockRun::beforeStatement(Operation *op) {
  if ((scopes[0] || scopes[1]) && !runsBesideScopes(op)) finishScopes(op, std::nullopt);
}

void BlockRun::finish(Operation *kernel) {
  finishScopes(kernel, std::nullopt);
  ++grid.events;
  if (!raised.empty()) {
    const auto &[key, op] = *raised.begin();
    failAt(op,
           fmt::format("flag {} is left raised at the end of the kernel",
                       flagText(std::get<1>(key), std::get<2>(key), std::get<3>(key))),
           "every set needs a wait");
  }
  for (const auto &[key, count] : pending)
    if (count > 0)
      failAt(kernel, fmt::format("cross-core flag {} is left raised at the end of the kernel", key.second),
             "every set needs a wait");
}

} // namespace tessera::tile
