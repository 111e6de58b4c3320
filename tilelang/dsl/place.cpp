// Subscripts, windows and corners.
#include "tilelang/dsl/place.h"
#include "tilelang/dsl/promote.h"

#include "tilelang/ir/TileInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

#include <fmt/format.h>

using namespace mlir;

namespace tessera::tl {
namespace {

/// c + sum of coefficient * value: enough to see that two bounds differ by a constant.
struct Linear {
  uint64_t constant = 0; // all numbers wrap as those of the program do
  llvm::SmallVector<std::pair<Value, uint64_t>> terms;

  void add(Value value, uint64_t factor) {
    APInt number;
    if (matchPattern(value, m_ConstantInt(&number))) {
      constant += factor * number.getZExtValue();
      return;
    }
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
      add(op->getOperand(0), factor);
      return add(op->getOperand(1), isa<arith::AddIOp>(op) ? factor : 0 - factor);
    }
    if (isa_and_nonnull<arith::MulIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&number)))
      return add(op->getOperand(0), factor * number.getZExtValue());
    for (auto &[term, coefficient] : terms)
      if (term == value) {
        coefficient += factor;
        return;
      }
    terms.emplace_back(value, factor);
  }
  bool isConstant() const {
    return llvm::all_of(terms, [](const auto &term) { return term.second == 0; });
  }
};

OpFoldResult difference(Tracer &tracer, Value stop, Value start, const At &at) {
  Linear linear;
  linear.add(stop, 1);
  linear.add(start, ~uint64_t(0));
  if (linear.isConstant()) return tracer.builder.getIndexAttr(static_cast<int64_t>(linear.constant));
  return getAsOpFoldResult(tracer.fold<arith::SubIOp>(at, stop, start));
}

/// MLIR keeps the smallest number for bounds that are known only at run time.
OpFoldResult bound(OpFoldResult value, const At &at) {
  if (getConstantIntValue(value) == ShapedType::kDynamic)
    fail(at, fmt::format("a bound of a window is {}", ShapedType::kDynamic), "bounds are above -2^63");
  return value;
}

OpFoldResult extentOf(Tracer &tracer, const Dim &dim, const At &at) {
  if (dim.isStatic()) return tracer.builder.getIndexAttr(dim.value());
  return getAsOpFoldResult(tracer.extent(dim, at));
}

/// Offset and, unless the subscript is a scalar, size in one dimension.
std::pair<OpFoldResult, std::optional<OpFoldResult>> bounds(Tracer &tracer, const Access &access, size_t d) {
  const Index &index = access.index(d);
  const At &at = index.where;
  OpFoldResult one = tracer.builder.getIndexAttr(1);
  if (index.kind == Index::Kind::all)
    return {OpFoldResult(tracer.builder.getIndexAttr(0)), extentOf(tracer, access.buffer().shape()[d], at)};
  Value start = tracer.index(index.start, at);
  if (index.kind == Index::Kind::scalar) return {bound(getAsOpFoldResult(start), at), std::nullopt};
  OpFoldResult offset = bound(getAsOpFoldResult(start), at);
  if (index.size.payload().kind != Expr::Kind::none)
    return {offset, bound(getAsOpFoldResult(tracer.index(index.size, at)), at)};
  return {offset, bound(difference(tracer, tracer.index(index.stop, at), start, at), at)};
}

bool isUnit(OpFoldResult extent) { return getConstantIntValue(extent) == 1; }

/// The sizes of a corner: the extents of the other operand, last dimensions first.
llvm::SmallVector<OpFoldResult> cornerSizes(Tracer &tracer, const Access &corner, ArrayRef<OpFoldResult> other,
                                            const At &at) {
  size_t rank = corner.rank();
  while (other.size() > rank && isUnit(other.front())) other = other.drop_front();
  if (other.size() > rank)
    fail(at, fmt::format("the other side has rank {} but the corner has {} subscripts", other.size(), rank),
         "give both sides the same rank, or slice one of them");
  llvm::SmallVector<OpFoldResult> sizes(rank - other.size(), tracer.builder.getIndexAttr(1));
  sizes.append(other.begin(), other.end());
  return sizes;
}

} // namespace

bool hasExtents(const Tile &tile) { return !tile.access || !tile.access->isElement(); }

llvm::SmallVector<OpFoldResult> tileExtents(Tracer &tracer, const Tile &tile, const At &at) {
  llvm::SmallVector<OpFoldResult> extents;
  for (size_t d = 0; d < tile.buffer.rank(); ++d) {
    if (!tile.access) {
      extents.push_back(extentOf(tracer, tile.buffer.shape()[d], at));
      continue;
    }
    auto [offset, size] = bounds(tracer, *tile.access, d);
    extents.push_back(size ? *size : OpFoldResult(tracer.builder.getIndexAttr(1)));
  }
  return extents;
}

Value tileValue(Tracer &tracer, const Tile &tile, ArrayRef<OpFoldResult> other, const At &at) {
  Value buffer = tracer.buffer(tile.buffer, at);
  if (!tile.access) return buffer;
  llvm::SmallVector<OpFoldResult> offsets, sizes;
  for (size_t d = 0; d < tile.access->rank(); ++d) {
    auto [offset, size] = bounds(tracer, *tile.access, d);
    offsets.push_back(offset);
    sizes.push_back(size ? *size : OpFoldResult(tracer.builder.getIndexAttr(1)));
  }
  if (tile.access->isElement()) sizes = cornerSizes(tracer, *tile.access, other, at);
  return tracer.create<tile::RegionOp>(at, buffer, offsets, sizes);
}

llvm::SmallVector<Value> elementIndices(Tracer &tracer, const Access &access) {
  llvm::SmallVector<Value> indices;
  for (size_t d = 0; d < access.rank(); ++d) {
    const Index &index = access.index(d);
    if (index.kind != Index::Kind::scalar)
      fail(index.where, fmt::format("subscript {} is a window where an element is meant", d),
           "give one index for each dimension, or use fill and copy for windows");
    indices.push_back(tracer.index(index.start, index.where));
    std::optional<int64_t> known = getConstantIntValue(indices.back());
    const Dim &extent = access.buffer().shape()[d];
    bool beyond = known && extent.isStatic() && access.buffer().space() != Space::global && *known >= extent.value();
    if (known && (*known < 0 || beyond))
      fail(index.where, fmt::format("index {} of dimension {} is outside the extent {}", *known, d, extent.text()),
           "indices run from 0 to the extent - 1");
  }
  return indices;
}

Value elementValue(Tracer &tracer, const Operand &value, DType type) {
  ScalarType to{type};
  if (isLiteral(value)) return tracer.as(value, to, value.where());
  CastOptions options;
  options.saturate = isNarrowFloat(to);
  return tracer.cast(tracer.typed(value, value.where()), to, value.where(), options);
}

Attribute padAttr(Tracer &tracer, const std::optional<Number> &pad, DType type, const At &at) {
  if (!pad) return {};
  Expr literal = pad->isInteger ? Expr(pad->integer, at) : Expr(pad->floating, at);
  tracer.as(literal, {type}, at); // refuses what the type does not hold
  if (pad->isInteger) return tracer.builder.getI64IntegerAttr(pad->integer);
  return tracer.builder.getF64FloatAttr(pad->floating);
}

} // namespace tessera::tl
