// Bounds of extents.
#include "tilelang/cpu/gemm/GemmExtents.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

namespace {

/// What one extent cannot exceed, and whether it is known exactly.
struct Bound {
  int64_t extent;
  bool exact;
};

Bound extentBound(Value tile, bool last) {
  int64_t dim = tileInfo(tile).rank() - (last ? 1 : 2), extent = tileInfo(tile).shape[dim];
  if (!ShapedType::isDynamic(extent)) return {extent, true};
  return {tileInfo(tile.getDefiningOp<RegionOp>().getBuffer()).shape[dim], false};
}

/// Of two tiles that share an extent; the common part counts where they differ at run time.
int64_t sharedBound(Bound x, Bound y) {
  if (x.exact || y.exact) return x.exact ? x.extent : y.extent;
  return std::min(x.extent, y.extent);
}

} // namespace

GemmExtents extentsOf(GemmOp gemm) {
  Value a = gemm.getA(), b = gemm.getB(), c = gemm.getC();
  bool ta = gemm.getTransposeA(), tb = gemm.getTransposeB();
  return {sharedBound(extentBound(a, ta), extentBound(c, false)),
          sharedBound(extentBound(b, !tb), extentBound(c, true)), sharedBound(extentBound(a, !ta), extentBound(b, tb))};
}

bool isStaticShape(Value tile) { return !llvm::is_contained(tileInfo(tile).shape, ShapedType::kDynamic); }

bool hasStaticOffsets(Value tile) {
  auto region = tile.getDefiningOp<RegionOp>();
  if (!region) return true;
  ArrayRef<int64_t> shape = tileInfo(region.getBuffer()).shape;
  return llvm::all_of_zip(region.getStaticOffsets(), shape,
                          [](int64_t at, int64_t extent) { return at >= 0 && at < extent; });
}

bool isStaticWindow(Value tile) {
  if (!isStaticShape(tile) || !hasStaticOffsets(tile)) return false;
  auto region = tile.getDefiningOp<RegionOp>();
  if (!region) return true;
  ArrayRef<int64_t> shape = tileInfo(region.getBuffer()).shape;
  for (auto [at, size, extent] : llvm::zip(region.getStaticOffsets(), region.getStaticSizes(), shape))
    if (at + size > extent) return false;
  return true;
}

} // namespace tessera::cpu
