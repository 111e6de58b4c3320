// Parallel loops and the tile moves that are parallel loops: boxes of iterations, 16 lanes at a time.
#include "tilelang/cpu/emit/Emitter.h"
#include "tilelang/cpu/emit/MergedReduces.h"
#include "tilelang/cpu/emit/StreamingStores.h"
#include "tilelang/cpu/gemm/OperandLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

namespace {

std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) return constant.getSExtValue();
  return std::nullopt;
}

} // namespace

LogicalResult Emitter::emitLanes(Value lower, Value extent, function_ref<LogicalResult(Lanes)> body) {
  llvm::SaveAndRestore lanesOn(inLanes, true);
  std::optional<int64_t> known = constantOf(extent);
  Value whole =
      known ? index(*known / kLanes * kLanes)
            : arith::MulIOp::create(b, arith::DivUIOp::create(b, extent, index(kLanes)), index(kLanes)).getResult();
  auto step = [&](Value first) { return body({first, 1}); };
  if (!known || *known >= kLanes)
    if (failed(emitFor(lower, whole, index(kLanes), step))) return failure();
  if (known && *known % kLanes == 0) return success();
  auto tail = [&]() -> LogicalResult {
    Value left = arith::SubIOp::create(b, extent, whole);
    auto type = VectorType::get({kLanes}, b.getI1Type());
    llvm::SaveAndRestore<Value> masked(mask, vector::CreateMaskOp::create(b, type, ValueRange{left}));
    return step(whole);
  };
  if (known) return tail();
  return emitIf(arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, extent, whole), tail);
}

LogicalResult Emitter::emitBox(ArrayRef<Value> extents, int64_t vectorDim, BoxBody body) {
  SmallVector<Lanes> point(extents.size());
  SmallVector<int64_t> order;
  for (int64_t d = 0; d < static_cast<int64_t>(extents.size()); ++d)
    if (d != vectorDim) order.push_back(d);

  auto innermost = [&]() -> LogicalResult {
    if (vectorDim < 0) return body(point);
    return emitLanes(index(0), extents[vectorDim], [&](Lanes lanes) {
      point[vectorDim] = lanes;
      return body(point);
    });
  };

  std::function<LogicalResult(size_t)> nest = [&](size_t depth) -> LogicalResult {
    if (depth == order.size()) return innermost();
    int64_t d = order[depth];
    if (constantOf(extents[d]) == 1) {
      point[d] = {index(0)};
      return nest(depth + 1);
    }
    return emitFor(index(0), extents[d], index(1), [&](Value i) {
      point[d] = {i};
      return nest(depth + 1);
    });
  };
  return nest(0);
}

namespace {

/// How an index of a parallel body moves with the loop's indices: coefficient of each; nothing if it isn't affine.
std::optional<SmallVector<int64_t>> coefficients(Value value, ParallelOp loop) {
  size_t rank = loop.getExtents().size();
  SmallVector<int64_t> result(rank, 0);
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (argument.getOwner() == &loop.getBody().front()) {
      result[argument.getArgNumber()] = 1;
      return result;
    }
  Operation *op = value.getDefiningOp();
  if (!op || !loop->isProperAncestor(op)) {
    auto argument = dyn_cast<BlockArgument>(value);
    // An index of a loop inside the body is not known where the box starts.
    if (argument && loop->isProperAncestor(argument.getOwner()->getParentOp())) return std::nullopt;
    return result;
  }
  if (isa<arith::ConstantOp>(op)) return result;
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op)) return std::nullopt;
  auto lhs = coefficients(op->getOperand(0), loop), rhs = coefficients(op->getOperand(1), loop);
  if (!lhs || !rhs) return std::nullopt;
  std::optional<int64_t> left = constantOf(op->getOperand(0)), right = constantOf(op->getOperand(1));
  for (size_t d = 0; d < rank; ++d) {
    if (isa<arith::AddIOp>(op))
      result[d] = (*lhs)[d] + (*rhs)[d];
    else if (isa<arith::SubIOp>(op))
      result[d] = (*lhs)[d] - (*rhs)[d];
    else if (right)
      result[d] = (*lhs)[d] * *right;
    else if (left)
      result[d] = (*rhs)[d] * *left;
    else if ((*lhs)[d] != 0 || (*rhs)[d] != 0)
      return std::nullopt;
  }
  return result;
}

/// Emits an affine index for all loop indices at zero, in front of the loop.
Value atOrigin(Emitter &e, Value value, ParallelOp loop) {
  if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &loop.getBody().front())
    return e.index(0);
  Operation *op = value.getDefiningOp();
  if (!op || !loop->isProperAncestor(op)) return e.scalar(value);
  if (auto constant = constantOf(value)) return e.index(*constant);
  Value lhs = atOrigin(e, op->getOperand(0), loop), rhs = atOrigin(e, op->getOperand(1), loop);
  if (isa<arith::AddIOp>(op)) return e.b.createOrFold<arith::AddIOp>(lhs, rhs);
  if (isa<arith::SubIOp>(op)) return e.b.createOrFold<arith::SubIOp>(lhs, rhs);
  return e.b.createOrFold<arith::MulIOp>(lhs, rhs);
}

/// What an element access touches.
struct Access {
  Operation *op;
  Value tile;
  ValueRange indices;
};

SmallVector<Access> accessesOf(ParallelOp loop) {
  SmallVector<Access> list;
  loop.getBody().walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op))
      list.push_back({op, load.getTile(), load.getIndices()});
    else if (auto store = dyn_cast<StoreOp>(op))
      list.push_back({op, store.getTile(), store.getIndices()});
    else if (auto atomic = dyn_cast<AtomicOp>(op))
      list.push_back({op, atomic.getTile(), atomic.getIndices()});
  });
  return list;
}

/// The dimension whose neighbours are neighbours in memory for most accesses; the last one where none stands out.
int64_t bestVectorDim(ParallelOp loop, ArrayRef<Access> accesses) {
  int64_t best = -1, bestScore = -1;
  for (int64_t d = 0; d < static_cast<int64_t>(loop.getExtents().size()); ++d) {
    std::optional<int64_t> extent = constantOf(loop.getExtents()[d]);
    if (extent == 1) continue;
    int64_t score = 0;
    for (const Access &access : accesses) {
      if (access.indices.empty()) continue;
      auto last = coefficients(access.indices.back(), loop);
      score += last && (*last)[d] == 1;
    }
    if (score >= bestScore) std::tie(best, bestScore) = std::pair(d, score);
  }
  return best;
}

/// Whether lanes store neighbours, and each row begins as many whole cache lines after another.
bool storesRows(const Access &access, ParallelOp loop, int64_t vectorDim) {
  if (!isa<StoreOp>(access.op) || access.indices.empty()) return false;
  auto last = coefficients(access.indices.back(), loop);
  if (!last || (*last)[vectorDim] != 1) return false;
  int64_t perLine = 512 / storageType(tileInfo(access.tile).element).getIntOrFloatBitWidth();
  for (auto [d, coefficient] : llvm::enumerate(*last))
    if (static_cast<int64_t>(d) != vectorDim && coefficient % perLine != 0) return false;
  return true;
}

llvm::SmallSetVector<Value, 4> variablesWritten(ParallelOp loop) {
  llvm::SmallSetVector<Value, 4> variables;
  loop.getBody().walk([&](StoreOp store) {
    if (tileInfo(store.getTile()).space == Space::var) variables.insert(store.getTile());
  });
  return variables;
}

/// Whether the body can be emitted for 16 iterations at once: no statement whose effect is per iteration and ordered,
/// and inner loops that all lanes run equally often.
bool canUseLanes(ParallelOp loop) {
  // Values that may differ between lanes: whatever comes from an index of the loop, from a load at such an index, or
  // from a variable written in the body.
  llvm::DenseSet<Value> varying;
  llvm::SmallSetVector<Value, 4> writtenVars = variablesWritten(loop);
  for (BlockArgument index : loop.getBody().getArguments()) varying.insert(index);
  bool possible = true;
  loop.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<WhileOp, BreakOp, ContinueOp, AssertOp, PrintfOp>(op)) possible = false;
    if (auto inner = dyn_cast<ForOp>(op)) {
      APInt step;
      if (!matchPattern(inner.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive()) possible = false;
      for (Value bound : {inner.getLower(), inner.getUpper()})
        if (varying.contains(bound)) possible = false;
      // A loop under a condition on lanes would run for lanes that are not alive; masks take care of its stores.
    }
    bool differs =
        llvm::any_of(op->getOperands(), [&](Value v) { return varying.contains(v) || writtenVars.contains(v); });
    if (isa<AtomicOp>(op)) differs = true;
    if (differs) varying.insert(op->result_begin(), op->result_end());
  });
  return possible;
}

/// The dimension that keeps sums in memory in row-major order of the points: the last, if each point adds once.
int64_t vectorDimOfSums(ParallelOp loop, int64_t best) {
  int64_t sums = 0;
  loop.getBody().walk([&](AtomicOp op) {
    bool isSum = op.getKind() == AtomicKind::add && isa<FloatType>(op.getValue().getType());
    bool repeats = false;
    for (Operation *parent = op->getParentOp(); parent != loop; parent = parent->getParentOp())
      repeats |= isa<ForOp, WhileOp>(parent);
    sums += isSum ? 1 + repeats : 0;
  });
  int64_t last = static_cast<int64_t>(loop.getExtents().size()) - 1;
  return sums == 0 ? best : sums == 1 && best >= 0 ? last : -1;
}

/// Whether base + sum of coefficient * index cannot overflow in a box: from constants, or by checks when it runs.
bool reachIsBounded(Emitter &e, Value base, ArrayRef<int64_t> coefficients, ArrayRef<Value> extents,
                    SmallVector<Value> &checks) {
  constexpr int64_t kMostCoefficient = int64_t(1) << 24, kMostExtent = int64_t(1) << 34, kMostBase = int64_t(1) << 61;
  auto isBelow = [&](Value value, int64_t offset, int64_t limit) { // -offset <= value < limit - offset
    if (std::optional<int64_t> known = constantOf(value)) return *known >= -offset && *known < limit - offset;
    Value shifted = offset == 0 ? value : arith::AddIOp::create(e.b, value, e.index(offset)).getResult();
    checks.push_back(arith::CmpIOp::create(e.b, arith::CmpIPredicate::ult, shifted, e.index(limit)));
    return true;
  };
  for (auto [coefficient, extent] : llvm::zip(coefficients, extents)) {
    if (coefficient == 0) continue;
    if (coefficient > kMostCoefficient || coefficient < -kMostCoefficient) return false;
    if (!isBelow(extent, 0, kMostExtent)) return false;
  }
  return isBelow(base, kMostBase, 2 * kMostBase);
}

} // namespace

LogicalResult Emitter::emitParallel(ParallelOp op) {
  SmallVector<Value> extents = llvm::map_to_vector(op.getExtents(), [&](Value v) { return scalar(v); });
  SmallVector<Access> accesses = accessesOf(op);
  int64_t vectorDim = options.trapOutOfBounds || !canUseLanes(op) ? -1 : bestVectorDim(op, accesses);
  vectorDim = vectorDimOfSums(op, vectorDim);
  MergedReduces reduces(*this, op);
  if (!reduces.empty()) vectorDim = static_cast<int64_t>(extents.size()) - 1;

  // Bounds that hold for the whole box are checked once, in front of it, and so is whether its rows can be streamed.
  SmallVector<Operation *> always, conditional, streaming;
  Value condition, streams;
  auto both = [&](Value x, Value y) { return x ? arith::AndIOp::create(b, x, y).getResult() : y; };
  for (const Access &access : accesses) {
    if (tileInfo(access.tile).space == Space::var) {
      always.push_back(access.op);
      continue;
    }
    View v = view(access.tile);
    auto type = cast<MemRefType>(v.memref.getType());
    SmallVector<Value> checks;
    Value first; // of the last dimension, for all indices at zero
    bool affine = true;
    for (auto [d, index_] : llvm::enumerate(access.indices)) {
      auto coefs = coefficients(index_, op);
      Value base = coefs ? b.createOrFold<arith::AddIOp>(v.offsets[d], atOrigin(*this, index_, op)) : Value();
      if (!coefs || !reachIsBounded(*this, base, *coefs, extents, checks)) {
        affine = false;
        break;
      }
      first = base;
      Value low = base, high = base;
      for (auto [e, c] : llvm::enumerate(*coefs)) {
        if (c == 0) continue;
        Value last = b.createOrFold<arith::SubIOp>(extents[e], index(1));
        Value reach = b.createOrFold<arith::MulIOp>(last, index(c));
        (c > 0 ? high : low) = b.createOrFold<arith::AddIOp>(c > 0 ? high : low, reach);
      }
      Value extent =
          type.isDynamicDim(d) ? memref::DimOp::create(b, v.memref, d).getResult() : index(type.getDimSize(d));
      std::optional<int64_t> lowConst = constantOf(low), highConst = constantOf(high), extentConst = constantOf(extent);
      if (!lowConst || *lowConst < 0)
        checks.push_back(arith::CmpIOp::create(b, arith::CmpIPredicate::sge, low, index(0)));
      if (!highConst || !extentConst || *highConst >= *extentConst)
        checks.push_back(arith::CmpIOp::create(b, arith::CmpIPredicate::slt, high, extent));
    }
    if (!affine) continue;
    (checks.empty() ? always : conditional).push_back(access.op);
    for (Value check : checks) condition = both(condition, check);
    if (vectorDim < 0 || !storesRows(access, op, vectorDim)) continue;
    if (Value canStream = streamingCondition(*this, access.op, v, first, extents[vectorDim])) {
      streams = both(streams, canStream);
      streaming.push_back(access.op);
    }
  }
  // Comparisons of indices, too, may rely on sums that do not overflow; see rangeOfLanes.
  op.getBody().walk([&](arith::CmpIOp compare) {
    if (vectorDim < 0 || !compare.getLhs().getType().isIndex()) return;
    auto left = coefficients(compare.getLhs(), op), right = coefficients(compare.getRhs(), op);
    if (!left || !right || std::abs((*left)[vectorDim] - (*right)[vectorDim]) != 1) return;
    SmallVector<Value> checks;
    for (auto [side, coefs] : {std::pair(compare.getLhs(), *left), std::pair(compare.getRhs(), *right)})
      if (!reachIsBounded(*this, atOrigin(*this, side, op), coefs, extents, checks)) return;
    (checks.empty() ? always : conditional).push_back(compare);
    for (Value check : checks) condition = both(condition, check);
  });
  proven.insert(always.begin(), always.end());

  // A variable written in the body is private to the iteration, where it starts with the value from before. Lanes have
  // one each; iterations one by one use the variable itself, which is undefined after the loop.
  llvm::SaveAndRestore savedVars(privateVars);
  llvm::SmallMapVector<Value, Value, 4> before;
  for (Value var : variablesWritten(op)) {
    before[var] = memref::LoadOp::create(b, view(var).memref, ValueRange{});
    if (vectorDim >= 0) privateVars[var] = stackMemRef(storageType(tileInfo(var).element), {kLanes});
  }
  auto reset = [&] {
    for (auto [var, value] : before)
      if (vectorDim >= 0)
        vector::StoreOp::create(b, splat(value), privateVars[var], ValueRange{index(0)});
      else
        memref::StoreOp::create(b, value, view(var).memref, ValueRange{});
  };
  auto box = [&] {
    auto at = [&](ArrayRef<Lanes> point) {
      for (auto [index, argument] : llvm::zip(point, op.getBody().getArguments())) bind(argument, index);
      reset();
      return emitBody(op.getBody().front());
    };
    if (reduces.empty()) return emitBox(extents, vectorDim, at);
    return emitBox(ArrayRef(extents).drop_back(), -1, [&](ArrayRef<Lanes> row) {
      reduces.startRow();
      LogicalResult result = emitLanes(index(0), extents.back(), [&](Lanes last) {
        SmallVector<Lanes> point(row);
        point.push_back(last);
        return at(point);
      });
      reduces.finishRow(row);
      return result;
    });
  };
  auto boxInside = [&]() -> LogicalResult {
    if (!streams) return box();
    auto streamedBox = [&] {
      llvm::SaveAndRestore saved(streamed);
      streamed.insert(streaming.begin(), streaming.end());
      return box();
    };
    return emitIf(streams, streamedBox, box);
  };
  if (!condition) return boxInside();
  return emitIf(
      condition,
      [&] {
        proven.insert(conditional.begin(), conditional.end());
        LogicalResult result = boxInside();
        for (Operation *access : conditional) proven.erase(access);
        return result;
      },
      box);
}

namespace {

/// Dimensions of a tile that take part: those that are not statically one.
SmallVector<int64_t> movingDims(const View &v) {
  SmallVector<int64_t> dims;
  ArrayRef<int64_t> shape = tileInfo(v.tile).shape;
  for (int64_t d = 0; d < v.rank(); ++d)
    if (shape[d] != 1) dims.push_back(d);
  return dims;
}

} // namespace

MatchedDims matchDims(const View &first, const View &second) {
  MatchedDims m{movingDims(first), movingDims(second)};
  if (m.first.size() == m.second.size()) return m;
  // Extents known only at run time may be 1: ranks are equal then, and dimensions match by position.
  m = {};
  for (int64_t d = 0; d < first.rank(); ++d) {
    m.first.push_back(d);
    m.second.push_back(d);
  }
  return m;
}

namespace {

/// Indices of a tile from a point of the common space.
SmallVector<Lanes> spread(Emitter &e, const View &v, ArrayRef<int64_t> dims, ArrayRef<Lanes> point) {
  SmallVector<Lanes> indices(v.rank(), Lanes{e.index(0)});
  for (auto [d, lane] : llvm::zip(dims, point)) indices[d] = lane;
  return indices;
}

bool denseInLastDim(const View &v, ArrayRef<int64_t> dims) {
  return !dims.empty() && dims.back() == v.rank() - 1 && isContiguous(cast<MemRefType>(v.memref.getType()));
}

/// Where a row of a window stops to lie inside its memref, at most at `end`; 0 if it doesn't begin inside.
Value rowInside(Emitter &e, const View &v, ArrayRef<int64_t> dims, ArrayRef<Lanes> row, Value end) {
  ImplicitLocOpBuilder &b = e.b;
  auto isBelow = [&](Value x, Value y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, y).getResult();
  };
  SmallVector<Lanes> at = spread(e, v, dims.drop_back(), row);
  for (int64_t d = 0; d < v.rank(); ++d) {
    if (v.inside[d]) continue;
    Value extent = memref::DimOp::create(b, v.memref, d);
    Value position = arith::AddIOp::create(b, v.offsets[d], at[d].value);
    Value left = arith::SubIOp::create(b, extent, position); // used where 0 <= position < extent
    Value last = d == dims.back() ? arith::MinSIOp::create(b, end, left).getResult() : end;
    end = arith::SelectOp::create(b, isBelow(position, extent), last, e.index(0));
  }
  return end;
}

} // namespace

Value padValue(Emitter &e, Attribute attr, Type element) {
  if (!attr) return {};
  double value = isa<FloatAttr>(attr) ? cast<FloatAttr>(attr).getValueAsDouble()
                                      : static_cast<double>(cast<IntegerAttr>(attr).getInt());
  Type type = scalarType(element);
  if (isa<IntegerType>(type))
    return arith::ConstantOp::create(e.b, e.b.getIntegerAttr(type, static_cast<int64_t>(value)));
  Value wide = arith::ConstantOp::create(e.b, e.b.getF64FloatAttr(value));
  return e.emitCast(wide, e.b.getF64Type(), element, std::nullopt, true, false, false);
}

Value Emitter::convertCopied(CopyOp op, const View &src, const View &dst, ArrayRef<Lanes> at, Value loaded,
                             bool guarded) {
  Attribute padAttr = op.getPadAttr();
  if (!padAttr)
    if (auto alloc = baseBuffer(op.getDst()).getDefiningOp<AllocOp>()) padAttr = alloc.getPadAttr();
  Value value = convertElement(loaded, src.element, dst.element);
  // The pad is a value of the destination. Where it is not zero, or the source has no zero, the conversion comes first.
  bool isConverted = padAttr || (isa<Float8E8M0FNUType>(src.element) && src.element != dst.element);
  if (Value inside = guarded && isConverted ? insideMask(src, at) : Value()) {
    Value pad = padAttr ? padValue(*this, padAttr, dst.element) : constantLike(emittedType(dst.element), 0);
    bool vector = isa<VectorType>(loaded.getType());
    if (vector && !isa<VectorType>(inside.getType())) inside = splat(inside);
    value = arith::SelectOp::create(b, inside, value, vector ? splat(pad) : pad);
  }
  return op.getRelu() ? emitRelu(value, dst.element) : value;
}

LogicalResult Emitter::emitCopy(CopyOp op) {
  if (auto layout = layoutOf(op.getDst())) return emitPackedCopy(op, *layout);
  View src = view(op.getSrc()), dst = view(op.getDst());
  MatchedDims dims = matchDims(src, dst);
  SmallVector<Value> extents;
  Value cols; // of the last dimension, without regard to edges
  for (auto [s, d] : llvm::zip(dims.first, dims.second)) {
    std::optional<int64_t> known = constantOf(dst.sizes[d]);
    cols = known && constantOf(src.sizes[s]) == known ? dst.sizes[d]
                                                      : b.createOrFold<arith::MinSIOp>(src.sizes[s], dst.sizes[d]);
    extents.push_back(upToEdge(dst, d, cols));
  }
  bool dense = denseInLastDim(src, dims.first) && denseInLastDim(dst, dims.second);
  int64_t vectorDim = dense ? static_cast<int64_t>(extents.size()) - 1 : -1;

  auto moveAt = [&](ArrayRef<Lanes> point, bool guard, bool stream = false) {
    SmallVector<Lanes> from = spread(*this, src, dims.first, point), to = spread(*this, dst, dims.second, point);
    bool guardSrc = guard && !src.isInside();
    Value loaded = load(src, from, guardSrc).value;
    store(dst, to, {convertCopied(op, src, dst, from, loaded, guardSrc)}, guard && !dst.isInside(), stream);
    return success();
  };
  auto move = [&](bool guard, bool stream = false) {
    return emitBox(extents, vectorDim, [&](ArrayRef<Lanes> point) { return moveAt(point, guard, stream); });
  };
  auto moveInside = [&]() -> LogicalResult {
    Value streams = dense ? streamingCondition(*this, op, dst, dst.offsets.back(), cols) : Value();
    if (!streams) return move(false);
    return emitIf(streams, [&] { return move(false, true); }, [&] { return move(false); });
  };
  if (src.isInside() && dst.isInside()) return moveInside();
  // Most of a row at an edge lies inside, and the rest is not there: few vectors need masks. Loads without any live
  // lane are not only useless but slow where the address is not mapped.
  auto moveAtEdge = [&] {
    return emitBox(ArrayRef(extents).drop_back(), -1, [&](ArrayRef<Lanes> row) {
      Value end = rowInside(*this, src, dims.first, row, extents.back());
      end = rowInside(*this, dst, dims.second, row, end);
      end = arith::MulIOp::create(b, arith::DivUIOp::create(b, end, index(kLanes)), index(kLanes));
      auto at = [&](Lanes last) {
        SmallVector<Lanes> point(row);
        point.push_back(last);
        return point;
      };
      if (failed(emitLanes(index(0), end, [&](Lanes last) { return moveAt(at(last), false); }))) return failure();
      return emitLanes(end, extents.back(), [&](Lanes last) { return moveAt(at(last), true); });
    });
  };
  Value inside = windowInside(src);
  if (Value other = windowInside(dst)) inside = inside ? arith::AndIOp::create(b, inside, other).getResult() : other;
  return emitIf(inside, moveInside, [&] { return vectorDim < 0 ? move(true) : moveAtEdge(); });
}

Value Emitter::upToEdge(const View &dst, int64_t dim, Value extent) {
  if (dst.inside[dim]) return extent;
  Value room = arith::SubIOp::create(b, memref::DimOp::create(b, dst.memref, dim), dst.offsets[dim]);
  Value nearest = arith::MaxSIOp::create(b, index(0), arith::MinSIOp::create(b, extent, room));
  Value starts = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, dst.offsets[dim], index(0));
  return arith::SelectOp::create(b, starts, nearest, extent);
}

Value Emitter::windowInside(const View &v) {
  Value result;
  for (int64_t d = 0; d < v.rank(); ++d) {
    if (v.inside[d]) continue;
    // No sum of offset and size, which may overflow: sizes are at least 0.
    Value room = arith::SubIOp::create(b, memref::DimOp::create(b, v.memref, d), v.sizes[d]);
    Value ok = arith::AndIOp::create(b, arith::CmpIOp::create(b, arith::CmpIPredicate::sge, v.offsets[d], index(0)),
                                     arith::CmpIOp::create(b, arith::CmpIPredicate::sle, v.offsets[d], room));
    result = result ? arith::AndIOp::create(b, result, ok).getResult() : ok;
  }
  return result;
}

LogicalResult Emitter::emitGuarded(const View &src, const View &dst, function_ref<LogicalResult(bool)> body) {
  Value inside = windowInside(src);
  if (Value other = windowInside(dst)) inside = inside ? arith::AndIOp::create(b, inside, other).getResult() : other;
  if (!inside) return body(false);
  return emitIf(inside, [&] { return body(false); }, [&] { return body(true); });
}

LogicalResult Emitter::emitFill(FillOp op) {
  View dst = view(op.getDst());
  Value value = scalar(op.getValue());
  SmallVector<int64_t> dims = movingDims(dst);
  SmallVector<Value> extents = llvm::map_to_vector(dims, [&](int64_t d) { return upToEdge(dst, d, dst.sizes[d]); });
  int64_t vectorDim = denseInLastDim(dst, dims) ? static_cast<int64_t>(dims.size()) - 1 : -1;
  return emitBox(extents, vectorDim, [&](ArrayRef<Lanes> point) {
    store(dst, spread(*this, dst, dims, point), {value}, !dst.isInside());
    return success();
  });
}

LogicalResult Emitter::emitAtomicTile(AtomicTileOp op) {
  View src = view(op.getSrc()), dst = view(op.getDst());
  if (orderedAtomics && isa<FloatType>(dst.element))
    callRuntime("tsr_ordered_enter", {}, {block.context, block.linearIndex});
  MatchedDims dims = matchDims(src, dst);
  SmallVector<Value> extents;
  for (auto [s, d] : llvm::zip(dims.first, dims.second))
    extents.push_back(b.createOrFold<arith::MinSIOp>(src.sizes[s], dst.sizes[d]));
  return emitBox(extents, -1, [&](ArrayRef<Lanes> point) -> LogicalResult {
    SmallVector<Lanes> from = spread(*this, src, dims.first, point), to = spread(*this, dst, dims.second, point);
    Value value = convertElement(load(src, from, !src.isInside()).value, src.element, dst.element);
    return emitAtomicUpdate(dst, to, op.getKind(), {value}, !dst.isInside(), nullptr);
  });
}

} // namespace tessera::cpu
