// The state of the blocks of a grid that synchronisation operations see: flags, and who waits for whom.
//
// A block runs as the serial program that its text is. Bodies of scopes that wait for other cores run aside, as
// coroutines: one for the cube core, one for the vector cores. So do whole blocks if the kernel lets blocks wait for
// each other. All wait in `waitUntil`; where nothing moves any more, there is a deadlock.
#pragma once

#include "tilelang/ir/interp/coroutine.h"
#include "tilelang/ir/interp/frame.h"

#include "tilelang/ir/Tile.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace tessera::tile {

/// The kind of core that a statement runs on; nothing outside scopes.
using CoreKind = std::optional<Core>;

class BlockRun;

/// One launch of a kernel.
struct GridRun {
  std::vector<BlockRun *> blocks; // those that are alive
  int64_t events = 0;             // counts all that may end a wait
};

class BlockRun {
public:
  BlockRun(GridRun &grid, int64_t index) : grid(grid), index(index) {}

  GridRun &grid;
  const int64_t index;

  /// Raises or lowers a flag between pipes of one core; fails if it is up or down already.
  void setFlag(mlir::Operation *op, CoreKind core, Pipe src, Pipe dst, int64_t id);
  void waitFlag(mlir::Operation *op, CoreKind core, Pipe src, Pipe dst, int64_t id);

  void setCrossFlag(mlir::Operation *op, CoreKind core, int64_t id, int64_t mode);
  void waitCrossFlag(mlir::Operation *op, CoreKind core, int64_t id);

  /// Waits until all blocks have called this equally often on cores of this kind.
  void meetAll(mlir::Operation *op, CoreKind core);

  /// Runs the body of a scope, after the ones before it on the same kind of core, until it ends or waits.
  void runScope(ScopeOp op, const Frame &frame);
  /// Outside scopes: waits for bodies of scopes if the statement may touch what they use.
  void beforeStatement(mlir::Operation *op);
  /// Waits for all bodies of scopes and checks that no flag is left.
  void finish(mlir::Operation *kernel);

  [[noreturn]] void failDeadlock(mlir::Operation *fallback) const;

private:
  using FlagKey = std::tuple<CoreKind, Pipe, Pipe, int64_t>;
  using CrossKey = std::pair<CoreKind, int64_t>; // receiving core and id

  std::map<FlagKey, mlir::Operation *> raised; // by the operation that raised it
  std::map<CrossKey, int64_t> pending;         // counters of cross flags
  std::map<CrossKey, int64_t> met, attended;   // mode 0: sets, and waits that were served
  std::map<CoreKind, int64_t> arrivals;        // of sync_all
  std::array<std::unique_ptr<Coroutine>, 2> scopes;
  mlir::Operation *waitingAt = nullptr;
  std::string waitingFor;

  /// Lets the others run until `ready` is true. Without an operation the wait is on the bodies of scopes, which have
  /// said themselves what they wait for.
  void waitUntil(mlir::Operation *op, const std::string &what, FunctionRef<bool()> ready);
  /// Runs the bodies of scopes, or of one kind of core, until they end.
  void finishScopes(mlir::Operation *op, CoreKind only);
  bool resumeScopes(CoreKind only);
  bool takeCrossFlag(CoreKind core, int64_t id);
};

/// `coroutine.resume()`; fails at `op` where the machine has no thread left for it.
void resumeOrFail(Coroutine &coroutine, mlir::Operation *op);

} // namespace tessera::tile
