// tile.gemm: rows of 16 columns of the result, each summed over all k in a register.
#include "tilelang/cpu/emit/Emitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

namespace {

/// An operand as a matrix: leading unit extents dropped, a transposed one seen straight.
struct Matrix {
  View view;
  bool transposed;

  Value rows() const { return view.sizes[view.rank() - (transposed ? 1 : 2)]; }
  Value cols() const { return view.sizes[view.rank() - (transposed ? 2 : 1)]; }
  SmallVector<Lanes> at(Emitter &e, Lanes row, Lanes col) const {
    SmallVector<Lanes> indices(view.rank(), Lanes{e.index(0)});
    indices[view.rank() - 2] = transposed ? col : row;
    indices[view.rank() - 1] = transposed ? row : col;
    return indices;
  }
};

/// The type in which products of elements that go to `c` are summed.
Type accumulationType(Emitter &e, Type c) {
  if (isa<IntegerType>(c)) return e.b.getI32Type();
  return c.isF64() ? c : e.b.getF32Type();
}

Value loadAs(Emitter &e, const Matrix &matrix, Lanes row, Lanes col, Type type) {
  Value value = e.load(matrix.view, matrix.at(e, row, col), !matrix.view.isInside()).value;
  return e.convertElement(value, matrix.view.element, type);
}

Value multiplyAdd(Emitter &e, Value a, Value b, Value sum) {
  if (isa<FloatType>(getElementTypeOrSelf(sum)))
    return arith::AddFOp::create(e.b, sum, arith::MulFOp::create(e.b, a, b));
  return arith::AddIOp::create(e.b, sum, arith::MulIOp::create(e.b, a, b));
}

/// The sum over k for one row and 16 columns, on top of `start`.
Value sumOverK(Emitter &e, const Matrix &a, const Matrix &b, Value k, Lanes row, Lanes col, Value start) {
  auto loop = scf::ForOp::create(e.b, e.index(0), k, e.index(1), ValueRange{start});
  OpBuilder::InsertionGuard guard(e.b);
  e.b.setInsertionPointToStart(loop.getBody());
  Type type = getElementTypeOrSelf(start);
  Lanes at{loop.getInductionVar()};
  Value left = e.splat(loadAs(e, a, row, at, type)), right = loadAs(e, b, at, col, type);
  scf::YieldOp::create(e.b, ValueRange{multiplyAdd(e, left, right, loop.getRegionIterArg(0))});
  return loop.getResult(0);
}

} // namespace

LogicalResult Emitter::emitGemm(GemmOp op) {
  Matrix a{view(op.getA()), op.getTransposeA()}, bMatrix{view(op.getB()), op.getTransposeB()},
      c{view(op.getC()), false};
  auto smaller = [&](Value x, Value y) { return b.createOrFold<arith::MinSIOp>(x, y); };
  Value m = smaller(a.rows(), c.rows()), n = smaller(bMatrix.cols(), c.cols()), k = smaller(a.cols(), bMatrix.rows());
  Type type = accumulationType(*this, c.view.element);
  return emitBox({m, n}, 1, [&](ArrayRef<Lanes> point) {
    Lanes row = point[0], col = point[1];
    Value start = constantLike(VectorType::get({kLanes}, type), 0);
    bool guard = !c.view.isInside();
    if (!op.getClear() || !matchPattern(op.getClear(), m_One())) {
      Value old = convertElement(load(c.view, c.at(*this, row, col), guard).value, c.view.element, type);
      start = op.getClear() ? arith::SelectOp::create(b, scalar(op.getClear()), start, old).getResult() : old;
    }
    Value sum = sumOverK(*this, a, bMatrix, k, row, col, start);
    store(c.view, c.at(*this, row, col), {convertElement(sum, type, c.view.element)}, guard);
    return success();
  });
}

} // namespace tessera::cpu
