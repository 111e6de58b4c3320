// tile.gemm: hands operands that cpu-pack-operands has prepared to the micro-kernels.
#include "tilelang/cpu/emit/Emitter.h"
#include "tilelang/cpu/gemm/EmitMicroKernel.h"
#include "tilelang/cpu/gemm/LiveExtents.h"
#include "tilelang/cpu/gemm/OperandLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace tessera::cpu {
using namespace tile;

namespace {

/// The part of a window that lies inside its buffer, in one of the last two dimensions.
Value extent(Emitter &e, const View &v, bool last) {
  int64_t dim = v.rank() - (last ? 1 : 2);
  if (v.inside[dim]) return v.sizes[dim];
  int64_t whole = cast<MemRefType>(v.memref.getType()).getDimSize(dim);
  Value room = e.b.createOrFold<arith::SubIOp>(e.index(whole), v.offsets[dim]);
  return e.b.createOrFold<arith::MinSIOp>(v.sizes[dim], room);
}

/// The first element of a window in its row-major buffer of static shape, and the pitch of its rows.
struct RowMajor {
  Value base;
  int64_t pitch;

  RowMajor(Emitter &e, const View &v) : base(e.index(0)), pitch(1) {
    auto type = cast<MemRefType>(v.memref.getType());
    int64_t stride = 1;
    for (int64_t d = v.rank() - 1; d >= 0; --d) {
      Value step = e.b.createOrFold<arith::MulIOp>(v.offsets[d], e.index(stride));
      base = e.b.createOrFold<arith::AddIOp>(base, step);
      if (d == v.rank() - 2) pitch = stride;
      stride *= type.getDimSize(d);
    }
  }
};

} // namespace

LogicalResult Emitter::emitGemm(GemmOp op) {
  View a = view(op.getA()), right = view(op.getB()), c = view(op.getC());
  MicroKernel kernel = chooseMicroKernel(options.isa, a.element, right.element, c.element);
  std::optional<OperandLayout> aLayout = layoutOf(op.getA()), bLayout = layoutOf(op.getB());
  if (!bLayout || emittedType(c.element) != kernel.accumulator)
    return op.emitError("operands are not staged for the micro-kernel; cpu-pack-operands does that");

  auto smaller = [&](Value x, Value y) { return b.createOrFold<arith::MinSIOp>(x, y); };
  bool ta = op.getTransposeA(), tb = op.getTransposeB();
  PackedProduct p;
  p.m = smaller(extent(*this, a, ta), extent(*this, c, false));
  p.n = smaller(extent(*this, right, !tb), extent(*this, c, true));
  Value k = smaller(extent(*this, a, !ta), extent(*this, right, tb));
  LiveExtents live = emitLiveExtents(*this, op);
  if (live.k) k = arith::MaxSIOp::create(b, smaller(k, live.k), index(0));
  p.liveM = live.m;
  p.liveN = live.n;
  p.kSteps = b.createOrFold<arith::CeilDivUIOp>(k, index(kernel.kStep));
  if (op.getClear()) p.clear = scalar(op.getClear());

  RowMajor aRows(*this, a), cRows(*this, c);
  auto bufferElements = [&](const View &v) { return cast<MemRefType>(v.memref.getType()).getNumElements(); };
  int64_t aElements = aLayout ? aLayout->elements() : bufferElements(a);
  p.a = flatStorage(op.getA(), unitType(kernel.compute, kernel.kStep), aElements / kernel.kStep);
  p.aPitch = (aLayout ? aLayout->pitch() : aRows.pitch) / kernel.kStep;
  p.aBase = aLayout ? index(0) : b.createOrFold<arith::DivUIOp>(aRows.base, index(kernel.kStep));
  p.b = flatStorage(op.getB(), kernel.compute, bLayout->elements());
  p.bPitch = bLayout->pitch();
  p.c = flatStorage(op.getC(), kernel.accumulator, bufferElements(c));
  p.cPitch = cRows.pitch;
  p.cBase = cRows.base;
  emitProduct(*this, kernel, p);
  return success();
}

} // namespace tessera::cpu
