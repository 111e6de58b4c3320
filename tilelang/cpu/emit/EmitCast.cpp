// Conversions between scalar types with one rounding, on one value or on 16 lanes of it.
#include "tilelang/cpu/emit/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

Value Emitter::emitCast(Value value, Type from, Type to, std::optional<Rounding> rounding, bool saturate,
                        bool unsignedFrom, bool unsignedTo) {
  if (from == to) return value;
  Type result = lanesLike(value.getType(), to);
  if (isa<FloatType>(from) && isa<FloatType>(to)) {
    if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth()) return arith::ExtFOp::create(b, result, value);
    return arith::TruncFOp::create(b, result, value);
  }
  return value;
}

Value Emitter::emitRelu(Value value, Type element) {
  Value zero = constantLike(value.getType(), 0);
  if (isa<FloatType>(element)) return arith::MaximumFOp::create(b, value, zero);
  return isUnsigned(element) ? value : arith::MaxSIOp::create(b, value, zero).getResult();
}

} // namespace tessera::cpu
