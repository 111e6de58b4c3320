// Buffers, windows onto them, and single elements.
#ifndef TESSERA_TILE_BUFFER_OPS
#define TESSERA_TILE_BUFFER_OPS

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "tilelang/ir/TileDialect.td"

def Tile_AllocOp : Tile_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a buffer that lives in one block";
  let description = [{
    A buffer of static shape, row-major, private to the block that runs it. Each execution gives a fresh buffer, whose
    contents are undefined until written (the reference fills it with bytes 0xff: NaN, or -1). A `var` has rank 0. `name` is the name the author gave and appears in messages. `pad`, if present, is the value
    that a copy into the buffer gives to elements from outside its source (instead of 0). `address` pins the buffer at
    a byte address of its memory and is allowed in the expert spaces only.

    Example: `%a = tile.alloc "As" : memref<64x32xbf16, #tile.space<shared>>`
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$name, OptionalAttr<AnyAttrOf<[F64Attr, I64Attr]>>:$pad,
                       OptionalAttr<I64Attr>:$address);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = "($name^)? (`pad` `(` $pad^ `)`)? (`address` `(` $address^ `)`)? attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def Tile_RegionOp : Tile_Op<"region", [Pure, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "a rectangular window onto a buffer";
  let description = [{
    The window of `sizes` elements whose first element is at `offsets`. It has the rank of the buffer. A static window
    must lie inside an on-chip buffer; any other may hang over the edge. Elements outside the buffer read as 0, unless
    the reading operation says otherwise, and are never written. A run-time size below zero counts as zero.

    Example: `%r = tile.region %A[%i, 0] [64, %n] : memref<?x?xf32, #tile.space<global>> -> <64x?xf32, #tile.space<global>>`
  }];
  let arguments = (ins Tile_Buffer:$buffer, Variadic<Index>:$offsets, Variadic<Index>:$sizes,
                       DenseI64ArrayAttr:$staticOffsets, DenseI64ArrayAttr:$staticSizes);
  let results = (outs Tile_RegionType:$region);
  let assemblyFormat = [{
    $buffer `` custom<DynamicIndexList>($offsets, $staticOffsets) custom<DynamicIndexList>($sizes, $staticSizes)
    attr-dict `:` type($buffer) `->` type($region)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$buffer, "::llvm::ArrayRef<::mlir::OpFoldResult>":$offsets,
                                 "::llvm::ArrayRef<::mlir::OpFoldResult>":$sizes)>];
  let extraClassDeclaration = [{
    llvm::SmallVector<mlir::OpFoldResult> getMixedOffsets();
    llvm::SmallVector<mlir::OpFoldResult> getMixedSizes();
  }];
  let hasVerifier = 1;
}

def Tile_ViewOp : Tile_Op<"view", [Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "the same storage under another shape or element type";
  let description = [{
    An alias of a whole dense buffer, row-major: same space, same number of bits. Covers reshape, reinterpret and bit
    casts, but no change to or from `f4E2M1FN`. A tensor argument with gaps is refused when the program runs.

    Example: `%v = tile.view %a : memref<256xf32, #tile.space<shared>> to memref<16x16xf32, #tile.space<shared>>`
  }];
  let arguments = (ins Tile_Buffer:$source);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def Tile_LoadOp : Tile_Op<"load"> {
  let summary = "one element of a buffer or region";
  let description = [{
    Reads one element. Indices into a region count from its corner and may leave it; only outside the buffer the result
    is 0. The result is signless: an element of type `ui8` is an `i8`, an
    element of type `i1` an `i1`.

    Example: `%x = tile.load %a[%i, %j] : memref<64x32xbf16, #tile.space<shared>>`
  }];
  let arguments = (ins Arg<Tile_Tile, "", [MemRead]>:$tile, Variadic<Index>:$indices);
  let results = (outs Tile_Scalar:$value);
  let assemblyFormat = "$tile `[` $indices `]` attr-dict `:` type($tile) `->` type($value)";
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store"> {
  let summary = "writes one element of a buffer or region";
  let description = [{
    Writes one element; outside the buffer it does nothing. The value has the buffer's element type, signless.

    Example: `tile.store %x, %a[%i, %j] : memref<64x32xbf16, #tile.space<shared>>`
  }];
  let arguments = (ins Tile_Scalar:$value, Arg<Tile_Tile, "", [MemWrite]>:$tile, Variadic<Index>:$indices);
  let assemblyFormat = "$value `,` $tile `[` $indices `]` attr-dict `:` type($value) `,` type($tile)";
  let hasVerifier = 1;
}

def Tile_AtomicOp : Tile_Op<"atomic", [AllTypesMatch<["value", "old"]>]> {
  let summary = "updates one element indivisibly and gives its old value";
  let description = [{
    `element = element <kind> value`, indivisible among all blocks of the grid; the result is the element's value
    before. Outside the buffer nothing happens and the result is 0. The value has the buffer's element type. `add` wraps
    or rounds once; `max` and `min` compare unsigned elements as unsigned, and floating-point elements as `maxnumf` and
    `minnumf` do. Updates of floating-point sums are ordered by block index, and in a block as in the serial program,
    with the points of a `tile.parallel` in row-major order, so that results do not depend on the number of threads.

    Example: `%old = tile.atomic add %x, %count[%i] : i32, memref<?xi32, #tile.space<global>>`
  }];
  let arguments = (ins Tile_AtomicAttr:$kind, Tile_Scalar:$value, Arg<Tile_Tile, "", [MemRead, MemWrite]>:$tile,
                       Variadic<Index>:$indices);
  let results = (outs Tile_Scalar:$old);
  let assemblyFormat = "$kind $value `,` $tile `[` $indices `]` attr-dict `:` type($value) `,` type($tile)";
  let builders = [OpBuilder<(ins "::tessera::tile::AtomicKind":$kind, "::mlir::Value":$value, "::mlir::Value":$tile,
                                 "::mlir::ValueRange":$indices)>];
  let hasVerifier = 1;
}

#endif
