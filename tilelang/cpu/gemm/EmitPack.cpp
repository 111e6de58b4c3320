// Copies into packed gemm operands: conversion, transposition and edges in one pass over the source.
//
// The source is read along the dimension in which it is dense. Where that is also the one in which the packed form is
// dense, vectors are stored as they come (for B with adjacent k interleaved); otherwise blocks of 16 x 16 units are
// transposed in registers. A unit is kStep adjacent k.
#include "tilelang/cpu/emit/Emitter.h"
#include "tilelang/cpu/emit/VectorTranspose.h"
#include "tilelang/cpu/gemm/OperandLayout.h"
#include "tilelang/cpu/gemm/SharedTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/SaveAndRestore.h"

#include <numeric>

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

static_assert(kLanes == kPanelWidth, "a panel is as wide as the vectors that are loaded at once");

namespace {

class PackEmitter {
public:
  PackEmitter(Emitter &e, CopyOp op, const OperandLayout &layout, Value storage)
      : e(e), b(e.b), op(op), layout(layout), storage(storage), src(e.view(op.getSrc())), dst(e.view(op.getDst())),
        unitsType(VectorType::get({kLanes * layout.kStep}, layout.compute)) {
    MatchedDims dims = matchDims(src, dst);
    auto sourceDim = [&](int64_t dim) -> int64_t {
      auto found = llvm::find(dims.second, dim);
      return found == dims.second.end() ? -1 : dims.first[found - dims.second.begin()];
    };
    int64_t last = dst.rank() - 1;
    kDim = sourceDim(layout.kIsLast() ? last : last - 1);
    otherDim = sourceDim(layout.kIsLast() ? last - 1 : last);
    dense = isContiguous(cast<MemRefType>(src.memref.getType()));
    alongK = dense && kDim == src.rank() - 1;
    kLimit = limit(kDim, layout.kIsLast() ? last : last - 1, layout.k);
    otherLimit = limit(otherDim, layout.kIsLast() ? last - 1 : last, layout.other);
  }

  LogicalResult emit() {
    bool bounded = !kLimit && !otherLimit;
    if (bounded && src.isInside()) return emitAll(false);
    auto guarded = [&] { return emitAll(true); };
    Value inside = e.windowInside(src);
    if (!bounded) return guarded();
    return e.emitIf(inside, [&] { return emitAll(false); }, guarded);
  }

private:
  Value add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(x, y); }
  Value times(Value x, int64_t y) { return b.createOrFold<arith::MulIOp>(x, e.index(y)); }

  /// The extent of the copy in one dimension if it is known only at run time, else null.
  Value limit(int64_t srcDim, int64_t dstDim, int64_t whole) {
    Value size = dst.sizes[dstDim];
    if (srcDim >= 0) size = b.createOrFold<arith::MinSIOp>(size, src.sizes[srcDim]);
    APInt known;
    return matchPattern(size, m_ConstantInt(&known)) && known == whole ? Value() : size;
  }

  // --- Loops over the packed form -----------------------------------------------------------------------------------
  /// Calls `body(start, count)` for each piece of [0, extent): in a loop, then for a shorter last one.
  void forPieces(int64_t extent, int64_t size, function_ref<void(Value, int64_t)> body) {
    int64_t whole = extent / size * size;
    if (whole > 0)
      (void)e.emitFor(e.index(0), e.index(whole), e.index(size), [&](Value at) { return body(at, size), success(); });
    if (whole < extent) body(e.index(whole), extent - whole);
  }

  using Piece = function_ref<void(Value outer, int64_t outerCount, Value inner, int64_t innerCount)>;

  /// A dimension of the packed form, walked in pieces.
  struct Walk {
    bool isK;
    int64_t piece;
  };
  int64_t extentOf(const Walk &walk) const { return walk.isK ? layout.k : layout.other; }

  void forBox(Walk outer, Walk inner, Piece body) {
    if (!guard) {
      forPieces(extentOf(outer), outer.piece, [&](Value o, int64_t outerCount) {
        forPieces(extentOf(inner), inner.piece,
                  [&](Value i, int64_t innerCount) { body(o, outerCount, i, innerCount); });
      });
      return;
    }
    // Most pieces of a window that hangs over the edge lie inside: only the others need masks.
    Value outerEnd = endOfInside(outer), innerEnd = endOfInside(inner);
    int64_t innerWhole = extentOf(inner) / inner.piece * inner.piece;
    forPieces(extentOf(outer), outer.piece, [&](Value o, int64_t outerCount) {
      Value start = e.index(0);
      if (outerCount == outer.piece && innerWhole > 0) {
        Value isInside = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, o, outerEnd);
        Value end = arith::SelectOp::create(b, isInside, innerEnd, start);
        llvm::SaveAndRestore plain(guard, false);
        (void)e.emitFor(start, end, e.index(inner.piece),
                        [&](Value i) { return body(o, outerCount, i, inner.piece), success(); });
        start = end;
      }
      if (innerWhole > 0)
        (void)e.emitFor(start, e.index(innerWhole), e.index(inner.piece),
                        [&](Value i) { return body(o, outerCount, i, inner.piece), success(); });
      if (innerWhole < extentOf(inner)) body(o, outerCount, e.index(innerWhole), extentOf(inner) - innerWhole);
    });
  }

  /// Where the whole pieces end that lie inside the source from the first one on; 0 if that one doesn't.
  Value endOfInside(const Walk &walk) {
    Value end = e.index(extentOf(walk));
    if (Value stated = walk.isK ? kLimit : otherLimit) end = arith::MinSIOp::create(b, end, stated);
    int64_t moving = walk.isK ? kDim : otherDim;
    for (int64_t d = 0; d < src.rank(); ++d) {
      if (src.inside[d]) continue;
      Value extent = memref::DimOp::create(b, src.memref, d);
      Value left = arith::SubIOp::create(b, extent, src.offsets[d]);
      auto isAtLeast = [&](Value x, int64_t least) {
        return arith::CmpIOp::create(b, arith::CmpIPredicate::sge, x, e.index(least)).getResult();
      };
      Value fits = isAtLeast(src.offsets[d], 0);
      if (d == moving)
        end = arith::MinSIOp::create(b, end, arith::MaxSIOp::create(b, left, e.index(0)));
      else if (d != kDim && d != otherDim)
        fits = arith::AndIOp::create(b, fits, isAtLeast(left, 1));
      end = arith::SelectOp::create(b, fits, end, e.index(0));
    }
    return times(b.createOrFold<arith::DivUIOp>(end, e.index(walk.piece)), walk.piece);
  }

  LogicalResult emitAll(bool guarded) {
    guard = guarded;
    bool isA = layout.role == OperandRole::a;
    int64_t block = kLanes * layout.kStep;
    if (isA && alongK)
      forBox({false, 1}, {true, block},
             [&](Value row, int64_t, Value k, int64_t count) { storeRow(row, k, count, unitsAlongK(row, k, count)); });
    else if (!isA && !alongK)
      forBox({true, layout.kStep}, {false, kLanes}, [&](Value k, int64_t count, Value col, int64_t cols) {
        storePanel(col, k, unitsAcross(k, count, col, cols));
      });
    else if (isA)
      forBox({true, block}, {false, kLanes},
             [&](Value k, int64_t count, Value row, int64_t rows) { transposeToRows(row, rows, k, count); });
    else
      forBox({false, kLanes}, {true, block},
             [&](Value col, int64_t cols, Value k, int64_t count) { transposeToPanel(col, cols, k, count); });
    return success();
  }

  int64_t unitsIn(int64_t count) const { return (count + layout.kStep - 1) / layout.kStep; }

  /// A block whose vectors hold 16 rows for one unit of k each, to rows.
  void transposeToRows(Value row, int64_t rows, Value k, int64_t count) {
    int64_t valid = count % layout.kStep == 0 ? layout.kStep : kRunTime;
    SmallVector<Value> block = transposedBlock(
        unitsIn(count), [&](Value n) { return unitsAcross(add(k, times(n, layout.kStep)), valid, row, rows); });
    for (auto [r, units] : llvm::enumerate(block))
      if (static_cast<int64_t>(r) < rows) storeRow(add(row, e.index(static_cast<int64_t>(r))), k, count, units);
  }

  /// A block whose vectors hold 16 units of k for one column each, to a panel.
  void transposeToPanel(Value col, int64_t cols, Value k, int64_t count) {
    SmallVector<Value> block = transposedBlock(cols, [&](Value n) { return unitsAlongK(add(col, n), k, count); });
    for (auto [n, units] : llvm::enumerate(block))
      if (static_cast<int64_t>(n) < unitsIn(count))
        storePanel(col, add(k, e.index(static_cast<int64_t>(n) * layout.kStep)), units);
  }

  // --- Loads --------------------------------------------------------------------------------------------------------
  /// 16 units of adjacent k in one row or column; elements from `count` on are zero.
  Value unitsAlongK(Value other, Value k, int64_t count) {
    if (count == kLanes * layout.kStep && isPlain()) {
      SmallVector<Value> at = src.offsets;
      at[kDim] = add(at[kDim], k);
      if (otherDim >= 0) at[otherDim] = add(at[otherDim], other);
      auto stored = VectorType::get(unitsType.getShape(), cast<MemRefType>(src.memref.getType()).getElementType());
      return reinterpreted(vector::LoadOp::create(b, stored, src.memref, at), unitsType);
    }
    SmallVector<Value> parts;
    for (int64_t s = 0; s < layout.kStep; ++s) {
      int64_t valid = std::clamp<int64_t>(count - s * kLanes, 0, kLanes);
      Value first = add(k, e.index(s * kLanes));
      parts.push_back(
          valid == 0 ? zeros()
                     : elements({first, 1}, {other}, both(laneMask(first, valid, kLimit), rowMask(other, otherLimit))));
    }
    return joined(parts, false);
  }

  /// Units of one k for 16 rows or columns from `other` on, of which `count` exist. Elements of the unit from `valid`
  /// on are zero; with kRunTime those past the last k.
  Value unitsAcross(Value k, int64_t valid, Value other, int64_t count) {
    SmallVector<Value> rows;
    for (int64_t s = 0; s < layout.kStep; ++s) {
      if (valid != kRunTime && s >= valid) {
        rows.push_back(zeros());
        continue;
      }
      Value at = add(k, e.index(s));
      Value live = both(laneMask(other, count, otherLimit), rowMask(at, kLimit));
      if (valid == kRunTime)
        live = both(live, e.splat(arith::CmpIOp::create(b, arith::CmpIPredicate::slt, at, e.index(layout.k))));
      rows.push_back(elements({at}, {other, 1}, live));
    }
    return joined(rows, true);
  }

  /// 16 elements, converted; lanes that are not alive are zero.
  Value elements(Lanes k, Lanes other, Value live) {
    llvm::SaveAndRestore inLanes(e.inLanes, true);
    llvm::SaveAndRestore mask(e.mask, live);
    SmallVector<Lanes> at(src.rank(), Lanes{e.index(0)});
    if (kDim >= 0) at[kDim] = k;
    if (otherDim >= 0) at[otherDim] = other;
    bool edges = guard && !src.isInside();
    Value value = e.convertCopied(op, src, dst, at, e.asVector(e.load(src, at, edges)), edges);
    if (live) value = arith::SelectOp::create(b, live, value, e.constantLike(value.getType(), 0));
    value = toCompute(value);
    if (!layout.biased) return value;
    Value flip =
        arith::ConstantOp::create(b, DenseElementsAttr::get(cast<VectorType>(value.getType()), APInt(8, 0x80)));
    return arith::XOrIOp::create(b, value, flip);
  }

  Value toCompute(Value value) {
    Type element = dst.element;
    if (isa<FloatType>(element)) return e.convertElement(value, element, layout.compute);
    if (scalarType(element) == layout.compute) return value;
    Type wide = lanesLike(value.getType(), layout.compute);
    return isUnsigned(element) ? arith::ExtUIOp::create(b, wide, value).getResult()
                               : arith::ExtSIOp::create(b, wide, value).getResult();
  }

  /// Whether elements are stored as they are loaded.
  bool isPlain() {
    return dense && !guard && !layout.biased && !op.getRelu() && src.element == dst.element &&
           emittedType(dst.element) == layout.compute;
  }

  Value zeros() { return e.constantLike(VectorType::get({kLanes}, layout.compute), 0); }

  Value both(Value x, Value y) {
    if (!x || !y) return x ? x : y;
    return arith::AndIOp::create(b, x, y);
  }

  /// Lanes from `first` on of which `count` exist, and none at or past `end` (null: no such end). Null: all.
  Value laneMask(Value first, int64_t count, Value end) {
    if (!guard || !end) {
      if (count == kLanes) return {};
      end = e.index(count);
    } else {
      end = arith::MinSIOp::create(b, arith::SubIOp::create(b, end, first), e.index(count));
    }
    return vector::CreateMaskOp::create(b, VectorType::get({kLanes}, b.getI1Type()), ValueRange{end});
  }

  Value rowMask(Value at, Value end) {
    if (!guard || !end) return {};
    return e.splat(arith::CmpIOp::create(b, arith::CmpIPredicate::slt, at, end));
  }

  /// One vector of all parts: side by side, or element by element in turn.
  Value joined(ArrayRef<Value> parts, bool inTurn) {
    if (parts.size() == 1) return parts.front();
    size_t half = parts.size() / 2;
    SmallVector<Value> first, second;
    for (size_t n = 0; n < parts.size(); ++n)
      (inTurn ? n % 2 == 0 : n < half) ? first.push_back(parts[n]) : second.push_back(parts[n]);
    Value x = joined(first, inTurn), y = joined(second, inTurn);
    if (inTurn) return vector::InterleaveOp::create(b, x, y);
    SmallVector<int64_t> all(2 * cast<VectorType>(x.getType()).getNumElements());
    std::iota(all.begin(), all.end(), 0);
    return vector::ShuffleOp::create(b, x, y, all);
  }

  // --- Blocks -------------------------------------------------------------------------------------------------------
  /// The transpose of the block whose rows `load` gives for 0, ..., count - 1.
  SmallVector<Value> transposedBlock(int64_t count, function_ref<Value(Value)> load) {
    bool fits = e.options.isa.chip.vectorBytes * 8 >= kLanes * unitWidth();
    SmallVector<Value> block;
    if (fits && isPlain()) {
      for (int64_t n = 0; n < count; ++n) block.push_back(load(e.index(n)));
      block.resize(kLanes, e.constantLike(unitsType, 0));
      return transposed(block, kLanes);
    }
    // Through memory where loading a row takes many instructions, so that there is one copy of them.
    int64_t width = kLanes * layout.kStep;
    Value rows = e.stackMemRef(layout.compute, {kLanes * width});
    (void)e.emitFor(e.index(0), e.index(count), e.index(1), [&](Value n) {
      vector::StoreOp::create(b, load(n), rows, ValueRange{times(n, width)});
      return success();
    });
    if (!fits) rows = transposedInMemory(rows);
    for (int64_t n = 0; n < kLanes; ++n)
      block.push_back(vector::LoadOp::create(b, unitsType, rows, ValueRange{e.index(n * width)}));
    return fits ? transposed(block, kLanes) : block;
  }

  /// Transposes 16 x 16 units by small blocks whose rows are one vector of the machine each.
  Value transposedInMemory(Value rows) {
    int64_t width = kLanes * layout.kStep, side = e.options.isa.chip.vectorBytes * 8 / unitWidth();
    auto type = VectorType::get({side * layout.kStep}, layout.compute);
    Value columns = e.stackMemRef(layout.compute, {kLanes * width});
    auto place = [&](Value row, int64_t more, Value column) {
      return add(times(add(row, e.index(more)), width), times(column, layout.kStep));
    };
    (void)e.emitFor(e.index(0), e.index(kLanes), e.index(side), [&](Value row) {
      return e.emitFor(e.index(0), e.index(kLanes), e.index(side), [&](Value column) {
        SmallVector<Value> block;
        for (int64_t n = 0; n < side; ++n)
          block.push_back(vector::LoadOp::create(b, type, rows, ValueRange{place(row, n, column)}));
        for (auto [n, vector] : llvm::enumerate(transposed(block, side)))
          vector::StoreOp::create(b, vector, columns, ValueRange{place(column, static_cast<int64_t>(n), row)});
        return success();
      });
    });
    return columns;
  }

  /// A block of `side` vectors of as many units.
  SmallVector<Value> transposed(ArrayRef<Value> block, int64_t side) {
    auto units = VectorType::get({side}, unitType(layout.compute, layout.kStep));
    SmallVector<Value> rows = llvm::map_to_vector(block, [&](Value v) { return reinterpreted(v, units); });
    auto elements = cast<VectorType>(block.front().getType());
    return llvm::map_to_vector(transposeVectors(b, rows), [&](Value v) { return reinterpreted(v, elements); });
  }

  /// The same bits as another vector type.
  Value reinterpreted(Value v, VectorType type) {
    return v.getType() == type ? v : vector::BitCastOp::create(b, type, v).getResult();
  }

  int64_t unitWidth() const { return layout.compute.getIntOrFloatBitWidth() * layout.kStep; }

  // --- Stores -------------------------------------------------------------------------------------------------------
  void storeRow(Value row, Value k, int64_t count, Value units) {
    int64_t elements = unitsIn(count) * layout.kStep;
    if (elements < kLanes * layout.kStep)
      units = vector::ExtractStridedSliceOp::create(b, units, ArrayRef<int64_t>{0}, ArrayRef<int64_t>{elements},
                                                    ArrayRef<int64_t>{1});
    vector::StoreOp::create(b, units, storage, ValueRange{add(times(row, layout.pitch()), k)});
  }

  void storePanel(Value col, Value k, Value units) {
    Value panel = b.createOrFold<arith::DivUIOp>(col, e.index(kPanelWidth));
    Value at = add(times(panel, layout.pitch()), times(k, kPanelWidth));
    vector::StoreOp::create(b, units, storage, ValueRange{at});
  }

  static constexpr int64_t kRunTime = -1;

  Emitter &e;
  ImplicitLocOpBuilder &b;
  CopyOp op;
  OperandLayout layout;
  Value storage; ///< memref of rank 1 and type layout.compute
  View src, dst;
  VectorType unitsType;
  int64_t kDim, otherDim; ///< dimensions of the source; -1 where it has none of this extent
  bool dense, alongK, guard = false;
  Value kLimit, otherLimit;
};

} // namespace

LogicalResult Emitter::emitPackedCopy(CopyOp op, const OperandLayout &layout) {
  auto pack = [&] {
    Value storage = flatStorage(op.getDst(), layout.compute, layout.elements());
    return PackEmitter(*this, op, layout, storage).emit();
  };
  Value workspace = block.workspaces.lookup(op);
  return workspace ? emitSharedCopy(*this, op, workspace, pack) : pack();
}

} // namespace tessera::cpu
