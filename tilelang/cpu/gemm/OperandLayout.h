// The packed forms of gemm operands.
//
// With kStep adjacent k as one unit, and kSteps = ceil(k / kStep):
//   A  [m][kSteps][kStep]                     rows: for a row-major operand of whole units just the operand itself
//   B  [ceil(n / 16)][kSteps + 1][16][kStep]  panels of 16 columns, whatever the micro-kernel's width
// The last row of units of a panel is only a gap. In the last unit, elements past k are zero in B and anything finite
// in A. Columns past n are anything.
#pragma once

#include "tilelang/cpu/gemm/MicroKernels.h"
#include "tilelang/ir/TileInfo.h"

namespace tessera::cpu {

constexpr int64_t kPanelWidth = 16;

enum class OperandRole { a, b };

/// How a buffer that feeds a gemm is stored instead of row-major.
struct OperandLayout {
  OperandRole role;
  mlir::Type compute; ///< element type of the storage
  int64_t kStep;
  int64_t k, other;        ///< extents of the buffer: `other` is m or n
  bool transposed = false; ///< the buffer is declared [k][m] for A, [n][k] for B
  bool biased = false;     ///< top bits flipped

  bool operator==(const OperandLayout &) const = default;

  int64_t kSteps() const { return (k + kStep - 1) / kStep; }
  /// Elements from one row of A, or one panel of B, to the next.
  int64_t pitch() const;
  int64_t elements() const;
  int64_t bytes() const { return elements() * (compute.getIntOrFloatBitWidth() / 8); }
  /// Whether the buffer is declared with k as its last dimension.
  bool kIsLast() const { return (role == OperandRole::a) != transposed; }
};

/// The type of `kStep` adjacent elements as one scalar.
mlir::Type unitType(mlir::Type compute, int64_t kStep);

/// Stores the layout on an allocation, as `cpu.packed`.
void setLayout(tile::AllocOp alloc, const OperandLayout &layout);
/// The layout of an allocation; nothing if it is row-major.
std::optional<OperandLayout> layoutOf(tile::AllocOp alloc);
/// The layout of the storage behind a tile.
std::optional<OperandLayout> layoutOf(mlir::Value tile);

} // namespace tessera::cpu
