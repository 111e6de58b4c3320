// Finds iterations of a parallel loop that provably meet: both write one element, or one reads what the other writes.
//
// The index expressions of every access are evaluated at a few iterations (the origin, the first ones along each axis
// and those that the constants of the body suggest). Two accesses at different iterations that are the same sums are
// the same element, whatever the unknowns are; accesses that depend on loaded data never are.
#include "tilelang/passes/Passes.h"
#include "tilelang/passes/ScalarForm.h"
#include "tilelang/passes/TileAccess.h"

#include "tilelang/ir/TileInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <set>

namespace tessera {
#define GEN_PASS_DEF_TILECHECKPARALLEL
#include "tilelang/passes/Passes.h.inc"

using namespace mlir;
using namespace tile;

namespace {

using Point = std::vector<int64_t>;

struct Access {
  Operation *op;
  Value tile;
  ValueRange indices;
  Value stored; ///< null for a load
};

/// An element that an access touches at one iteration, and when it does.
struct Element {
  Value root; ///< the buffer or view that is indexed
  std::vector<ScalarForm> indices;
  std::vector<ScalarForm> conditions; ///< of the loops and unknown conditions around it
  std::vector<const void *> around;   ///< these loops and conditions, and which side of a condition

  auto key() const { return std::tuple(root.getAsOpaquePointer(), indices, conditions, around); }
};

struct Visit {
  Point point;
  const Access *access;
  std::optional<ScalarForm> stored;
};

std::string text(const Point &point) {
  std::string result = "(";
  for (size_t i = 0; i < point.size(); ++i) result += (i ? ", " : "") + std::to_string(point[i]);
  return result + ")";
}

class LoopChecker {
public:
  explicit LoopChecker(ParallelOp loop) : loop(loop) {}
  LogicalResult run();

private:
  void collect();
  void collectConstants(Operation *op);
  std::vector<Point> points();
  void visit(const Point &point);
  std::optional<Element> elementOf(const Access &access, ScalarForms &forms);
  bool addSurroundings(const Access &access, ScalarForms &forms, Element &element);
  bool keepsValue(const Access &access, const Element &element, ScalarForms &forms);
  void compare(const Element &element, const Visit &first, const Visit &second);
  std::string elementText(const Element &element) const;
  void warnOfPrivateArrays();

  ParallelOp loop;
  std::vector<Access> accesses;
  DenseSet<Value> written; ///< buffers
  llvm::SmallSetVector<int64_t, 8> constants;
  bool hasRunTimeExtent = false;
  ScalarTerms terms;
  std::map<decltype(std::declval<Element>().key()), std::vector<Visit>> visits;
  std::set<Operation *> reported;
};

/// Strides, divisors, moduli and masks tell which iterations may meet.
void LoopChecker::collectConstants(Operation *op) {
  if (!isa<arith::MulIOp, arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp, arith::CeilDivSIOp, arith::RemSIOp,
           arith::RemUIOp, arith::AndIOp, arith::CmpIOp>(op))
    return;
  for (Value operand : op->getOperands())
    if (std::optional<int64_t> constant = constantValue(operand);
        constant && *constant > 0 && *constant < INT32_MAX && constants.size() < 16) {
      constants.insert(*constant);
      if (isa<arith::AndIOp>(op)) constants.insert(*constant + 1);
    }
}

void LoopChecker::collect() {
  loop.getBody().walk([&](Operation *op) {
    collectConstants(op);
    if (auto load = dyn_cast<LoadOp>(op)) accesses.push_back({op, load.getTile(), load.getIndices(), {}});
    if (auto store = dyn_cast<StoreOp>(op)) {
      accesses.push_back({op, store.getTile(), store.getIndices(), store.getValue()});
      written.insert(baseBuffer(store.getTile()));
    }
    if (auto atomic = dyn_cast<AtomicOp>(op)) written.insert(baseBuffer(atomic.getTile()));
  });
  // A variable is private to the iteration, and what nobody stores to cannot race.
  llvm::erase_if(accesses, [&](const Access &access) {
    return tileInfo(access.tile).space == Space::var || !written.contains(baseBuffer(access.tile));
  });
}

/// The iterations that are looked at: along each axis the first ones and those at constants that occur in the body.
/// Along an axis of run-time extent only two, the fewest it can have if it matters that the loop is parallel.
std::vector<Point> LoopChecker::points() {
  size_t rank = loop.getExtents().size();
  std::vector<Point> list{Point(rank, 0)};
  for (size_t d = 0; d < rank; ++d) {
    std::optional<int64_t> extent = constantValue(loop.getExtents()[d]);
    std::set<int64_t> along{1};
    if (extent) {
      along.insert({2, 3});
      along.insert(constants.begin(), constants.end());
    }
    for (int64_t x : along) {
      if (x < 1 || x >= extent.value_or(2)) continue;
      list.emplace_back(rank, 0);
      list.back()[d] = x;
    }
  }
  return list;
}

/// Adds the loops and conditions around an access; false if it isn't known to run at this iteration.
bool LoopChecker::addSurroundings(const Access &access, ScalarForms &forms, Element &element) {
  Operation *inner = access.op;
  for (Operation *op = inner->getParentOp(); op != loop; inner = op, op = op->getParentOp()) {
    if (auto condition = dyn_cast<IfOp>(op)) {
      bool inThen = inner->getParentRegion() == &condition.getThenBody();
      ScalarForm form = forms.of(condition.getCondition());
      if (form.isConstant() && (form.constant != 0) != inThen) return false;
      if (form.isConstant()) continue;
      // An unknown condition may be there to keep all but one iteration away.
      if (hasRunTimeExtent) return false;
      element.conditions.push_back(form);
      element.around.insert(element.around.end(), {op, inThen ? op : nullptr});
      continue;
    }
    auto serial = dyn_cast<ForOp>(op);
    bool jumps = false;
    if (serial) serial.getBody().walk([&](Operation *statement) { jumps |= isa<BreakOp, ContinueOp>(statement); });
    if (!serial || jumps) return false;
    std::vector<ScalarForm> bounds = forms.of(serial->getOperands());
    if (bounds[0].isConstant() && bounds[1].isConstant() && bounds[0].constant >= bounds[1].constant) return false;
    element.conditions.insert(element.conditions.end(), bounds.begin(), bounds.end());
    element.around.push_back(op);
  }
  return true;
}

std::optional<Element> LoopChecker::elementOf(const Access &access, ScalarForms &forms) {
  Element element{access.tile, forms.of(access.indices), {}, {}};
  if (auto window = access.tile.getDefiningOp<RegionOp>()) {
    element.root = window.getBuffer();
    for (auto [index, offset] : llvm::zip(element.indices, window.getMixedOffsets())) {
      ScalarForm start;
      if (auto value = dyn_cast<Value>(offset))
        start = forms.of(value);
      else
        start.constant = cast<IntegerAttr>(cast<Attribute>(offset)).getInt();
      std::optional<ScalarForm> sum = addForms(index, start);
      if (!sum) return std::nullopt;
      index = *sum;
    }
  }
  // What lies outside the buffer is read as the pad value and never written.
  for (auto [index, extent] : llvm::zip(element.indices, tileInfo(element.root).shape))
    if (index.isConstant() && (index.constant < 0 || (!ShapedType::isDynamic(extent) && index.constant >= extent)))
      return std::nullopt;
  if (!addSurroundings(access, forms, element)) return std::nullopt;
  return element;
}

/// Whether a store writes the value that it has just loaded from the same element.
bool LoopChecker::keepsValue(const Access &access, const Element &element, ScalarForms &forms) {
  auto load = access.stored ? access.stored.getDefiningOp<LoadOp>() : LoadOp();
  if (!load) return false;
  std::optional<Element> source = elementOf({load, load.getTile(), load.getIndices(), {}}, forms);
  return source && source->root == element.root && source->indices == element.indices;
}

void LoopChecker::visit(const Point &point) {
  ScalarForms forms(terms, loop, &written);
  for (auto [argument, x] : llvm::zip(loop.getBody().getArguments(), point)) forms.bind(argument, x);
  for (const Access &access : accesses) {
    std::optional<Element> element = elementOf(access, forms);
    if (!element || keepsValue(access, *element, forms)) continue;
    Visit visit{point, &access, {}};
    if (access.stored) visit.stored = forms.of(access.stored);
    std::vector<Visit> &others = visits[element->key()];
    for (const Visit &other : others) compare(*element, other, visit);
    others.push_back(visit);
  }
}

std::string LoopChecker::elementText(const Element &element) const {
  std::string buffer = quotedName(element.root);
  std::string indices;
  for (const ScalarForm &index : element.indices) {
    if (!index.isConstant()) return "the same element of " + buffer;
    indices += (indices.empty() ? "" : ", ") + std::to_string(index.constant);
  }
  return "element [" + indices + "] of " + buffer;
}

/// Two visits of one element. Reads do not disturb each other, nor do equal values written twice.
void LoopChecker::compare(const Element &element, const Visit &first, const Visit &second) {
  if (first.point == second.point || (!first.stored && !second.stored)) return;
  if (first.stored && first.stored == second.stored) return;
  const Visit &store = first.stored ? first : second, &other = first.stored ? second : first;
  if (!reported.insert(store.access->op).second) return;
  bool bothWrite = other.stored.has_value();
  std::string what = bothWrite
                         ? "racy write in a parallel loop: iterations " + text(store.point) + " and " +
                               text(other.point) + " both write " + elementText(element)
                         : "parallel iterations depend on each other: iteration " + text(store.point) + " writes " +
                               elementText(element) + ", which iteration " + text(other.point) + " reads";
  InFlightDiagnostic diag = store.access->op->emitError(what);
  if (other.access->op != store.access->op)
    diag.attachNote(other.access->op->getLoc()) << (bothWrite ? "the other write is here" : "it is read here");
  diag.attachNote()
      << "help: iterations run in any order; "
      << (bothWrite ? "let every parallel index choose the element, or use tile.reduce, an atomic or a serial loop"
                    : "write to another buffer, or use a serial loop");
}

/// Targets with threads keep a private array in each of them, so that this program is no longer the same there.
void LoopChecker::warnOfPrivateArrays() {
  ScalarForms origin(terms, loop, &written), next(terms, loop, &written);
  for (BlockArgument argument : loop.getBody().getArguments()) {
    origin.bind(argument, 0);
    next.bind(argument, 1);
  }
  for (const Access &access : accesses) {
    if (!access.stored || tileInfo(access.tile).space != Space::local) continue;
    if (origin.of(access.indices) == next.of(access.indices)) continue;
    InFlightDiagnostic diag = access.op->emitWarning("private array ")
                              << quotedName(access.tile) << " is indexed by a parallel loop";
    diag.attachNote() << "help: elements that iterations share belong in a fragment or shared tile";
  }
}

/// The first statement after `op` that reads or writes the variable, if it reads it.
Operation *nextRead(Operation *op, Value variable) {
  for (; op && !isa<KernelOp>(op); op = op->getParentOp())
    for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
      Operation *found = nullptr;
      bool reads = false;
      next->walk<WalkOrder::PreOrder>([&](Operation *inner) {
        for (const TileAccess &access : tileAccesses(inner)) {
          if (baseBuffer(access.tile) != variable) continue;
          found = inner;
          reads |= access.reads;
        }
        return found ? WalkResult::interrupt() : WalkResult::advance();
      });
      if (found) return reads ? found : nullptr;
    }
  return nullptr;
}

/// Each iteration has its own copy of a variable that the body writes; what the variable holds afterwards is nobody's.
LogicalResult checkVariables(ParallelOp loop) {
  llvm::MapVector<Value, StoreOp> stores;
  loop.getBody().walk([&](StoreOp store) {
    if (tileInfo(store.getTile()).space == Space::var) stores.insert({baseBuffer(store.getTile()), store});
  });
  LogicalResult result = success();
  for (auto [variable, store] : stores) {
    Operation *read = nextRead(loop, variable);
    if (!read) continue;
    result = failure();
    InFlightDiagnostic diag = read->emitError(quotedName(variable)) << " is read after a parallel loop that wrote it";
    diag.attachNote(store.getLoc()) << "it is written here";
    diag.attachNote()
        << "help: every iteration has its own copy; store to a buffer, or use tile.reduce or a serial loop";
  }
  return result;
}

LogicalResult LoopChecker::run() {
  collect();
  for (Value extent : loop.getExtents()) {
    std::optional<int64_t> known = constantValue(extent);
    if (known && *known < 1) return success();
    hasRunTimeExtent |= !known;
  }
  if (!accesses.empty())
    for (const Point &point : points()) visit(point);
  warnOfPrivateArrays();
  return success(reported.empty());
}

struct CheckParallel : impl::TileCheckParallelBase<CheckParallel> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    bool fine = true;
    getOperation().walk([&](ParallelOp loop) {
      fine &= succeeded(LoopChecker(loop).run());
      fine &= succeeded(checkVariables(loop));
    });
    if (!fine) signalPassFailure();
  }
};

} // namespace
} // namespace tessera
