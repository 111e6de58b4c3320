// tile.reduce
#include "tilelang/cpu/emit/Emitter.h"

using namespace mlir;

namespace tessera::cpu {
LogicalResult Emitter::emitReduce(tile::ReduceOp op) { return op.emitError("the cpu target has no code for this yet"); }
} // namespace tessera::cpu
