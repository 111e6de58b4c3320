// Verifiers of buffers, regions and element accesses; the generated definitions of all operations.
#include "tilelang/ir/TileInfo.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/StringExtras.h"

#define GET_OP_CLASSES
#include "tilelang/ir/TileOps.cpp.inc"

using namespace mlir;

namespace tessera::tile {
namespace {

std::string quoted(Value tile) {
  StringRef name = bufferName(tile);
  return name.empty() ? "the buffer" : ("`" + name + "`").str();
}

bool isExpertSpace(Space space) { return space >= Space::l1; }

LogicalResult verifyIndices(Operation *op, Value tile, size_t indices) {
  int64_t rank = tileInfo(tile).rank();
  if (static_cast<int64_t>(indices) == rank) return success();
  return failWith(
      op, Twine("rank of ") + quoted(tile) + " is " + Twine(rank) + " but " + Twine(indices) + " indices are given",
      "give one index for each dimension");
}

LogicalResult verifyElement(Operation *op, Value tile, Type value) {
  Type expected = scalarType(tileInfo(tile).element);
  if (value == expected) return success();
  return failWith(op,
                  Twine("element type of ") + quoted(tile) + " is " + typeName(expected) + " but the value is " +
                      typeName(value),
                  "convert the value with a cast");
}

} // namespace

void TileDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "tilelang/ir/TileOps.cpp.inc"
      >();
}

LogicalResult AllocOp::verify() {
  MemRefType type = getBuffer().getType();
  TileInfo info = tileInfo(type);
  std::string name = getName() ? "`" + getName()->str() + "`" : "a buffer";
  if (!isElementType(info.element))
    return failWith(*this, Twine(name) + " cannot have elements of type " + typeName(info.element),
                    "element types are bool, i8-i64, u8-u64, f16, bf16, f32, f64, e4m3, e5m2 and e8m0");
  if (!type.getMemorySpace() || info.space == Space::global)
    return failWith(*this, Twine(name) + " is allocated in the space global",
                    "global tensors are arguments; allocate in shared, fragment, local or var");
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return failWith(*this,
                    Twine(name) + " has the shape " + shapeText(info.shape) + ", which is not known at compile time",
                    "use a compile-time upper bound and work on a slice of it");
  for (int64_t extent : info.shape)
    if (extent == 0)
      return failWith(*this, Twine(name) + " has the shape " + shapeText(info.shape), "extents must be at least 1");
  if (info.space == Space::var && info.rank() != 0)
    return failWith(*this, Twine(name) + " is a variable of rank " + Twine(info.rank()),
                    "a variable is a scalar, rank 0");
  if (getAddress() && !isExpertSpace(info.space))
    return failWith(*this, Twine(name) + " has a fixed address in the space " + stringifySpace(info.space),
                    "only l1, l0a, l0b, l0c and ub buffers have addresses");
  return success();
}

void RegionOp::build(OpBuilder &builder, OperationState &state, Value buffer, ArrayRef<OpFoldResult> offsets,
                     ArrayRef<OpFoldResult> sizes) {
  SmallVector<Value> dynamicOffsets, dynamicSizes;
  SmallVector<int64_t> staticOffsets, staticSizes;
  dispatchIndexOpFoldResults(offsets, dynamicOffsets, staticOffsets);
  dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
  TileInfo info = tileInfo(buffer);
  auto space = SpaceAttr::get(builder.getContext(), info.space);
  // A nonsensical static size is kept for the verifier to name; the type must still be legal.
  SmallVector<int64_t> shape = llvm::map_to_vector(
      staticSizes, [](int64_t size) { return ShapedType::isDynamic(size) ? size : std::max<int64_t>(size, 0); });
  auto type = RegionType::get(builder.getContext(), shape, info.element, space);
  build(builder, state, type, buffer, dynamicOffsets, dynamicSizes, staticOffsets, staticSizes);
}

SmallVector<OpFoldResult> RegionOp::getMixedOffsets() {
  return mlir::getMixedValues(getStaticOffsets(), getOffsets(), getContext());
}
SmallVector<OpFoldResult> RegionOp::getMixedSizes() {
  return mlir::getMixedValues(getStaticSizes(), getSizes(), getContext());
}
Value RegionOp::getViewSource() { return getBuffer(); }

LogicalResult RegionOp::verify() {
  TileInfo base = tileInfo(getBuffer());
  ArrayRef<int64_t> offsets = getStaticOffsets(), sizes = getStaticSizes();
  auto dynamicCount = [](ArrayRef<int64_t> list) { return llvm::count_if(list, ShapedType::isDynamic); };
  if (static_cast<size_t>(dynamicCount(offsets)) != getOffsets().size() ||
      static_cast<size_t>(dynamicCount(sizes)) != getSizes().size())
    return emitOpError("number of run-time offsets or sizes does not match the static lists");
  if (static_cast<int64_t>(offsets.size()) != base.rank() || sizes.size() != offsets.size())
    return failWith(*this,
                    Twine("region of ") + quoted(getBuffer()) + " has " + Twine(offsets.size()) + " offsets and " +
                        Twine(sizes.size()) + " sizes for rank " + Twine(base.rank()),
                    "give one offset and one size for each dimension");
  TileInfo region = tileInfo(getRegion());
  if (region.element != base.element || region.space != base.space || region.shape != sizes)
    return emitOpError("result type ") << getRegion().getType() << " does not fit the sizes and the buffer";
  for (int64_t d = 0; d < base.rank(); ++d) {
    int64_t offset = offsets[d], size = sizes[d], extent = base.shape[d];
    if (ShapedType::isDynamic(size) || ShapedType::isDynamic(offset)) continue;
    if (size < 0)
      return failWith(*this,
                      Twine("region of ") + quoted(getBuffer()) + " has the size " + Twine(size) + " in dimension " +
                          Twine(d),
                      "the end of a slice must not lie before its start");
    if (base.space == Space::global || ShapedType::isDynamic(extent)) continue;
    if (offset < 0 || offset + size > extent)
      return failWith(*this,
                      Twine("region [") + Twine(offset) + ", " + Twine(offset + size) + ") of dimension " + Twine(d) +
                          " exceeds extent " + Twine(extent) + " of " + quoted(getBuffer()),
                      "keep the slice inside the buffer");
  }
  for (int64_t d = 0; d < base.rank(); ++d)
    if (base.space != Space::global && !ShapedType::isDynamic(sizes[d]) && sizes[d] > base.shape[d])
      return failWith(*this,
                      Twine("region of ") + Twine(sizes[d]) + " elements in dimension " + Twine(d) +
                          " exceeds extent " + Twine(base.shape[d]) + " of " + quoted(getBuffer()),
                      "keep the slice inside the buffer");
  return success();
}

Value ViewOp::getViewSource() { return getSource(); }

LogicalResult ViewOp::verify() {
  TileInfo source = tileInfo(getSource()), result = tileInfo(getResult());
  if (source.space != result.space)
    return emitOpError("spaces differ: ") << stringifySpace(source.space) << " vs " << stringifySpace(result.space);
  if (!getSource().getType().hasStaticShape() || !getResult().getType().hasStaticShape())
    return failWith(*this, Twine("view of ") + quoted(getSource()) + " with a run-time shape",
                    "views need compile-time shapes");
  if (!isElementType(result.element))
    return failWith(*this, Twine("view of ") + quoted(getSource()) + " as " + typeName(result.element),
                    "element types are bool, i8-i64, u8-u64, f16, bf16, f32, f64, e4m3, e5m2 and e8m0");
  auto bits = [](MemRefType type) {
    return type.getNumElements() * std::max<int64_t>(8, type.getElementType().getIntOrFloatBitWidth());
  };
  if (bits(getSource().getType()) != bits(getResult().getType()))
    return failWith(*this,
                    Twine("view of ") + quoted(getSource()) +
                        " changes its size: " + Twine(bits(getSource().getType()) / 8) + " vs " +
                        Twine(bits(getResult().getType()) / 8) + " bytes",
                    "shape and type of a view must cover the same bytes");
  return success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifyIndices(*this, getTile(), getIndices().size()))) return failure();
  return verifyElement(*this, getTile(), getValue().getType());
}

LogicalResult StoreOp::verify() {
  if (failed(verifyIndices(*this, getTile(), getIndices().size()))) return failure();
  return verifyElement(*this, getTile(), getValue().getType());
}

void AtomicOp::build(OpBuilder &builder, OperationState &state, AtomicKind kind, Value value, Value tile,
                     ValueRange indices) {
  build(builder, state, value.getType(), kind, value, tile, indices);
}

LogicalResult AtomicOp::verify() {
  if (failed(verifyIndices(*this, getTile(), getIndices().size()))) return failure();
  TileInfo info = tileInfo(getTile());
  if (isa<Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType>(info.element) || info.element.isInteger(1))
    return failWith(*this,
                    Twine("atomic ") + stringifyAtomicKind(getKind()) + " on " + quoted(getTile()) + " of type " +
                        typeName(info.element),
                    "atomics work on i8-i64, u8-u64, f16, bf16, f32 and f64");
  return verifyElement(*this, getTile(), getValue().getType());
}

} // namespace tessera::tile
