// Operations that move whole tiles: copy, fill, transpose, atomic_tile.
//
// All elements are read before the first is written.
#include "tilelang/ir/interp/atomic_update.h"
#include "tilelang/ir/interp/frame.h"

#include "core/numbers.h"
#include "tilelang/ir/TileInfo.h"

#include <unordered_set>

using namespace mlir;

namespace tessera::tile {
namespace {

/// The common box of two tiles: its dimension d is srcDims[d] of the source and dstDims[d] of the destination; the
/// dimensions that are left out have extent 1.
struct CommonBox {
  Extents extents;
  SmallVector<size_t, 4> srcDims, dstDims;
};

SmallVector<size_t, 4> dimsOf(ArrayRef<int64_t> shape, bool dropUnits) {
  SmallVector<size_t, 4> dims;
  for (auto [d, extent] : llvm::enumerate(shape))
    if (!dropUnits || extent != 1) dims.push_back(d);
  return dims;
}

/// Dimensions are matched once static unit extents are dropped, or by position where that is not possible.
CommonBox commonBox(Frame &frame, Value src, Value dst) {
  ArrayRef<int64_t> a = tileInfo(src).shape, b = tileInfo(dst).shape;
  bool dropUnits = squeezed(a).size() == squeezed(b).size();
  CommonBox box{{}, dimsOf(a, dropUnits), dimsOf(b, dropUnits)};
  for (auto [s, d] : llvm::zip_equal(box.srcDims, box.dstDims))
    box.extents.push_back(std::min(frame.tile(src).sizes[s], frame.tile(dst).sizes[d]));
  return box;
}

/// An index of this rank with index[d] in dimension dims[d] and 0 elsewhere.
Extents scattered(ArrayRef<int64_t> index, ArrayRef<size_t> dims, int64_t rank) {
  Extents full(static_cast<size_t>(rank), 0);
  for (auto [d, i] : llvm::zip_equal(dims, index)) full[d] = i;
  return full;
}

Saturate defaultSaturation(DType to) { return saturatesByDefault(to) ? Saturate::yes : Saturate::no; }

/// The pad value of a copy into `dst`, in its type.
uint64_t padBits(std::optional<Attribute> stated, const RuntimeTile &dst) {
  Attribute pad = stated.value_or(dst.buffer->pad);
  if (auto integer = dyn_cast_or_null<IntegerAttr>(pad))
    return encodeSigned(dst.dtype(), integer.getInt(), defaultRounding(dst.dtype()), defaultSaturation(dst.dtype()));
  if (auto real = dyn_cast_or_null<FloatAttr>(pad))
    return encode(dst.dtype(), real.getValueAsDouble(), defaultSaturation(dst.dtype()));
  return encode(dst.dtype(), 0.0, defaultSaturation(dst.dtype()));
}

/// Elements on their way: places in the source and destination, and the bits to write.
struct Moved {
  Place from; // none outside the source
  Place to;
  uint64_t bits;
};

size_t spannedBytes(DType type) { return static_cast<size_t>(std::max(byteWidth(type), 1)); }

bool rangesMeet(const std::vector<Moved> &moved, size_t srcBytes, size_t dstBytes) {
  const std::byte *srcLow = nullptr, *srcHigh = nullptr, *dstLow = nullptr, *dstHigh = nullptr;
  for (const Moved &m : moved) {
    if (m.from && (!srcLow || m.from.byte < srcLow)) srcLow = m.from.byte;
    if (m.from && m.from.byte + srcBytes > srcHigh) srcHigh = m.from.byte + srcBytes;
    if (!dstLow || m.to.byte < dstLow) dstLow = m.to.byte;
    if (m.to.byte + dstBytes > dstHigh) dstHigh = m.to.byte + dstBytes;
  }
  return srcLow && dstLow && srcLow < dstHigh && dstLow < srcHigh;
}

/// The numbers of the halves of bytes that an element takes.
SmallVector<uintptr_t, 16> halves(Place place, DType type) {
  uintptr_t first = 2 * reinterpret_cast<uintptr_t>(place.byte) + place.isSecond;
  SmallVector<uintptr_t, 16> list;
  for (uintptr_t i = 0; i < static_cast<uintptr_t>(bitWidth(type) / 4); ++i) list.push_back(first + i);
  return list;
}

/// Whether some element is written that another is read from.
bool overlaps(const std::vector<Moved> &moved, DType src, DType dst) {
  if (!rangesMeet(moved, spannedBytes(src), spannedBytes(dst))) return false;
  bool equal =
      bitWidth(src) == bitWidth(dst) && llvm::all_of(moved, [](const Moved &m) { return !m.from || m.from == m.to; });
  if (equal) return false;
  std::unordered_set<uintptr_t> read;
  for (const Moved &m : moved)
    if (m.from)
      for (uintptr_t half : halves(m.from, src)) read.insert(half);
  return llvm::any_of(moved, [&](const Moved &m) {
    return llvm::any_of(halves(m.to, dst), [&](uintptr_t half) { return read.contains(half); });
  });
}

/// Writes the elements; refuses tiles that overlap without being equal.
void writeMoved(Operation *op, const RuntimeTile &src, const RuntimeTile &dst, const std::vector<Moved> &moved) {
  requireWritable(op, dst);
  if (overlaps(moved, src.dtype(), dst.dtype()))
    failAt(op, "source and destination in " + quotedName(dst) + " overlap", "go through another buffer");
  for (const Moved &m : moved) writeElement(m.to, dst.dtype(), m.bits);
}

bool isNegative(DType type, uint64_t bits) {
  return !isUnsignedInteger(type) && type != DType::boolean && decodeReal(type, bits) < 0;
}

void runCopy(CopyOp op, Frame &frame) {
  const RuntimeTile &src = frame.tile(op.getSrc()), &dst = frame.tile(op.getDst());
  CommonBox box = commonBox(frame, op.getSrc(), op.getDst());
  frame.run.charge(op, elementCount(box.extents));
  uint64_t pad = padBits(op.getPad(), dst);
  std::vector<Moved> moved;
  forEachIndex(box.extents, [&](ArrayRef<int64_t> index) {
    Place to = dst.place(scattered(index, box.dstDims, dst.rank()));
    if (!to) return;
    Place from = src.place(scattered(index, box.srcDims, src.rank()));
    uint64_t bits = pad;
    if (from) bits = convert(src.dtype(), readElement(from, src.dtype()), dst.dtype(), defaultSaturation(dst.dtype()));
    if (from && op.getRelu() && isNegative(dst.dtype(), bits)) bits = 0;
    moved.push_back({from, to, bits});
  });
  writeMoved(op, src, dst, moved);
}

void runFill(FillOp op, Frame &frame) {
  const RuntimeTile &dst = frame.tile(op.getDst());
  requireWritable(op, dst);
  frame.run.charge(op, elementCount(dst.sizes));
  uint64_t bits = frame.bits(op.getValue());
  forEachIndex(dst.sizes, [&](ArrayRef<int64_t> index) { dst.write(index, bits); });
}

void runTranspose(TransposeOp op, Frame &frame) {
  const RuntimeTile &src = frame.tile(op.getSrc()), &dst = frame.tile(op.getDst());
  auto swapLast = [](Extents list) {
    std::swap(list[list.size() - 1], list[list.size() - 2]);
    return list;
  };
  Extents extents = swapLast(src.sizes);
  for (auto [extent, size] : llvm::zip_equal(extents, dst.sizes)) extent = std::min(extent, size);
  frame.run.charge(op, elementCount(extents));
  uint64_t pad = padBits(std::nullopt, dst);
  std::vector<Moved> moved;
  forEachIndex(extents, [&](ArrayRef<int64_t> index) {
    Place to = dst.place(index);
    Place from = src.place(swapLast(Extents(index)));
    if (to) moved.push_back({from, to, from ? readElement(from, src.dtype()) : pad});
  });
  writeMoved(op, src, dst, moved);
}

void runAtomicTile(AtomicTileOp op, Frame &frame) {
  const RuntimeTile &src = frame.tile(op.getSrc()), &dst = frame.tile(op.getDst());
  requireWritable(op, dst);
  CommonBox box = commonBox(frame, op.getSrc(), op.getDst());
  frame.run.charge(op, elementCount(box.extents));
  forEachIndex(box.extents, [&](ArrayRef<int64_t> index) {
    Place to = dst.place(scattered(index, box.dstDims, dst.rank()));
    std::optional<uint64_t> bits = src.read(scattered(index, box.srcDims, src.rank()));
    if (!to || !bits) return;
    uint64_t value = convert(src.dtype(), *bits, dst.dtype());
    writeElement(to, dst.dtype(), atomicUpdate(op.getKind(), dst.dtype(), readElement(to, dst.dtype()), value));
  });
}

} // namespace

void addMoveHandlers(Handlers &h) {
  h.add<CopyOp>(runCopy);
  h.add<FillOp>(runFill);
  h.add<TransposeOp>(runTranspose);
  h.add<AtomicTileOp>(runAtomicTile);
}

} // namespace tessera::tile
