// What the interpretation of one operation sees: the values computed so far, the run it belongs to, its block.
//
// Each group of operations has a file that adds its handlers to the table; an operation without one is an error.
#pragma once

#include "tilelang/ir/interp/interpret.h"
#include "tilelang/ir/interp/runtime_tile.h"
#include "tilelang/ir/interp/scalar.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/Region.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>
#include <string>
#include <type_traits>
#include <variant>

namespace tessera::tile {

class Frame;
class BlockRun;
enum class Core : uint32_t;

/// Where control goes after an operation: on, out of the innermost loop, to its next iteration.
enum class Flow { next, leaveLoop, nextIteration };

/// The handlers of all operations.
class Handlers {
public:
  using Handler = std::function<Flow(mlir::Operation *, Frame &)>;

  /// `run(Op, Frame &)` gives void, for operations that go on, or Flow.
  template <class Op, class Run> void add(Run run) {
    table[mlir::TypeID::get<Op>()] = [run](mlir::Operation *op, Frame &frame) {
      if constexpr (std::is_void_v<std::invoke_result_t<Run, Op, Frame &>>) {
        run(llvm::cast<Op>(op), frame);
        return Flow::next;
      } else {
        return run(llvm::cast<Op>(op), frame);
      }
    };
  }
  const Handler *find(mlir::Operation *op) const;

private:
  llvm::DenseMap<mlir::TypeID, Handler> table;
};

void addIntegerHandlers(Handlers &handlers);
void addFloatHandlers(Handlers &handlers);
void addMathHandlers(Handlers &handlers);
void addConversionHandlers(Handlers &handlers);
void addBufferHandlers(Handlers &handlers);
void addMoveHandlers(Handlers &handlers);
void addGemmHandlers(Handlers &handlers);
void addReduceHandlers(Handlers &handlers);
void addSyncHandlers(Handlers &handlers);
void addPrintHandlers(Handlers &handlers);
void addControlHandlers(Handlers &handlers);
void addGridHandlers(Handlers &handlers);

/// One call of `interpret`.
struct Run {
  const Handlers &handlers;
  const InterpreterOptions &options;
  int64_t steps = 0;

  /// Counts steps and fails at `op` when there are too many.
  void charge(mlir::Operation *op, int64_t count);
};

class Frame {
public:
  /// `outer` holds the values from outside the kernel; `block` is null there.
  Frame(Run &run, const Frame *outer, BlockRun *block) : run(run), block(block), outer(outer) {}
  /// A copy for the body of a scope.
  Frame(const Frame &from, Core core)
      : run(from.run), block(from.block), core(core), values(from.values), outer(from.outer) {}

  Run &run;
  BlockRun *const block;
  const std::optional<Core> core; // inside a scope: the kind of core that runs its body

  /// Runs the one block of a region.
  Flow runBody(mlir::Region &region);

  uint64_t bits(mlir::Value value) const;
  /// Bits of the value's type; an error for those that tile programs do not have.
  unsigned width(mlir::Value value) const;
  Word word(mlir::Value value) const { return {bits(value), width(value)}; }
  int64_t index(mlir::Value value) const { return word(value).value(); }
  Extents indices(mlir::ValueRange values) const;
  /// The format of a floating value; an error for those that tile programs do not have.
  DType floatType(mlir::Value value) const;
  double real(mlir::Value value) const { return decodeReal(floatType(value), bits(value)); }
  const RuntimeTile &tile(mlir::Value value) const;

  /// `bits` may have anything above the width of the value's type, which must be one that programs compute with.
  void set(mlir::Value value, uint64_t bits);
  void set(mlir::Value value, RuntimeTile tile);
  /// Rounds once, to nearest even.
  void setReal(mlir::Value value, double real);
  /// Gives `to` what `from` has.
  void copyValue(mlir::Value to, mlir::Value from);

private:
  using Slot = std::variant<uint64_t, std::shared_ptr<const RuntimeTile>>;
  llvm::DenseMap<mlir::Value, Slot> values;
  const Frame *outer;

  const Slot &find(mlir::Value value) const;
};

/// Throws an Error at the operation's source line.
[[noreturn]] void failAt(mlir::Operation *op, const std::string &what, const std::string &advice);

/// Fails if the tile belongs to a tensor that was passed read-only.
void requireWritable(mlir::Operation *op, const RuntimeTile &tile);

/// "`A`", or "the buffer" where the author gave no name.
std::string quotedName(const RuntimeTile &tile);

} // namespace tessera::tile
