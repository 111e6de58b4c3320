// How buffers, elements and windows become MLIR values. Internal to the language.
#pragma once

#include "tilelang/dsl/tracer.h"

namespace tessera::tl {

/// The value of a tile argument: the buffer itself or a region of it. A corner takes its extents from `other`, the
/// shape of the other operand, last dimensions first; without one it is a single element.
mlir::Value tileValue(Tracer &tracer, const Tile &tile, llvm::ArrayRef<mlir::OpFoldResult> other, const At &at);

/// Whether the tile has extents of its own (is no corner).
bool hasExtents(const Tile &tile);

/// The extents of a tile that has its own.
llvm::SmallVector<mlir::OpFoldResult> tileExtents(Tracer &tracer, const Tile &tile, const At &at);

/// The subscripts of an element access, checked, as index values.
llvm::SmallVector<mlir::Value> elementIndices(Tracer &tracer, const Access &access);

/// The value of a scalar in the element type of a buffer, converted as by a store.
mlir::Value elementValue(Tracer &tracer, const Operand &value, DType type);

/// A pad value as an attribute; it must be representable in `type`.
mlir::Attribute padAttr(Tracer &tracer, const std::optional<Number> &pad, DType type, const At &at);

} // namespace tessera::tl
