// Elements that lie two to a byte: e2m1 in global tensors, the even one in the low nibble. A code is an i8 below 16, as
// it is on chip, where each has a byte of its own.
#pragma once

#include "tilelang/cpu/emit/Emitter.h"

namespace tessera::cpu {

/// Whether a view is of such elements. Its memref has elements of type i4, sizes and strides in elements, and must not
/// be accessed as one.
bool isPacked(const View &view);

/// The code at a position in the memref, which lies inside.
mlir::Value loadPacked(Emitter &e, const View &view, mlir::ValueRange at);
/// The codes of 16 neighbours from a position on, which may be the odd one of a byte.
mlir::Value loadPackedRow(Emitter &e, const View &view, mlir::ValueRange at);

/// Writes one element. Its neighbour in the byte keeps the value it has, also if another block writes that meanwhile.
void storePacked(Emitter &e, const View &view, mlir::ValueRange at, mlir::Value code);
/// Writes 16 neighbours.
void storePackedRow(Emitter &e, const View &view, mlir::ValueRange at, mlir::Value codes);

} // namespace tessera::cpu
