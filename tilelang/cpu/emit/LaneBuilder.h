// Arithmetic on a scalar or on 16 lanes of it, written once for both: a constant takes the type of its neighbour.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <concepts>

namespace tessera::cpu {

/// A value, or an integer constant of the type of the value beside it.
struct Operand {
  Operand(mlir::Value value) : value(value) {}
  template <std::integral T> Operand(T bits) : bits(static_cast<uint64_t>(bits)) {}

  mlir::Value value;
  uint64_t bits = 0;
};

class LaneBuilder {
public:
  using Predicate = mlir::arith::CmpIPredicate;
  using RealPredicate = mlir::arith::CmpFPredicate;

  explicit LaneBuilder(mlir::ImplicitLocOpBuilder &b) : b(b) {}
  mlir::ImplicitLocOpBuilder &b;

  /// The low bits of `bits`, or a number, in the shape of a type of integers, index or floats.
  mlir::Value constant(mlir::Type like, uint64_t bits);
  mlir::Value real(mlir::Type like, double value);

  mlir::Value add(mlir::Value x, Operand y) { return make<mlir::arith::AddIOp>(x, y); }
  mlir::Value sub(mlir::Value x, Operand y) { return make<mlir::arith::SubIOp>(x, y); }
  mlir::Value mul(mlir::Value x, Operand y) { return make<mlir::arith::MulIOp>(x, y); }
  mlir::Value bitAnd(mlir::Value x, Operand y) { return make<mlir::arith::AndIOp>(x, y); }
  mlir::Value bitOr(mlir::Value x, Operand y) { return make<mlir::arith::OrIOp>(x, y); }
  mlir::Value bitXor(mlir::Value x, Operand y) { return make<mlir::arith::XOrIOp>(x, y); }
  mlir::Value shiftLeft(mlir::Value x, Operand y) { return make<mlir::arith::ShLIOp>(x, y); }
  mlir::Value shiftRight(mlir::Value x, Operand y) { return make<mlir::arith::ShRUIOp>(x, y); }
  mlir::Value shiftRightSigned(mlir::Value x, Operand y) { return make<mlir::arith::ShRSIOp>(x, y); }
  mlir::Value smin(mlir::Value x, Operand y) { return make<mlir::arith::MinSIOp>(x, y); }
  mlir::Value smax(mlir::Value x, Operand y) { return make<mlir::arith::MaxSIOp>(x, y); }
  mlir::Value addf(mlir::Value x, mlir::Value y) { return mlir::arith::AddFOp::create(b, x, y); }
  mlir::Value subf(mlir::Value x, mlir::Value y) { return mlir::arith::SubFOp::create(b, x, y); }
  mlir::Value mulf(mlir::Value x, mlir::Value y) { return mlir::arith::MulFOp::create(b, x, y); }

  mlir::Value compare(Predicate predicate, mlir::Value x, Operand y);
  mlir::Value compareReal(RealPredicate predicate, mlir::Value x, mlir::Value y);
  /// One of `x` and `y` may be a constant.
  mlir::Value select(mlir::Value condition, Operand x, Operand y);

  /// The same bits as another element type of equal width.
  mlir::Value bitcast(mlir::Value x, mlir::Type element);
  /// The bits of a floating-point value as an integer, and back.
  mlir::Value toBits(mlir::Value x);
  /// An integer brought to another width: truncated, or extended with zeros or the sign.
  mlir::Value resize(mlir::Value x, mlir::Type element, bool isSigned);
  mlir::Value resize(mlir::Value x, unsigned width, bool isSigned) {
    return resize(x, b.getIntegerType(width), isSigned);
  }

  /// A call of an LLVM intrinsic.
  mlir::Value intrinsic(const llvm::Twine &name, mlir::Type result, mlir::ValueRange operands);

  /// vector<16xi1> of the first `count` lanes (an index): none below 0, all from 16 on.
  mlir::Value firstLanes(mlir::Value count);

private:
  mlir::Value resolve(Operand operand, mlir::Type like) {
    return operand.value ? operand.value : constant(like, operand.bits);
  }
  template <class Op> mlir::Value make(mlir::Value x, Operand y) {
    return b.createOrFold<Op>(x, resolve(y, x.getType()));
  }
};

/// Bits of an element of a (vector) type; 64 for index.
unsigned elementWidth(mlir::Type type);

} // namespace tessera::cpu
