// Verifiers of buffers, regions and element accesses; the generated definitions of all operations.
#include "tilelang/ir/TileInfo.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CheckedArithmetic.h"

#define GET_OP_CLASSES
#include "tilelang/ir/TileOps.cpp.inc"

using namespace mlir;

namespace tessera::tile {
namespace {

bool isExpertSpace(Space space) { return space >= Space::l1; }

int64_t elementBits(Type element) { return std::max<int64_t>(8, element.getIntOrFloatBitWidth()); }

/// Bytes of a static buffer of tile elements, each in bytes of its own; nullopt if they do not fit in 63 bits.
std::optional<int64_t> bytesOf(TileInfo info) {
  std::optional<int64_t> bytes = elementBits(info.element) / 8;
  for (int64_t extent : info.shape)
    if (bytes) bytes = llvm::checkedMul(*bytes, extent);
  return bytes;
}

constexpr StringRef kElementTypes =
    "element types are bool, i8-i64, u8-u64, f16, bf16, f32, f64, e4m3, e5m2, e8m0 and e2m1";

LogicalResult verifyIndices(Operation *op, Value tile, size_t indices) {
  int64_t rank = tileInfo(tile).rank();
  if (static_cast<int64_t>(indices) == rank) return success();
  return failWith(
      op, Twine("rank of ") + quotedName(tile) + " is " + Twine(rank) + " but " + Twine(indices) + " indices are given",
      "give one index for each dimension");
}

LogicalResult verifyElement(Operation *op, Value tile, Type value) {
  Type expected = scalarType(tileInfo(tile).element);
  if (value == expected) return success();
  return failWith(op,
                  Twine("element type of ") + quotedName(tile) + " is " + typeName(expected) + " but the value is " +
                      typeName(value),
                  "convert the value with a cast");
}

/// A window onto an on-chip buffer must lie inside it, as far as that is known.
LogicalResult verifyInside(Operation *op, Value buffer, int64_t dim, int64_t offset, int64_t size) {
  int64_t extent = tileInfo(buffer).shape[dim];
  std::string what;
  if (ShapedType::isDynamic(offset)) {
    if (ShapedType::isDynamic(size) || size <= extent) return success();
    what = "region of " + std::to_string(size) + " elements in dimension " + std::to_string(dim);
  } else {
    int64_t known = ShapedType::isDynamic(size) ? 0 : size;
    if (offset >= 0 && offset <= extent && known <= extent - offset) return success();
    std::optional<int64_t> end = llvm::checkedAdd(offset, known);
    what = "region [" + std::to_string(offset) + ", " +
           (end && !ShapedType::isDynamic(size) ? std::to_string(*end) : "?") + ") of dimension " + std::to_string(dim);
  }
  return failWith(op, Twine(what) + " exceeds extent " + Twine(extent) + " of " + quotedName(buffer),
                  "keep the slice inside the buffer");
}

} // namespace

void TileDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "tilelang/ir/TileOps.cpp.inc"
      >();
}

LogicalResult AllocOp::verify() {
  auto type = cast<MemRefType>(getBuffer().getType());
  TileInfo info = tileInfo(type);
  std::string name = getName() ? "`" + getName()->str() + "`" : "a buffer";
  if (!isElementType(info.element))
    return failWith(*this, Twine(name) + " cannot have elements of type " + typeName(info.element), kElementTypes);
  if (type.getMemorySpace() && !isa<SpaceAttr>(type.getMemorySpace()))
    return emitOpError("has the memory space ") << type.getMemorySpace() << ", which is none of '#tile.space<...>'";
  if (!type.getMemorySpace() || info.space == Space::global)
    return failWith(*this, Twine(name) + " is allocated in the space global",
                    "global tensors are arguments; allocate in shared, fragment, local or var");
  if (!type.hasStaticShape())
    return failWith(*this,
                    Twine(name) + " has the shape " + shapeText(info.shape) + ", which is not known at compile time",
                    "use a compile-time upper bound and work on a slice of it");
  if (!type.getLayout().isIdentity())
    return failWith(*this, Twine(name) + " has the shape " + shapeText(info.shape) + ", which is not contiguous",
                    "on-chip buffers are row-major; slice a wider one");
  for (int64_t extent : info.shape)
    if (extent == 0)
      return failWith(*this, Twine(name) + " has the shape " + shapeText(info.shape), "extents must be at least 1");
  if (info.space == Space::var && info.rank() != 0)
    return failWith(*this, Twine(name) + " is a variable of rank " + Twine(info.rank()),
                    "a variable is a scalar, rank 0");
  if (!bytesOf(info))
    return failWith(*this, Twine(name) + " (" + shapeText(info.shape) + ") has more bytes than can be counted",
                    "on-chip buffers hold one block's tiles; make the tile smaller");
  if (failed(verifyPad(*this, getPadAttr(), getBuffer()))) return failure();
  if (IntegerAttr address = getAddressAttr(); address && address.getInt() < 0)
    return failWith(*this, Twine(name) + " has the address " + Twine(address.getInt()), "addresses start at 0");
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
                    Twine("region of ") + quotedName(getBuffer()) + " has " + Twine(offsets.size()) + " offsets and " +
                        Twine(sizes.size()) + " sizes for rank " + Twine(base.rank()),
                    "give one offset and one size for each dimension");
  for (auto [d, size] : llvm::enumerate(sizes))
    if (size < 0 && !ShapedType::isDynamic(size))
      return failWith(*this,
                      Twine("region of ") + quotedName(getBuffer()) + " has the size " + Twine(size) +
                          " in dimension " + Twine(d),
                      "the end of a slice must not lie before its start");
  TileInfo region = tileInfo(getRegion());
  if (region.element != base.element || region.space != base.space || region.shape != sizes)
    return emitOpError("result type ") << getRegion().getType() << " does not fit the sizes and the buffer";
  if (base.space == Space::global) return success();
  for (int64_t d = 0; d < base.rank(); ++d)
    if (failed(verifyInside(*this, getBuffer(), d, offsets[d], sizes[d]))) return failure();
  return success();
}

Value ViewOp::getViewSource() { return getSource(); }

LogicalResult ViewOp::verify() {
  auto from = getSource().getType(), to = cast<MemRefType>(getResult().getType());
  if (!isBufferType(to) && isElementType(to.getElementType()))
    return emitOpError("result has the memory space ")
           << to.getMemorySpace() << ", which is none of '#tile.space<...>'";
  TileInfo source = tileInfo(from), result = tileInfo(to);
  if (source.space != result.space)
    return emitOpError("spaces differ: ") << stringifySpace(source.space) << " vs " << stringifySpace(result.space);
  if (!from.hasStaticShape() || !to.hasStaticShape())
    return failWith(*this, Twine("view of ") + quotedName(getSource()) + " with a run-time shape",
                    "views need compile-time shapes");
  if (!from.getLayout().isIdentity() || !to.getLayout().isIdentity())
    return failWith(*this, Twine("view of ") + quotedName(getSource()) + ", which is not contiguous",
                    "only whole contiguous buffers have views");
  if (!isElementType(result.element))
    return failWith(*this, Twine("view of ") + quotedName(getSource()) + " as " + typeName(result.element),
                    kElementTypes);
  if (result.space == Space::var && result.rank() != 0)
    return failWith(*this,
                    Twine("view of the variable ") + quotedName(getSource()) + " with rank " + Twine(result.rank()),
                    "a variable is a scalar, rank 0");
  // Two elements to a byte in a tensor, and however the target likes on chip.
  bool isPacked = isa<Float4E2M1FNType>(source.element);
  if (isPacked != isa<Float4E2M1FNType>(result.element))
    return failWith(*this,
                    Twine("view of ") + quotedName(getSource()) + " of type " + typeName(source.element) + " as " +
                        typeName(result.element),
                    "views of e2m1 keep the type; a tensor of bytes is made one of e2m1 where it is passed");
  std::optional<int64_t> before = bytesOf(source), after = bytesOf(result);
  if (!before || !after)
    return failWith(*this, Twine("view of ") + quotedName(getSource()) + " has more bytes than can be counted",
                    "make it smaller");
  if (*before != *after)
    return failWith(*this,
                    Twine("view of ") + quotedName(getSource()) + " changes its size: " + Twine(*before) + " vs " +
                        Twine(*after) + " bytes",
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
  if (isNarrowFloat(info.element) || info.element.isInteger(1))
    return failWith(*this,
                    Twine("atomic ") + stringifyAtomicKind(getKind()) + " on " + quotedName(getTile()) + " of type " +
                        typeName(info.element),
                    "atomics work on i8-i64, u8-u64, f16, bf16, f32 and f64");
  return verifyElement(*this, getTile(), getValue().getType());
}

} // namespace tessera::tile
