// Operations on whole tiles.
#include "tilelang/dsl/ops.h"

#include "tilelang/dsl/place.h"
#include "tilelang/ir/TileInfo.h"

#include <fmt/format.h>

using namespace mlir;

namespace tessera::tl {
namespace {

using Extents = llvm::SmallVector<OpFoldResult>;

/// Both sides of an operation that moves elements: a corner takes the extents of the other side.
std::pair<Value, Value> movedTiles(Tracer &tracer, const Tile &src, const Tile &dst, const At &at) {
  Extents none;
  Extents fromSrc = hasExtents(src) ? tileExtents(tracer, src, at) : none;
  Extents fromDst = hasExtents(dst) ? tileExtents(tracer, dst, at) : none;
  Value from = tileValue(tracer, src, fromDst, at), to = tileValue(tracer, dst, fromSrc, at);
  return {from, to};
}

/// A tile that must have extents of its own.
Value wholeTile(Tracer &tracer, const char *word, const Tile &tile, const At &at) {
  if (!hasExtents(tile))
    fail(at, fmt::format("the extents of an operand of {} are not given", word),
         "use a whole buffer, or a window: A(range(i, i + 64), all)");
  return tileValue(tracer, tile, {}, at);
}

void reduce(const char *word, tile::ReduceKind kind, const Tile &src, const Tile &dst, const ReduceOptions &options,
            const At &at) {
  Tracer &tracer = Tracer::requireKernel(word, at);
  Value from = wholeTile(tracer, word, src, at), to = tileValue(tracer, dst, {}, at);
  int64_t dim = options.dim < 0 ? options.dim + tile::tileInfo(from).rank() : options.dim;
  tracer.create<tile::ReduceOp>(at, kind, from, to, dim, !options.clear, options.nanPropagate);
}

void scan(const char *word, tile::ScanKind kind, const Tile &src, const Tile &dst, const ScanOptions &options,
          const At &at) {
  Tracer &tracer = Tracer::requireKernel(word, at);
  Value from = wholeTile(tracer, word, src, at);
  Value to = &src == &dst ? from : wholeTile(tracer, word, dst, at);
  int64_t dim = options.dim < 0 ? options.dim + tile::tileInfo(from).rank() : options.dim;
  tracer.create<tile::ScanOp>(at, kind, from, to, dim, options.reverse);
}

Expr atomicElement(const char *word, tile::AtomicKind kind, const Access &element, const Operand &value) {
  Tracer &tracer = Tracer::requireKernel(word, element.where());
  DType type = element.buffer().dtype();
  Value buffer = tracer.buffer(element.buffer(), element.where());
  llvm::SmallVector<Value> indices = elementIndices(tracer, element);
  auto op = tracer.create<tile::AtomicOp>(element.where(), kind, elementValue(tracer, value, type), buffer, indices);
  return tracer.wrap(op.getOld(), {type}, element.where());
}

void atomicTile(const char *word, tile::AtomicKind kind, const Tile &dst, const Tile &src, const At &at) {
  Tracer &tracer = Tracer::requireKernel(word, at);
  auto [from, to] = movedTiles(tracer, src, dst, at);
  tracer.create<tile::AtomicTileOp>(at, kind, from, to);
}

/// Two places: elements if the source is one, otherwise tiles.
Expr atomicPlaces(const char *word, tile::AtomicKind kind, Access &&dst, Access &&src) {
  At at = dst.where();
  if (src.isElement()) return atomicElement(word, kind, dst, Operand(std::move(src), at));
  atomicTile(word, kind, dst, src, at);
  return {};
}

} // namespace

void copy(const Tile &src, const Tile &dst, const CopyOptions &options, const At &at) {
  Tracer &tracer = Tracer::requireKernel("copy", at);
  auto [from, to] = movedTiles(tracer, src, dst, at);
  tracer.create<tile::CopyOp>(at, from, to, padAttr(tracer, options.pad, dst.buffer.dtype(), at), options.relu);
}

void fill(const Tile &dst, const Operand &value) {
  Tracer &tracer = Tracer::requireKernel("fill", value.where());
  Value to = tileValue(tracer, dst, {}, value.where());
  tracer.create<tile::FillOp>(value.where(), elementValue(tracer, value, dst.buffer.dtype()), to);
}

void clear(const Tile &dst, const At &at) { fill(dst, Operand(0, at)); }

void gemm(const Tile &a, const Tile &b, const Tile &c, const GemmOptions &options, const At &at) {
  Tracer &tracer = Tracer::requireKernel("gemm", at);
  Value x = wholeTile(tracer, "gemm", a, at), y = wholeTile(tracer, "gemm", b, at),
        z = wholeTile(tracer, "gemm", c, at);
  const Expr::Payload &clear = options.clear.payload();
  bool never = clear.program == 0 && clear.kind == Expr::Kind::value && clear.integer == 0;
  Value flag = never ? Value() : tracer.condition(options.clear, at);
  tracer.create<tile::GemmOp>(at, x, y, z, flag, options.transposeA, options.transposeB);
}

void reduceSum(const Tile &src, const Tile &dst, const ReduceOptions &options, const At &at) {
  reduce("reduceSum", tile::ReduceKind::sum, src, dst, options, at);
}
void reduceMax(const Tile &src, const Tile &dst, const ReduceOptions &options, const At &at) {
  reduce("reduceMax", tile::ReduceKind::max, src, dst, options, at);
}
void reduceMin(const Tile &src, const Tile &dst, const ReduceOptions &options, const At &at) {
  reduce("reduceMin", tile::ReduceKind::min, src, dst, options, at);
}
void reduceAbsSum(const Tile &src, const Tile &dst, const ReduceOptions &options, const At &at) {
  reduce("reduceAbsSum", tile::ReduceKind::abssum, src, dst, options, at);
}
void reduceAbsMax(const Tile &src, const Tile &dst, const ReduceOptions &options, const At &at) {
  reduce("reduceAbsMax", tile::ReduceKind::absmax, src, dst, options, at);
}
void reduceBitAnd(const Tile &src, const Tile &dst, const ReduceOptions &options, const At &at) {
  reduce("reduceBitAnd", tile::ReduceKind::bitAnd, src, dst, options, at);
}
void reduceBitOr(const Tile &src, const Tile &dst, const ReduceOptions &options, const At &at) {
  reduce("reduceBitOr", tile::ReduceKind::bitOr, src, dst, options, at);
}
void reduceBitXor(const Tile &src, const Tile &dst, const ReduceOptions &options, const At &at) {
  reduce("reduceBitXor", tile::ReduceKind::bitXor, src, dst, options, at);
}
void reduceAny(const Tile &src, const Tile &dst, const ReduceOptions &options, const At &at) {
  reduce("reduceAny", tile::ReduceKind::any, src, dst, options, at);
}
void reduceAll(const Tile &src, const Tile &dst, const ReduceOptions &options, const At &at) {
  reduce("reduceAll", tile::ReduceKind::all, src, dst, options, at);
}

void cumsum(const Tile &src, const Tile &dst, const ScanOptions &options, const At &at) {
  scan("cumsum", tile::ScanKind::sum, src, dst, options, at);
}
void cumsum(const Tile &tile, const ScanOptions &options, const At &at) { cumsum(tile, tile, options, at); }
void cummax(const Tile &src, const Tile &dst, const ScanOptions &options, const At &at) {
  scan("cummax", tile::ScanKind::max, src, dst, options, at);
}
void cummax(const Tile &tile, const ScanOptions &options, const At &at) { cummax(tile, tile, options, at); }

void transpose(const Tile &src, const Tile &dst, const At &at) {
  Tracer &tracer = Tracer::requireKernel("transpose", at);
  auto swapped = [](Extents extents) {
    if (extents.size() >= 2) std::swap(extents[extents.size() - 1], extents[extents.size() - 2]);
    return extents;
  };
  Extents fromSrc = hasExtents(src) ? swapped(tileExtents(tracer, src, at)) : Extents();
  Extents fromDst = hasExtents(dst) ? swapped(tileExtents(tracer, dst, at)) : Extents();
  Value from = tileValue(tracer, src, fromDst, at), to = tileValue(tracer, dst, fromSrc, at);
  tracer.create<tile::TransposeOp>(at, from, to);
}

Expr atomicAdd(Access &&element, const Operand &value) {
  return atomicElement("atomicAdd", tile::AtomicKind::add, element, value);
}
Expr atomicMax(Access &&element, const Operand &value) {
  return atomicElement("atomicMax", tile::AtomicKind::max, element, value);
}
Expr atomicMin(Access &&element, const Operand &value) {
  return atomicElement("atomicMin", tile::AtomicKind::min, element, value);
}
Expr atomicAdd(Access &&dst, Access &&src) {
  return atomicPlaces("atomicAdd", tile::AtomicKind::add, std::move(dst), std::move(src));
}
Expr atomicMax(Access &&dst, Access &&src) {
  return atomicPlaces("atomicMax", tile::AtomicKind::max, std::move(dst), std::move(src));
}
Expr atomicMin(Access &&dst, Access &&src) {
  return atomicPlaces("atomicMin", tile::AtomicKind::min, std::move(dst), std::move(src));
}
void atomicAdd(const Tile &dst, const Buffer &src, const At &at) {
  atomicTile("atomicAdd", tile::AtomicKind::add, dst, src, at);
}
void atomicMax(const Tile &dst, const Buffer &src, const At &at) {
  atomicTile("atomicMax", tile::AtomicKind::max, dst, src, at);
}
void atomicMin(const Tile &dst, const Buffer &src, const At &at) {
  atomicTile("atomicMin", tile::AtomicKind::min, dst, src, at);
}

void dump(const char *label, const Tile &tile, const At &at) {
  Tracer &tracer = Tracer::requireKernel("dump", at);
  tracer.create<tile::DumpOp>(at, label, tileValue(tracer, tile, {}, at));
}

} // namespace tessera::tl
