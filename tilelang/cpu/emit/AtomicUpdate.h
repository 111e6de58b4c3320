// One indivisible update of an element in memory.
#pragma once

#include "tilelang/cpu/emit/Emitter.h"

namespace tessera::cpu {

/// `element = element <kind> value`; gives the element before. Both are in their stored form, `element` is the type in
/// the program.
mlir::Value emitAtomicUpdate(Emitter &e, tile::AtomicKind kind, mlir::Type element, mlir::Value memref,
                             mlir::ValueRange at, mlir::Value value);

} // namespace tessera::cpu
