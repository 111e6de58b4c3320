// Allocations, windows and single elements.
#include "tilelang/ir/interp/atomic_update.h"
#include "tilelang/ir/interp/frame.h"

#include "tilelang/ir/TileInfo.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <fmt/format.h>

using namespace mlir;

namespace tessera::tile {
namespace {

void runAlloc(AllocOp op, Frame &frame) {
  TileInfo info = tileInfo(op.getBuffer());
  std::shared_ptr<Buffer> buffer = makeBuffer(*elementDType(info.element), info.shape);
  if (!buffer)
    failAt(op, fmt::format("no memory for `{}` of {} elements", op.getName().value_or("").str(), shapeText(info.shape)),
           "on-chip buffers have at most 4 GiB");
  buffer->name = op.getName().value_or("").str();
  buffer->pad = op.getPad().value_or(Attribute());
  frame.set(op.getBuffer(), wholeTile(std::move(buffer)));
}

/// Static and run-time numbers as one list.
Extents mixed(Frame &frame, ArrayRef<int64_t> statics, ValueRange dynamics) {
  Extents list(statics);
  auto next = dynamics.begin();
  for (int64_t &number : list)
    if (ShapedType::isDynamic(number)) number = frame.index(*next++);
  return list;
}

void runRegion(RegionOp op, Frame &frame) {
  RuntimeTile window = frame.tile(op.getBuffer()); // whole, as regions are not made of regions
  window.offsets = mixed(frame, op.getStaticOffsets(), op.getOffsets());
  window.sizes = mixed(frame, op.getStaticSizes(), op.getSizes());
  for (int64_t &size : window.sizes) size = std::max<int64_t>(size, 0);
  frame.set(op.getRegion(), std::move(window));
}

void runView(ViewOp op, Frame &frame) {
  const Buffer &source = *frame.tile(op.getSource()).buffer;
  if (!isDense(source))
    failAt(op, fmt::format("view of {}, which is not dense", quotedName(frame.tile(op.getSource()))),
           "pass a contiguous tensor");
  TileInfo info = tileInfo(op.getResult());
  auto view = std::make_shared<Buffer>(source);
  view->dtype = *elementDType(info.element);
  view->extents.assign(info.shape.begin(), info.shape.end());
  view->strides = denseStrides(info.shape);
  frame.set(op.getResult(), wholeTile(std::move(view)));
}

void runDim(memref::DimOp op, Frame &frame) {
  const RuntimeTile &tile = frame.tile(op.getSource());
  int64_t dim = frame.index(op.getIndex());
  if (dim < 0 || dim >= tile.rank())
    failAt(op, fmt::format("dimension {} of {}, which has rank {}", dim, quotedName(tile), tile.rank()),
           fmt::format("dimensions run from 0 to {}", tile.rank() - 1));
  frame.set(op.getResult(), static_cast<uint64_t>(tile.sizes[static_cast<size_t>(dim)]));
}

/// "index 70 of dimension 0 of `A` is outside extent 64".
std::string outsideText(const RuntimeTile &tile, ArrayRef<int64_t> index) {
  for (size_t d = 0; d < index.size(); ++d) {
    int64_t position, extent = tile.buffer->extents[d];
    bool overflows = __builtin_add_overflow(index[d], tile.offsets[d], &position);
    if (overflows || position < 0 || position >= extent)
      return fmt::format("index {} of dimension {} of {} is outside extent {}", position, d, quotedName(tile), extent);
  }
  return {};
}

/// The element an operation is about, or none outside the buffer, which is an error in trap mode.
Place elementAt(Operation *op, Frame &frame, const RuntimeTile &tile, ValueRange indices) {
  Extents index = frame.indices(indices);
  Place at = tile.place(index);
  if (!at && frame.run.options.trapOutOfBounds)
    failAt(op, outsideText(tile, index), "guard the access with a condition, or clamp the index");
  return at;
}

void runLoad(LoadOp op, Frame &frame) {
  const RuntimeTile &tile = frame.tile(op.getTile());
  Place at = elementAt(op, frame, tile, op.getIndices());
  frame.set(op.getValue(), at ? readElement(at, tile.dtype()) : 0);
}

void runStore(StoreOp op, Frame &frame) {
  const RuntimeTile &tile = frame.tile(op.getTile());
  requireWritable(op, tile);
  if (Place at = elementAt(op, frame, tile, op.getIndices())) writeElement(at, tile.dtype(), frame.bits(op.getValue()));
}

void runAtomic(AtomicOp op, Frame &frame) {
  const RuntimeTile &tile = frame.tile(op.getTile());
  requireWritable(op, tile);
  Place at = elementAt(op, frame, tile, op.getIndices());
  if (!at) return frame.set(op.getOld(), 0);
  uint64_t old = readElement(at, tile.dtype());
  writeElement(at, tile.dtype(), atomicUpdate(op.getKind(), tile.dtype(), old, frame.bits(op.getValue())));
  frame.set(op.getOld(), old);
}

template <class Integer> uint64_t updateInteger(AtomicKind kind, uint64_t old, uint64_t value) {
  auto a = static_cast<Integer>(old), b = static_cast<Integer>(value);
  switch (kind) {
  case AtomicKind::add: return old + value;
  case AtomicKind::max: return static_cast<uint64_t>(std::max(a, b));
  case AtomicKind::min: return static_cast<uint64_t>(std::min(a, b));
  }
  return old;
}

uint64_t updateFloat(AtomicKind kind, DType type, uint64_t old, uint64_t value) {
  double a = decodeReal(type, old), b = decodeReal(type, value);
  switch (kind) {
  case AtomicKind::add: return encodeReal(type, a + b);
  case AtomicKind::max: return encodeReal(type, maximumNumber(a, b));
  case AtomicKind::min: return encodeReal(type, minimumNumber(a, b));
  }
  return old;
}

} // namespace

uint64_t atomicUpdate(AtomicKind kind, DType type, uint64_t old, uint64_t value) {
  if (isFloat(type)) return updateFloat(kind, type, old, value);
  if (isUnsignedInteger(type)) return updateInteger<uint64_t>(kind, old, value);
  auto width = static_cast<unsigned>(bitWidth(type));
  auto extended = [&](uint64_t bits) { return static_cast<uint64_t>(Word{bits, width}.value()); };
  return updateInteger<int64_t>(kind, extended(old), extended(value));
}

void addBufferHandlers(Handlers &h) {
  h.add<AllocOp>(runAlloc);
  h.add<RegionOp>(runRegion);
  h.add<ViewOp>(runView);
  h.add<memref::DimOp>(runDim);
  h.add<LoadOp>(runLoad);
  h.add<StoreOp>(runStore);
  h.add<AtomicOp>(runAtomic);
}

} // namespace tessera::tile
