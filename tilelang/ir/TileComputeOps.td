// Operations on whole tiles, and the scalar operations that arith and math lack.
#ifndef TESSERA_TILE_COMPUTE_OPS
#define TESSERA_TILE_COMPUTE_OPS

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tilelang/ir/TileDialect.td"

def Tile_CopyOp : Tile_Op<"copy"> {
  let summary = "copies a tile, converting the element type";
  let description = [{
    Copies element by element; the extents of both sides must agree once unit extents are dropped. Extents known only at
    run time are matched in the same way, or by position where the number of extents left differs, and the common part
    of each pair is copied. Elements that lie outside the source's buffer give `pad` (or the pad value of the destination
    buffer, or 0), in the destination's type; elements that lie outside the destination's buffer are skipped. Values are
    converted as by `tile.cast` with its defaults, but saturate in floating-point types of at most 8 bits. Source and destination
    must not overlap unless they are equal. `relu` replaces values below 0 by 0 after the conversion: pad values, NaN
    and -0 stay.

    Example: `tile.copy %r, %a : !tile.region<64x32xbf16, #tile.space<global>>, memref<64x32xbf16, #tile.space<shared>>`
  }];
  let arguments = (ins Arg<Tile_Tile, "", [MemRead]>:$src, Arg<Tile_Tile, "", [MemWrite]>:$dst,
                       OptionalAttr<AnyAttrOf<[F64Attr, I64Attr]>>:$pad, UnitAttr:$relu);
  let assemblyFormat = "$src `,` $dst (`pad` `(` $pad^ `)`)? (`relu` $relu^)? attr-dict `:` type($src) `,` type($dst)";
  let hasVerifier = 1;
}

def Tile_FillOp : Tile_Op<"fill"> {
  let summary = "sets every element of a tile";
  let description = [{
    Writes `value`, of the tile's element type (signless), to every element; outside the buffer nothing is written.

    Example: `tile.fill %zero, %acc : f32, memref<64x64xf32, #tile.space<fragment>>`
  }];
  let arguments = (ins Tile_Scalar:$value, Arg<Tile_Tile, "", [MemWrite]>:$dst);
  let assemblyFormat = "$value `,` $dst attr-dict `:` type($value) `,` type($dst)";
  let hasVerifier = 1;
}

def Tile_GemmOp : Tile_Op<"gemm"> {
  let summary = "c = [c +] op(a) . op(b) on tiles";
  let description = [{
    Multiplies an m x k tile by a k x n tile into an m x n tile, all on chip and c apart from the others. `transposeA`:
    a is stored k x m; `transposeB`: b is stored n x k. Leading unit extents are ignored; of extents known only at run
    time the common part is used. Elements outside a buffer count as 0 and are not written. With `clear` true the old
    contents of c are ignored, otherwise the product is added to them; without the operand it is added.

    Accumulation: `a` and `b` are each `f32 f16 bf16 f8E4M3FN f8E5M2` (any mix of the two fp8 types, otherwise equal)
    with c `f32`, or c `f16`/`bf16` which is accumulated in f32 and rounded once per operation; `f64` with c `f64`; any
    mix of `i8 ui8` with c `i32`, which wraps. Floating-point products are added to the old c, or to +0, in ascending k
    in the accumulation type; the reference uses one fused multiply-add for each k. Whether the product is rounded first,
    and whether adjacent k are added in pairs, is up to the target, but the result for a row depends on nothing but that
    row, b and the old c.

    Example: `tile.gemm %a, %b, %c transposeB : memref<64x32xbf16, #tile.space<shared>>, memref<64x32xbf16, #tile.space<shared>>, memref<64x64xf32, #tile.space<fragment>>`
  }];
  let arguments = (ins Arg<Tile_Tile, "", [MemRead]>:$a, Arg<Tile_Tile, "", [MemRead]>:$b,
                       Arg<Tile_Tile, "", [MemRead, MemWrite]>:$c, Optional<I1>:$clear, UnitAttr:$transposeA,
                       UnitAttr:$transposeB);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`clear` $clear^)? (`transposeA` $transposeA^)? (`transposeB` $transposeB^)? attr-dict
    `:` type($a) `,` type($b) `,` type($c)
  }];
  let hasVerifier = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce"> {
  let summary = "reduces a tile along one axis";
  let description = [{
    Reduces `src` along `dim` into `dst`, whose shape is that of `src` without the axis, or with extent 1 there. With
    `accumulate` the old contents of `dst` are one more operand, folded in last. Types are equal, except that `any` and
    `all` (is any / is every element non-zero) write `i1`, and sums may be kept in a wider type of the same class.

    Order and type: `sum` and `abssum` of floating-point values are computed in f32, or in f64 if either type is f64,
    and rounded once at the end, as by a copy. Along the last axis of `src`, 16 partial sums, the l-th over elements l,
    l+16, ... in ascending order, are combined by halving (l with l+8, then l+4, l+2, l+1); along other axes elements are
    added in ascending order. All these sums start as +0, and old contents are added to the total. Every target gives
    the same bits. Integer sums wrap in the type of `dst`. In integers the absolute value of the least value is the
    unsigned number with its bits, and `absmax` compares unsigned numbers.

    NaN: without `nanPropagate`, `max`, `min` and `absmax` ignore NaN (all NaN: the identity); with it any NaN,
    including one in the old `dst`, gives NaN. A zero that these three give is +0. An empty axis gives the identity: 0,
    -inf, +inf, 0, all ones, and for integers, and types without infinity, the least / greatest value. Of old contents,
    `absmax` takes the absolute value and `abssum` does not.

    Of extents known only at run time the common part is used; the axis is taken whole.

    Example: `tile.reduce max %s, %m {dim = 1} : memref<64x64xf32, #tile.space<fragment>>, memref<64xf32, #tile.space<fragment>>`
  }];
  let arguments = (ins Tile_ReduceAttr:$kind, Arg<Tile_Tile, "", [MemRead]>:$src,
                       Arg<Tile_Tile, "", [MemRead, MemWrite]>:$dst, I64Attr:$dim, UnitAttr:$accumulate,
                       UnitAttr:$nanPropagate);
  let assemblyFormat = "$kind $src `,` $dst (`accumulate` $accumulate^)? (`nan` $nanPropagate^)? attr-dict `:` type($src) `,` type($dst)";
  let hasVerifier = 1;
}

def Tile_ScanOp : Tile_Op<"scan"> {
  let summary = "running sum or maximum along one axis";
  let description = [{
    `dst[i] = src[0] op ... op src[i]` along `dim`, or from the end with `reverse`; `dst` may be `src` itself. Shapes
    and types are equal; of extents known only at run time the common part is used. Sums start as +0 and are kept in f32
    for floating-point types below f64, added in ascending order (descending with `reverse`); each element is the sum so
    far, rounded to the element type. `max` ignores NaN and gives zero as +0, like `tile.reduce`. Integers wrap.

    Example: `tile.scan sum %a, %a {dim = 1} : memref<4x8xi32, #tile.space<shared>>, memref<4x8xi32, #tile.space<shared>>`
  }];
  let arguments = (ins Tile_ScanAttr:$kind, Arg<Tile_Tile, "", [MemRead]>:$src, Arg<Tile_Tile, "", [MemWrite]>:$dst,
                       I64Attr:$dim, UnitAttr:$reverse);
  let assemblyFormat = "$kind $src `,` $dst (`reverse` $reverse^)? attr-dict `:` type($src) `,` type($dst)";
  let hasVerifier = 1;
}

def Tile_TransposeOp : Tile_Op<"transpose"> {
  let summary = "swaps the last two axes of a tile";
  let description = [{
    `dst[..., j, i] = src[..., i, j]`. Types are equal; edges and run-time extents are treated as by `tile.copy`, without
    `pad`. The tiles must not overlap.

    Example: `tile.transpose %a, %b : memref<8x16xf32, #tile.space<shared>>, memref<16x8xf32, #tile.space<shared>>`
  }];
  let arguments = (ins Arg<Tile_Tile, "", [MemRead]>:$src, Arg<Tile_Tile, "", [MemWrite]>:$dst);
  let assemblyFormat = "$src `,` $dst attr-dict `:` type($src) `,` type($dst)";
  let hasVerifier = 1;
}

def Tile_AtomicTileOp : Tile_Op<"atomic_tile"> {
  let summary = "updates every element of a global tile indivisibly";
  let description = [{
    `dst[i] = dst[i] <kind> src[i]` per element, the value converted to the destination's type first as by `tile.cast`.
    Extents as in `tile.copy`; elements outside the buffer of either side are skipped. Ordering as in `tile.atomic`, the
    elements of one operation in row-major order.

    Example: `tile.atomic_tile add %acc, %c : memref<64x64xf32, #tile.space<fragment>>, !tile.region<64x64xf32, #tile.space<global>>`
  }];
  let arguments = (ins Tile_AtomicAttr:$kind, Arg<Tile_Tile, "", [MemRead]>:$src,
                       Arg<Tile_Tile, "", [MemRead, MemWrite]>:$dst);
  let assemblyFormat = "$kind $src `,` $dst attr-dict `:` type($src) `,` type($dst)";
  let hasVerifier = 1;
}

def Tile_CastOp : Tile_Op<"cast", [Pure]> {
  let summary = "converts a scalar with a stated rounding";
  let description = [{
    Converts between any two scalar types with one rounding.
    * To a floating-point type: `rint` (nearest, ties to even) unless stated. A value that rounds beyond the largest
      becomes infinity, or NaN where the type has no infinity, unless the rounding is towards zero; with `saturate` it
      becomes the largest value, as does infinity. NaN stays NaN. `f8E8M0FNU` has no sign and no zero: negative values
      become NaN, and zero and what is less than its least value become that. `f4E2M1FN` has neither infinity nor
      NaN: it always saturates, and NaN becomes the largest value, 6.
    * From floating-point to integer: `trunc` unless stated, saturating at the limits; NaN gives 0.
    * Between integers: wraps; a narrower source is extended by its sign, or with zeros if `unsignedFrom`.
    * To `i1`: whether the value is not zero, true for NaN. From `i1`: 0 or 1. `index` behaves as a signed 64-bit integer.
    * To the same type: unchanged, also with `saturate`.
    `unsignedFrom` and `unsignedTo` tell that the integer on that side is unsigned.
    Copies and the language's own conversions saturate when the destination is a floating-point type of at most 8 bits.

    Example: `%y = tile.cast %x saturate : f32 to f8E4M3FN`
  }];
  let arguments = (ins Tile_Scalar:$source, OptionalAttr<Tile_RoundingAttr>:$rounding, UnitAttr:$saturate,
                       UnitAttr:$unsignedFrom, UnitAttr:$unsignedTo);
  let results = (outs Tile_Scalar:$result);
  let assemblyFormat = [{
    $source (`round` $rounding^)? (`saturate` $saturate^)? (`from_unsigned` $unsignedFrom^)?
    (`to_unsigned` $unsignedTo^)? attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
}

class Tile_UnaryMathOp<string mnemonic> : Tile_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins AnyFloat:$operand);
  let results = (outs AnyFloat:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}
class Tile_BinaryMathOp<string mnemonic> : Tile_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins AnyFloat:$lhs, AnyFloat:$rhs);
  let results = (outs AnyFloat:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}
def Tile_SigmoidOp : Tile_UnaryMathOp<"sigmoid"> {
  let summary = "1 / (1 + exp(-x))";
  let description = "Example: `%y = tile.sigmoid %x : f32`";
}
def Tile_Exp10Op : Tile_UnaryMathOp<"exp10"> {
  let summary = "10 to the power x";
  let description = "Example: `%y = tile.exp10 %x : f32`";
}
def Tile_HypotOp : Tile_BinaryMathOp<"hypot"> {
  let summary = "sqrt(x^2 + y^2) without undue overflow";
  let description = "Example: `%r = tile.hypot %x, %y : f32`";
}
def Tile_NextAfterOp : Tile_BinaryMathOp<"nextafter"> {
  let summary = "the neighbour of x towards y in the operand type";
  let description = "Example: `%r = tile.nextafter %x, %y : f32`";
}
def Tile_LdexpOp : Tile_Op<"ldexp", [Pure, AllTypesMatch<["operand", "result"]>]> {
  let summary = "x times 2 to the power n, rounded once";
  let description = "Example: `%r = tile.ldexp %x, %n : f32, i32`";
  let arguments = (ins AnyFloat:$operand, I32:$exponent);
  let results = (outs AnyFloat:$result);
  let assemblyFormat = "$operand `,` $exponent attr-dict `:` type($operand) `,` type($exponent)";
}

#endif
