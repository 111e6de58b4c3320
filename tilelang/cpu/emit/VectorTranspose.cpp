// Transposition by halving: exchange the off-diagonal quarters of the block, then of each quarter, and so on.
#include "tilelang/cpu/emit/VectorTranspose.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tessera::cpu {

SmallVector<Value> transposeVectors(ImplicitLocOpBuilder &b, ArrayRef<Value> rows) {
  SmallVector<Value> v(rows);
  auto count = static_cast<int64_t>(rows.size());
  for (int64_t half = count / 2; half > 0; half /= 2) {
    SmallVector<int64_t> upper, lower; // elements of row i and row i + half that end up in either
    for (int64_t col = 0; col < count; ++col) {
      bool right = col & half;
      upper.push_back(right ? count + col - half : col);
      lower.push_back(right ? count + col : col + half);
    }
    for (int64_t i = 0; i < count; ++i) {
      if (i & half) continue;
      Value first = v[i], second = v[i + half];
      v[i] = vector::ShuffleOp::create(b, first, second, upper);
      v[i + half] = vector::ShuffleOp::create(b, first, second, lower);
    }
  }
  return v;
}

} // namespace tessera::cpu
