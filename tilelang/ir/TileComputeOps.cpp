// Verifiers of the operations on whole tiles.
#include "tilelang/ir/TileInfo.h"

using namespace mlir;

namespace tessera::tile {
namespace {

std::string described(Value tile) {
  StringRef name = bufferName(tile);
  return (name.empty() ? std::string("a tile") : "`" + name.str() + "`") + " (" + shapeText(tileInfo(tile).shape) + ")";
}

bool isFloat8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }
bool isByteInteger(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.getWidth() == 8;
}

/// Extents must agree once unit extents are dropped; used by the operations that move tiles.
LogicalResult verifySameExtents(Operation *op, Value src, Value dst) {
  SmallVector<int64_t> a = squeezed(tileInfo(src).shape), b = squeezed(tileInfo(dst).shape);
  // A run-time extent may turn out to be 1, so ranks are compared only between fully known shapes.
  if (a.size() != b.size() && !llvm::is_contained(a, ShapedType::kDynamic) &&
      !llvm::is_contained(b, ShapedType::kDynamic))
    return failWith(op, Twine("shapes differ: ") + described(src) + " vs " + described(dst),
                    "give both sides the same extents, or slice the larger one");
  if (a.size() != b.size() && tileInfo(src).rank() != tileInfo(dst).rank())
    return failWith(op, Twine("ranks differ: ") + described(src) + " vs " + described(dst),
                    "run-time extents are matched by position, so both sides need the same rank");
  // With a run-time extent of 1 left standing, extents are matched as they stand.
  bool fits = a.size() == b.size() ? llvm::all_of_zip(a, b, mayEqual)
                                   : llvm::all_of_zip(tileInfo(src).shape, tileInfo(dst).shape, mayEqual);
  if (fits) return success();
  return failWith(op, Twine("shapes differ: ") + described(src) + " vs " + described(dst),
                  "give both sides the same extents, or slice the larger one");
}

LogicalResult verifyScalarFor(Operation *op, Value tile, Type value) {
  Type expected = scalarType(tileInfo(tile).element);
  if (value == expected) return success();
  return failWith(op,
                  Twine("element type of ") + described(tile) + " is " + typeName(expected) + " but the value is " +
                      typeName(value),
                  "convert the value with a cast");
}

LogicalResult verifyAxis(Operation *op, Value tile, int64_t dim) {
  int64_t rank = tileInfo(tile).rank();
  if (dim >= 0 && dim < rank) return success();
  return failWith(op, Twine("dim ") + Twine(dim) + " of " + described(tile) + " does not exist",
                  rank == 0 ? Twine("a scalar has no dims") : Twine("dims run from 0 to ") + Twine(rank - 1));
}

/// Rows and columns of a gemm operand: the last two extents; leading ones must be 1.
FailureOr<std::pair<int64_t, int64_t>> matrixExtents(Operation *op, Value tile, StringRef role) {
  ArrayRef<int64_t> shape = tileInfo(tile).shape;
  if (shape.size() < 2)
    return failWith(op, Twine("gemm operand ") + role + ", " + described(tile) + ", has rank " + Twine(shape.size()),
                    "gemm operands are matrices; use a view to reshape");
  for (int64_t extent : shape.drop_back(2))
    if (extent != 1)
      return failWith(
          op, Twine("gemm operand ") + role + ", " + described(tile) + ", has a leading extent of " + Twine(extent),
          "leading extents must be 1");
  return std::make_pair(shape[shape.size() - 2], shape.back());
}

bool isGemmTypes(Type a, Type b, Type c) {
  if (isByteInteger(a) && isByteInteger(b)) return c.isInteger(32) && !isUnsigned(c);
  if (a.isF64()) return b.isF64() && c.isF64();
  bool inputs = isFloat8(a) ? isFloat8(b) : a == b && isa<Float32Type, Float16Type, BFloat16Type>(a);
  return inputs && isa<Float32Type, Float16Type, BFloat16Type>(c);
}

/// Gemm operands are on chip, in a memory of the kind that the author names or leaves to the compiler.
LogicalResult verifySpace(Operation *op, Value tile, StringRef role, Space named, bool mayBeL1) {
  Space space = tileInfo(tile).space;
  bool open = space == Space::shared || space == Space::fragment || space == Space::local;
  if (open || space == named || (mayBeL1 && space == Space::l1)) return success();
  return failWith(
      op, Twine("gemm operand ") + role + ", " + described(tile) + ", is in the space " + stringifySpace(space),
      Twine("copy it to a tile in shared, fragment, local, ") + (mayBeL1 ? "l1 or " : "or ") + stringifySpace(named));
}

LogicalResult verifyExtent(Operation *op, StringRef what, int64_t x, int64_t y, Value p, Value q) {
  if (mayEqual(x, y)) return success();
  return failWith(op, what + " extents differ: " + Twine(x) + " vs " + Twine(y),
                  Twine("operands are ") + described(p) + " and " + described(q) + "; check the transpose flags");
}

/// The result of an operation must not be where it still reads.
LogicalResult verifyApart(Operation *op, Value read, Value written) {
  if (!certainlyOverlap(read, written)) return success();
  return failWith(op,
                  Twine(op->getName().stripDialect()) + " reads " + described(read) +
                      " and writes overlapping elements of it, " + described(written),
                  "use another buffer for the result");
}

} // namespace

LogicalResult CopyOp::verify() {
  if (failed(verifySameExtents(*this, getSrc(), getDst())) || failed(verifyPad(*this, getPadAttr(), getDst())))
    return failure();
  return sameWindow(getSrc(), getDst()) ? success() : verifyApart(*this, getSrc(), getDst());
}

LogicalResult FillOp::verify() { return verifyScalarFor(*this, getDst(), getValue().getType()); }

LogicalResult GemmOp::verify() {
  auto a = matrixExtents(*this, getA(), "a"), b = matrixExtents(*this, getB(), "b"),
       c = matrixExtents(*this, getC(), "c");
  if (failed(a) || failed(b) || failed(c)) return failure();
  if (failed(verifySpace(*this, getA(), "a", Space::l0a, true)) ||
      failed(verifySpace(*this, getB(), "b", Space::l0b, true)) ||
      failed(verifySpace(*this, getC(), "c", Space::l0c, false)))
    return failure();
  Type ta = tileInfo(getA()).element, tb = tileInfo(getB()).element, tc = tileInfo(getC()).element;
  if (!isGemmTypes(ta, tb, tc))
    return failWith(
        *this, Twine("gemm of ") + typeName(ta) + " by " + typeName(tb) + " into " + typeName(tc) + " is not supported",
        "inputs are both f32, both f16, both bf16 or any two of e4m3 and e5m2, into f32, f16 or bf16; both f64, "
        "into f64; any two of i8 and u8, into i32");
  if (getTransposeA()) std::swap(a->first, a->second);
  if (getTransposeB()) std::swap(b->first, b->second);
  if (failed(verifyExtent(*this, "K", a->second, b->first, getA(), getB()))) return failure();
  if (failed(verifyExtent(*this, "M", a->first, c->first, getA(), getC()))) return failure();
  if (failed(verifyExtent(*this, "N", b->second, c->second, getB(), getC()))) return failure();
  if (failed(verifyApart(*this, getA(), getC()))) return failure();
  return verifyApart(*this, getB(), getC());
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyAxis(*this, getSrc(), getDim()))) return failure();
  TileInfo src = tileInfo(getSrc()), dst = tileInfo(getDst());
  SmallVector<int64_t> kept(src.shape), dropped(src.shape);
  kept[getDim()] = 1;
  dropped.erase(dropped.begin() + getDim());
  auto fits = [&](ArrayRef<int64_t> shape) {
    return shape.size() == dst.shape.size() && llvm::all_of_zip(shape, dst.shape, mayEqual);
  };
  // A full reduction of a vector may go to one element.
  if (!fits(kept) && !fits(dropped) && !(dropped.empty() && dst.shape == ArrayRef<int64_t>{1}))
    return failWith(*this,
                    Twine("reduction of ") + described(getSrc()) + " over dim " + Twine(getDim()) + " does not fit " +
                        described(getDst()),
                    Twine("the result is ") + shapeText(dropped) + " or " + shapeText(kept));
  bool logical = getKind() == ReduceKind::any || getKind() == ReduceKind::all;
  bool bitwise = getKind() == ReduceKind::bitAnd || getKind() == ReduceKind::bitOr || getKind() == ReduceKind::bitXor;
  if (logical) {
    if (!dst.element.isInteger(1))
      return failWith(*this, Twine("element types differ: bool vs ") + typeName(dst.element), "any and all write bool");
    return verifyApart(*this, getSrc(), getDst());
  }
  if (bitwise && !isa<IntegerType>(src.element))
    return failWith(*this, Twine("bitwise reduction of ") + typeName(src.element) + " elements", "use an integer type");
  if (!bitwise && (src.element.isInteger(1) || isa<Float8E8M0FNUType>(src.element)))
    return failWith(*this,
                    Twine("reduction ") + stringifyReduceKind(getKind()) + " of " + typeName(src.element) + " elements",
                    "use a number type, or any / all for bool");
  bool isSum = getKind() == ReduceKind::sum || getKind() == ReduceKind::abssum;
  bool widens = isSum && (isa<FloatType>(src.element) ? isa<FloatType>(dst.element) : isa<IntegerType>(dst.element)) &&
                dst.element.getIntOrFloatBitWidth() > src.element.getIntOrFloatBitWidth();
  if (src.element != dst.element && !widens)
    return failWith(*this, Twine("element types differ: ") + typeName(src.element) + " vs " + typeName(dst.element),
                    "both sides need one type; sums may be kept in a wider one");
  return verifyApart(*this, getSrc(), getDst());
}

LogicalResult ScanOp::verify() {
  if (failed(verifyAxis(*this, getSrc(), getDim()))) return failure();
  TileInfo src = tileInfo(getSrc()), dst = tileInfo(getDst());
  if (src.shape.size() != dst.shape.size() || !llvm::all_of_zip(src.shape, dst.shape, mayEqual))
    return failWith(*this, Twine("shapes differ: ") + described(getSrc()) + " vs " + described(getDst()),
                    "a scan keeps the shape");
  if (src.element != dst.element)
    return failWith(*this, Twine("element types differ: ") + typeName(src.element) + " vs " + typeName(dst.element),
                    "a scan keeps the element type");
  if (src.element.isInteger(1) || isa<Float8E8M0FNUType>(src.element))
    return failWith(*this, Twine("scan of ") + typeName(src.element) + " elements", "use a number type");
  return sameWindow(getSrc(), getDst()) ? success() : verifyApart(*this, getSrc(), getDst());
}

LogicalResult TransposeOp::verify() {
  TileInfo src = tileInfo(getSrc()), dst = tileInfo(getDst());
  if (src.rank() < 2 || src.rank() != dst.rank())
    return failWith(*this, Twine("transpose of ") + described(getSrc()) + " to " + described(getDst()),
                    "both sides need the same rank of at least 2");
  SmallVector<int64_t> swapped(src.shape);
  std::swap(swapped[swapped.size() - 1], swapped[swapped.size() - 2]);
  if (!llvm::all_of_zip(swapped, dst.shape, mayEqual))
    return failWith(*this, Twine("shapes differ: ") + shapeText(swapped) + " (transposed) vs " + described(getDst()),
                    "the last two extents of the destination are those of the source, swapped");
  if (src.element != dst.element)
    return failWith(*this, Twine("element types differ: ") + typeName(src.element) + " vs " + typeName(dst.element),
                    "a transpose keeps the element type");
  return verifyApart(*this, getSrc(), getDst());
}

LogicalResult AtomicTileOp::verify() {
  TileInfo dst = tileInfo(getDst());
  if (dst.space != Space::global)
    return failWith(*this,
                    Twine("atomic update of ") + described(getDst()) + " in the space " + stringifySpace(dst.space),
                    "tile atomics update global tensors");
  if (isNarrowFloat(dst.element) || dst.element.isInteger(1))
    return failWith(*this,
                    Twine("atomic ") + stringifyAtomicKind(getKind()) + " on " + described(getDst()) + " of type " +
                        typeName(dst.element),
                    "atomics work on i8-i64, u8-u64, f16, bf16, f32 and f64");
  if (failed(verifySameExtents(*this, getSrc(), getDst()))) return failure();
  return verifyApart(*this, getSrc(), getDst());
}

LogicalResult CastOp::verify() {
  Type to = getResult().getType();
  if (getSaturate() && !isa<FloatType>(to))
    return failWith(*this, Twine("saturate on a cast to ") + typeName(to),
                    "only casts to floating point take the flag; casts to integers always saturate");
  for (Type type : {getSource().getType(), to})
    if (!type.isIndex() && !isElementType(type))
      return failWith(*this, Twine("cast from ") + typeName(getSource().getType()) + " to " + typeName(to),
                      "scalar types are bool, i8-i64, f16, bf16, f32, f64, e4m3, e5m2, e8m0, e2m1 and index");
  return success();
}

} // namespace tessera::tile
