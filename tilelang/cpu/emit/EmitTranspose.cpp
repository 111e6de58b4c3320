// tile.transpose: square blocks in registers, what is left over element by element.
#include "tilelang/cpu/emit/Emitter.h"
#include "tilelang/cpu/emit/PackedElements.h"
#include "tilelang/cpu/emit/StreamingStores.h"
#include "tilelang/cpu/emit/VectorTranspose.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

namespace {

class TransposeEmitter {
public:
  TransposeEmitter(Emitter &e, TransposeOp op, const View &src, const View &dst)
      : e(e), b(e.b), op(op), src(src), dst(dst), rank(dst.rank()),
        stored(cast<MemRefType>(src.memref.getType()).getElementType()),
        side(std::min<int64_t>(kLanes, e.options.isa.chip.vectorBytes * 8 / stored.getIntOrFloatBitWidth())) {
    for (int64_t d = 0; d < rank; ++d)
      extents.push_back(b.createOrFold<arith::MinSIOp>(dst.sizes[d], src.sizes[swapped(d)]));
  }

  LogicalResult emit() {
    if (isPacked(src) || isPacked(dst) || !isContiguous(cast<MemRefType>(src.memref.getType())) ||
        !isContiguous(cast<MemRefType>(dst.memref.getType())))
      return emitElements(SmallVector<Value>(rank, e.index(0)), extents);
    Value regular = e.windowInside(src);
    SmallVector<Value> whole(extents);
    for (int64_t d = 0; d < rank; ++d) {
      if (dst.inside[d]) continue;
      extents[d] = upToEdge(d);
      Value starts = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, dst.offsets[d], e.index(0));
      regular = regular ? arith::AndIOp::create(b, regular, starts).getResult() : starts;
    }
    if (!regular) return emitRegular();
    return e.emitIf(
        regular, [&] { return emitRegular(); },
        [&] { return emitElements(SmallVector<Value>(rank, e.index(0)), whole); });
  }

private:
  int64_t swapped(int64_t d) const { return d == rank - 1 ? rank - 2 : d == rank - 2 ? rank - 1 : d; }
  Value add(Value x, Value y) { return b.createOrFold<arith::AddIOp>(x, y); }
  /// The extent without what hangs over the upper edge of the destination.
  Value upToEdge(int64_t d) {
    Value room = arith::SubIOp::create(b, memref::DimOp::create(b, dst.memref, d), dst.offsets[d]);
    return arith::MaxSIOp::create(b, e.index(0), arith::MinSIOp::create(b, extents[d], room));
  }

  Value wholeBlocks(Value extent) {
    Value count = b.createOrFold<arith::DivUIOp>(extent, e.index(side));
    return b.createOrFold<arith::MulIOp>(count, e.index(side));
  }

  /// Elements of a box of the destination.
  LogicalResult emitElements(ArrayRef<Value> from, ArrayRef<Value> to) {
    SmallVector<Value> sizes;
    for (auto [lower, upper] : llvm::zip(from, to)) sizes.push_back(b.createOrFold<arith::SubIOp>(upper, lower));
    return e.emitBox(sizes, -1, [&](ArrayRef<Lanes> point) {
      SmallVector<Lanes> at;
      for (auto [start, step] : llvm::zip(from, point)) at.push_back({add(start, step.value)});
      SmallVector<Lanes> source(at);
      std::swap(source[rank - 1], source[rank - 2]);
      e.store(dst, at, e.load(src, source, !src.isInside()), !dst.isInside());
      return success();
    });
  }

  LogicalResult emitRegular() {
    bool areLines = side == kLanes && stored.getIntOrFloatBitWidth() == 32;
    Value streams = areLines ? streamingCondition(e, op, dst, dst.offsets.back(), e.index(side)) : Value();
    if (!streams) return emitBlocks(false);
    return e.emitIf(streams, [&] { return emitBlocks(true); }, [&] { return emitBlocks(false); });
  }

  /// Whole blocks, then the columns to their right and the rows below.
  LogicalResult emitBlocks(bool stream) {
    Value rows = wholeBlocks(extents[rank - 2]), cols = wholeBlocks(extents[rank - 1]);
    SmallVector<Value> zero(rank, e.index(0)), outer(extents);
    outer[rank - 2] = outer[rank - 1] = e.index(1);
    LogicalResult blocks = e.emitBox(outer, -1, [&](ArrayRef<Lanes> point) {
      return e.emitFor(e.index(0), rows, e.index(side), [&](Value row) {
        return e.emitFor(e.index(0), cols, e.index(side),
                         [&](Value col) { return emitBlock(point, row, col, stream); });
      });
    });
    SmallVector<Value> right(zero), below(zero), belowEnd(extents);
    right[rank - 1] = cols;
    below[rank - 2] = rows;
    belowEnd[rank - 1] = cols;
    if (failed(blocks) || failed(emitElements(right, extents))) return failure();
    return emitElements(below, belowEnd);
  }

  LogicalResult emitBlock(ArrayRef<Lanes> point, Value row, Value col, bool stream) {
    auto type = VectorType::get({side}, stored);
    auto place = [&](const View &v, Value first, int64_t n, Value second) {
      SmallVector<Value> at;
      for (int64_t d = 0; d < rank; ++d) at.push_back(add(v.offsets[d], point[d].value));
      at[rank - 2] = add(v.offsets[rank - 2], add(first, e.index(n)));
      at[rank - 1] = add(v.offsets[rank - 1], second);
      return at;
    };
    SmallVector<Value> block;
    for (int64_t n = 0; n < side; ++n)
      block.push_back(vector::LoadOp::create(b, type, src.memref, place(src, col, n, row)));
    for (auto [n, vector] : llvm::enumerate(transposeVectors(b, block))) {
      SmallVector<Value> at = place(dst, row, static_cast<int64_t>(n), col);
      if (stream)
        storeStreamed(e, vector, dst.memref, at);
      else
        vector::StoreOp::create(b, vector, dst.memref, at);
    }
    return success();
  }

  Emitter &e;
  ImplicitLocOpBuilder &b;
  TransposeOp op;
  const View &src, &dst;
  int64_t rank;
  Type stored;
  int64_t side; ///< of a block: one vector of the machine
  SmallVector<Value> extents;
};

} // namespace

LogicalResult Emitter::emitTranspose(TransposeOp op) {
  View src = view(op.getSrc()), dst = view(op.getDst());
  return TransposeEmitter(*this, op, src, dst).emit();
}

} // namespace tessera::cpu
