// How `tile.reduce` and `tile.scan` put elements together: in which type, from where, and what becomes of NaN.
#pragma once

#include "tilelang/cpu/emit/Emitter.h"

namespace tessera::cpu {

/// Values are single ones or lanes. Elements come and go in their emitted form, operands and partial results in
/// `type()`.
class Fold {
public:
  Fold(Emitter &e, tile::ReduceKind kind, mlir::Type src, mlir::Type dst, bool spreadNaN)
      : e(e), kind(kind), src(src), dst(dst), spreadNaN(spreadNaN) {}

  mlir::Type type() const;
  /// What combines with any operand to that operand, in the shape of `like`.
  mlir::Value identity(mlir::Type like);
  mlir::Value operand(mlir::Value srcElement);
  /// Old contents of the destination as one more operand.
  mlir::Value oldOperand(mlir::Value dstElement);
  /// A tie keeps `folded`, which is NaN only where one has spread.
  mlir::Value combine(mlir::Value folded, mlir::Value operand);
  /// All lanes put together by halving: lane l with l + 8, then l + 4, l + 2 and l + 1.
  mlir::Value acrossLanes(mlir::Value folded);
  mlir::Value result(mlir::Value folded);

private:
  Emitter &e;
  tile::ReduceKind kind;
  mlir::Type src, dst;
  bool spreadNaN;

  bool isReal() const { return llvm::isa<mlir::FloatType>(type()); }
  bool isLogical() const { return kind == tile::ReduceKind::any || kind == tile::ReduceKind::all; }
  bool isAbsolute() const { return kind == tile::ReduceKind::absmax || kind == tile::ReduceKind::abssum; }
  bool isSum() const { return kind == tile::ReduceKind::sum || kind == tile::ReduceKind::abssum; }
  mlir::Value converted(mlir::Value element, mlir::Type from);
  mlir::Value absolute(mlir::Value x);
  mlir::Value combineReal(mlir::Value folded, mlir::Value operand);
};

} // namespace tessera::cpu
