// What the operations need to know of a tile (a buffer or a region): extents, element type, space, name, storage.
#pragma once

#include "tilelang/ir/Tile.h"

namespace tessera::tile {

/// Shape, element type and memory space of a buffer or region.
struct TileInfo {
  llvm::ArrayRef<int64_t> shape;
  mlir::Type element;
  Space space;

  int64_t rank() const { return static_cast<int64_t>(shape.size()); }
};

/// Requires a memref or region type. A memref without a tile memory space counts as global.
TileInfo tileInfo(mlir::Type type);
inline TileInfo tileInfo(mlir::Value tile) { return tileInfo(tile.getType()); }

/// Whether a buffer may have elements of this type.
bool isElementType(mlir::Type type);

/// The type of a scalar that holds such an element: signless.
mlir::Type scalarType(mlir::Type element);

/// Whether operations accept the type as a buffer: a memref of such elements, in a tile memory space or in none.
bool isBufferType(mlir::Type type);

/// Whether the elements are unsigned integers.
bool isUnsigned(mlir::Type element);

/// Whether it is a floating-point type of at most 8 bits. These are converted, compared and selected, but not computed
/// with, and copies into them saturate.
bool isNarrowFloat(mlir::Type type);

/// The short name of an element type as users write it: "bf16", "e4m3", "u8", "bool".
std::string typeName(mlir::Type element);

/// The value that holds the storage: looks through `tile.region` and `tile.view`.
mlir::Value baseBuffer(mlir::Value tile);

/// The author's name of the storage behind a tile; empty where none was given.
llvm::StringRef bufferName(mlir::Value tile);

/// The buffer's name in quotes for messages; "the variable", "the tensor" or "the buffer" where it has none.
std::string quotedName(mlir::Value tile);

/// The shape without unit extents; rank 0 stands for a single element.
llvm::SmallVector<int64_t> squeezed(llvm::ArrayRef<int64_t> shape);

/// "64x?x32" for messages; "scalar" for rank 0.
std::string shapeText(llvm::ArrayRef<int64_t> shape);

/// Whether two extents may be equal: equal, or one of them known only at run time.
inline bool mayEqual(int64_t a, int64_t b) {
  return a == b || mlir::ShapedType::isDynamic(a) || mlir::ShapedType::isDynamic(b);
}

/// Whether two tiles certainly share an element. Windows with run-time offsets do so only if the offsets are the same
/// values; different views of one buffer are not compared.
bool certainlyOverlap(mlir::Value a, mlir::Value b);

/// Whether two tiles are the same elements in the same order.
bool sameWindow(mlir::Value a, mlir::Value b);

/// A pad value, if there is one, must be a number of the tile's element type.
mlir::LogicalResult verifyPad(mlir::Operation *op, mlir::Attribute pad, mlir::Value tile);

/// Emits `what` as an error at `op` with `help` as a note. The text is what users see, so it names the buffers.
mlir::LogicalResult failWith(mlir::Operation *op, const llvm::Twine &what, const llvm::Twine &help);

} // namespace tessera::tile
