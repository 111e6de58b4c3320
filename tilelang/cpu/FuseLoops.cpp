// Merges copies, fills and parallel loops over the same box, so that values go from one to the next in registers.
#include "tilelang/cpu/Passes.h"
#include "tilelang/cpu/gemm/OperandLayout.h"
#include "tilelang/passes/ScalarForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace tessera::cpu {
#define GEN_PASS_DEF_CPUFUSELOOPS
#include "tilelang/cpu/Passes.h.inc"

using namespace mlir;
using namespace tile;

namespace {

using Box = SmallVector<int64_t>;

/// How one statement of a group touches a buffer.
struct Touch {
  Value tile; ///< as named by the access: a buffer or a region
  bool writes;
  bool isPointwise; ///< each point touches its own element of a whole on-chip buffer
};

/// A copy, fill or parallel loop as a loop over a box.
struct Statement {
  Operation *op;
  Box box;
  SmallVector<Touch> touches;
};

bool isWholeOnChip(Value tile, ArrayRef<int64_t> box) {
  auto alloc = tile.getDefiningOp<AllocOp>();
  return alloc && !layoutOf(alloc) && tileInfo(tile).space != Space::var && tileInfo(tile).shape == box;
}

/// A window of static size onto a tensor or buffer, or a whole buffer.
bool isBoxOf(Value tile, ArrayRef<int64_t> box) {
  if (tileInfo(tile).shape != box || layoutOf(tile)) return false;
  return tile.getDefiningOp<AllocOp>() || tile.getDefiningOp<RegionOp>();
}

bool dependsOn(Value value, BlockArgument variable) {
  if (value == variable) return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != variable.getOwner()) return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOn(operand, variable); });
}

/// Whether 16 adjacent points of the last dimension touch adjacent elements, or all the same one.
bool isRowwise(ValueRange indices, BlockArgument last) {
  if (indices.empty()) return true;
  for (Value index : indices.drop_back())
    if (dependsOn(index, last)) return false;
  Value index = indices.back();
  if (index == last || !dependsOn(index, last)) return true;
  auto sum = index.getDefiningOp<arith::AddIOp>();
  if (!sum) return false;
  return (sum.getLhs() == last && !dependsOn(sum.getRhs(), last)) ||
         (sum.getRhs() == last && !dependsOn(sum.getLhs(), last));
}

std::optional<Statement> ofParallel(ParallelOp loop) {
  Statement s{loop, {}, {}};
  for (Value extent : loop.getExtents()) {
    std::optional<int64_t> known = constantValue(extent);
    if (!known) return std::nullopt;
    s.box.push_back(*known);
  }
  Block &body = loop.getBody().front();
  for (Operation &op : body.without_terminator()) {
    auto load = dyn_cast<LoadOp>(op);
    auto store = dyn_cast<StoreOp>(op);
    if (!load && !store) {
      if (op.getNumRegions() > 0 || !isMemoryEffectFree(&op)) return std::nullopt;
      continue;
    }
    Value tile = load ? load.getTile() : store.getTile();
    ValueRange indices = load ? load.getIndices() : store.getIndices();
    if (tileInfo(tile).space == Space::var || layoutOf(tile)) return std::nullopt;
    if (!isRowwise(indices, body.getArguments().back())) return std::nullopt;
    bool pointwise = isWholeOnChip(tile, s.box) && llvm::equal(indices, body.getArguments());
    s.touches.push_back({tile, static_cast<bool>(store), pointwise});
  }
  return s;
}

std::optional<Statement> asStatement(Operation &op) {
  if (auto loop = dyn_cast<ParallelOp>(op)) return ofParallel(loop);
  if (auto fill = dyn_cast<FillOp>(op)) {
    Box box(tileInfo(fill.getDst()).shape);
    if (box.empty() || !isWholeOnChip(fill.getDst(), box)) return std::nullopt;
    return Statement{&op, box, {{fill.getDst(), true, true}}};
  }
  auto copy = dyn_cast<CopyOp>(op);
  if (!copy || copy.getRelu() || copy.getPadAttr()) return std::nullopt;
  Box box(tileInfo(copy.getDst()).shape);
  if (box.empty() || ShapedType::isDynamicShape(box)) return std::nullopt;
  if (!isBoxOf(copy.getSrc(), box) || !isBoxOf(copy.getDst(), box)) return std::nullopt;
  auto alloc = copy.getDst().getDefiningOp<AllocOp>();
  bool sameType = tileInfo(copy.getSrc()).element == tileInfo(copy.getDst()).element;
  // The pad is a value of the destination. Without one it is 0, which e8m0 does not have.
  bool isPadOfSource =
      sameType || (!(alloc && alloc.getPadAttr()) && !isa<Float8E8M0FNUType>(tileInfo(copy.getSrc()).element));
  if (!isPadOfSource) return std::nullopt;
  return Statement{&op,
                   box,
                   {{copy.getSrc(), false, isWholeOnChip(copy.getSrc(), box)},
                    {copy.getDst(), true, isWholeOnChip(copy.getDst(), box)}}};
}

/// Statements that follow each other with nothing but pure operations between.
class Group {
public:
  void clear() { members.clear(); }
  /// Whether something is gained: a step through memory between two statements, or before a reduction.
  bool isWorthMerging() const { return members.size() > 1 || (members.size() == 1 && isCopyToReduce()); }

  /// Adds a statement if it may run point by point with the others, and shares a buffer with them.
  bool add(const Statement &s) {
    if (!members.empty() && !fits(s)) return false;
    members.push_back(s);
    return true;
  }

  ParallelOp merge();

private:
  SmallVector<Statement> members;

  /// Whether the only statement is a copy right in front of a reduction along its rows.
  bool isCopyToReduce() const {
    auto copy = dyn_cast<CopyOp>(members.front().op);
    if (!copy || !members.front().touches.back().isPointwise) return false;
    Operation *next = copy->getNextNode();
    while (next && ((isMemoryEffectFree(next) && next->getNumRegions() == 0) || isa<AllocOp>(next)))
      next = next->getNextNode();
    auto reduce = dyn_cast_or_null<ReduceOp>(next);
    return reduce && reduce.getSrc() == copy.getDst() && reduce.getDst().getDefiningOp<AllocOp>() &&
           static_cast<size_t>(reduce.getDim()) + 1 == members.front().box.size();
  }

  bool fits(const Statement &s) const {
    if (s.box != members.front().box) return false;
    bool shares = false;
    for (const Statement &member : members)
      for (const Touch &before : member.touches)
        for (const Touch &now : s.touches) {
          if (baseBuffer(before.tile) != baseBuffer(now.tile)) continue;
          bool pointwise = before.isPointwise && now.isPointwise;
          if ((before.writes || now.writes) && !pointwise) return false;
          shares |= pointwise;
        }
    return shares;
  }
};

/// Builds the body of the merged loop.
class Merger {
public:
  Merger(OpBuilder &b, ParallelOp loop, ArrayRef<int64_t> box)
      : b(b), loop(loop), box(box), point(loop.getBody().getArguments()) {}

  void append(Operation *op) {
    b.setInsertionPoint(loop.getBody().front().getTerminator());
    if (auto copy = dyn_cast<CopyOp>(op)) return appendCopy(copy);
    if (auto fill = dyn_cast<FillOp>(op)) return store(fill.getLoc(), fill.getValue(), fill.getDst(), point);
    IRMapping mapping;
    auto old = cast<ParallelOp>(op);
    mapping.map(old.getBody().getArguments(), point);
    for (Operation &inner : old.getBody().front().without_terminator()) appendFromLoop(inner, mapping);
  }

private:
  OpBuilder &b;
  ParallelOp loop;
  ArrayRef<int64_t> box;
  ValueRange point;
  llvm::DenseMap<Value, StoreOp> stored; ///< the last store to each buffer at the point

  void appendFromLoop(Operation &op, IRMapping &mapping) {
    auto indicesOf = [&](ValueRange old) {
      return llvm::map_to_vector(old, [&](Value index) { return mapping.lookupOrDefault(index); });
    };
    if (auto access = dyn_cast<LoadOp>(op)) {
      SmallVector<Value> indices = indicesOf(access.getIndices());
      mapping.map(access.getValue(), load(op.getLoc(), access.getTile(), indices, access.getValue().getType(), {}));
    } else if (auto access = dyn_cast<StoreOp>(op)) {
      store(op.getLoc(), mapping.lookupOrDefault(access.getValue()), access.getTile(), indicesOf(access.getIndices()));
    } else {
      b.clone(op, mapping);
    }
  }

  void appendCopy(CopyOp copy) {
    Type from = tileInfo(copy.getSrc()).element, to = tileInfo(copy.getDst()).element;
    auto alloc = copy.getDst().getDefiningOp<AllocOp>();
    Value value = load(copy.getLoc(), copy.getSrc(), point, scalarType(from), alloc ? alloc.getPadAttr() : Attribute());
    if (from != to) {
      bool saturate = isNarrowFloat(to);
      value = CastOp::create(b, copy.getLoc(), scalarType(to), value, RoundingAttr(), saturate, isUnsigned(from),
                             isUnsigned(to));
    }
    store(copy.getLoc(), value, copy.getDst(), point);
  }

  bool isAtPoint(Value tile, ValueRange indices) const {
    return isWholeOnChip(tile, box) && llvm::equal(indices, point);
  }

  Value load(Location loc, Value tile, ValueRange indices, Type type, Attribute pad) {
    if (StoreOp store = isAtPoint(tile, indices) ? stored.lookup(tile) : StoreOp()) return store.getValue();
    auto load = LoadOp::create(b, loc, type, tile, indices);
    if (pad) load->setAttr("cpu.pad", pad);
    return load.getValue();
  }

  void store(Location loc, Value value, Value tile, ValueRange indices) {
    auto store = StoreOp::create(b, loc, value, tile, indices);
    if (!isAtPoint(tile, indices)) return;
    if (StoreOp earlier = stored.lookup(tile)) earlier.erase(); // every load of it has got its value
    stored[tile] = store;
  }
};

ParallelOp Group::merge() {
  Operation *last = members.back().op;
  OpBuilder b(last);
  SmallVector<Value> extents;
  for (int64_t extent : members.front().box)
    extents.push_back(arith::ConstantIndexOp::create(b, last->getLoc(), extent));
  auto loop = ParallelOp::create(b, last->getLoc(), ValueRange(extents));
  Merger merger(b, loop, members.front().box);
  for (const Statement &member : members) merger.append(member.op);
  for (const Statement &member : members) member.op->erase();
  return loop;
}

/// Marks the reductions right behind a loop that fold, along its rows, what it stores.
void mergeReduces(ParallelOp loop) {
  std::optional<Statement> statement = ofParallel(loop);
  if (!statement) return;
  for (Operation *next = loop->getNextNode(); next; next = next->getNextNode()) {
    if ((isMemoryEffectFree(next) && next->getNumRegions() == 0) || isa<AllocOp>(next)) continue;
    auto reduce = dyn_cast<ReduceOp>(next);
    if (!reduce || static_cast<size_t>(reduce.getDim()) + 1 != statement->box.size()) return;
    auto dst = reduce.getDst().getDefiningOp<AllocOp>();
    bool isKnown = dst && dst->getBlock()->findAncestorOpInBlock(*loop) &&
                   dst->isBeforeInBlock(dst->getBlock()->findAncestorOpInBlock(*loop));
    bool stores = false, meetsDst = false;
    for (const Touch &touch : statement->touches) {
      stores |= touch.tile == reduce.getSrc() && touch.writes && touch.isPointwise;
      meetsDst |= baseBuffer(touch.tile) == reduce.getDst();
      if (baseBuffer(touch.tile) == reduce.getSrc() && !touch.isPointwise) return;
    }
    if (!isKnown || !stores || meetsDst || layoutOf(dst)) return;
    reduce->setAttr("cpu.merged", UnitAttr::get(reduce.getContext()));
    statement->touches.push_back({reduce.getDst(), true, false}); // the next one must not meet it either
  }
}

/// Whether a statement gives every element of a buffer a value.
bool fillsWhole(Operation &op, Value buffer) {
  if (auto copy = dyn_cast<CopyOp>(op))
    return copy.getDst() == buffer && tileInfo(copy.getSrc()).shape == tileInfo(buffer).shape;
  if (auto fill = dyn_cast<FillOp>(op)) return fill.getDst() == buffer;
  auto loop = dyn_cast<ParallelOp>(op);
  std::optional<Statement> statement = loop ? ofParallel(loop) : std::nullopt;
  return statement && llvm::any_of(statement->touches, [&](const Touch &touch) {
           return touch.tile == buffer && touch.writes && touch.isPointwise;
         });
}

/// Whether a statement of the same block in front of `user` gives the buffer new contents, after `writer` has run.
bool readsNewContents(Operation *user, Value buffer, Operation *writer) {
  for (Operation *op = user->getPrevNode(); op && !op->isAncestor(writer); op = op->getPrevNode())
    if (fillsWhole(*op, buffer)) return true;
  return false;
}

/// Whether a reduction takes what it reads from the loop itself.
bool isMergedWith(Operation *op, ParallelOp loop) {
  return op->hasAttr("cpu.merged") && op->getBlock() == loop->getBlock() && loop->isBeforeInBlock(op) &&
         llvm::none_of(llvm::make_range(std::next(loop->getIterator()), op->getIterator()),
                       [](Operation &between) { return isa<ParallelOp>(between); });
}

/// Whether a load takes the element that the store is about to replace.
bool isReadInFront(Operation *user, StoreOp store) {
  auto load = dyn_cast<LoadOp>(user);
  return load && load->getBlock() == store->getBlock() && load->isBeforeInBlock(store) &&
         llvm::equal(load.getIndices(), store.getIndices());
}

/// Erases stores whose values nobody sees: all other uses of the buffer begin with values of their own.
void eraseDeadStores(ParallelOp loop) {
  SmallVector<StoreOp> stores(loop.getBody().getOps<StoreOp>());
  for (StoreOp store : stores) {
    Value buffer = store.getTile();
    if (!buffer.getDefiningOp<AllocOp>() || layoutOf(buffer)) continue;
    bool seen = llvm::any_of(buffer.getUsers(), [&](Operation *user) {
      if (isa<StoreOp, FillOp>(user) || isMergedWith(user, loop)) return false;
      if (auto copy = dyn_cast<CopyOp>(user); copy && copy.getDst() == buffer && copy.getSrc() != buffer) return false;
      Operation *statement = isa<ParallelOp>(user->getParentOp()) ? user->getParentOp() : user;
      if (statement == loop && !isReadInFront(user, store)) return true;
      return isa<RegionOp, ViewOp>(user) || !readsNewContents(statement, buffer, loop);
    });
    if (seen) continue;
    if (llvm::any_of(buffer.getUsers(), [&](Operation *user) { return isMergedWith(user, loop); }))
      store->setAttr("cpu.unused", UnitAttr::get(store.getContext())); // but its value is
    else
      store.erase();
  }
}

struct FuseLoops : impl::CpuFuseLoopsBase<FuseLoops> {
  void runOnOperation() override {
    getOperation().walk([&](KernelOp kernel) {
      kernel.walk([&](Block *block) {
        if (!isa<ParallelOp>(block->getParentOp())) mergeIn(*block);
      });
      SmallVector<ParallelOp> loops;
      kernel.walk([&](ParallelOp loop) { loops.push_back(loop); });
      for (ParallelOp loop : loops) mergeReduces(loop);
      for (ParallelOp loop : loops) eraseDeadStores(loop);
    });
  }

private:
  static void mergeIn(Block &block) {
    Group group;
    auto flush = [&] {
      if (group.isWorthMerging()) group.merge();
      group.clear();
    };
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isMemoryEffectFree(&op) && op.getNumRegions() == 0 && !op.hasTrait<OpTrait::IsTerminator>()) continue;
      if (isa<AllocOp>(op)) continue;
      std::optional<Statement> statement = asStatement(op);
      if (statement && group.add(*statement)) continue;
      flush();
      if (statement) group.add(*statement);
    }
    flush();
  }
};

} // namespace
} // namespace tessera::cpu
