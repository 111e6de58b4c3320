// The tile dialect: what a kernel author says. See docs/architecture.md for its place on the road.
#ifndef TESSERA_TILE_DIALECT
#define TESSERA_TILE_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tessera::tile";
  let summary = "tile programs: grids of blocks that move and compute on tiles";
  let description = [{
    A tile program is a `func.func` whose arguments are global tensors (memrefs in the space `global`) and scalars, and
    whose body launches one or more `tile.kernel` grids. Inside a kernel, buffers are memrefs with a
    `#tile.space<...>` memory space, windows onto buffers are values of type `!tile.region<...>`, and scalar code is
    the `arith` and `math` dialects. Memory is the only state that crosses an iteration or a branch: the control flow
    ops of this dialect have no results.

    Element types of buffers: `f64 f32 f16 bf16 f8E4M3FN f8E5M2 f8E8M0FNU f4E2M1FN`, `i8 i16 i32 i64` (signed),
    `ui8 ui16 ui32 ui64` and `i1` (one byte each). Scalars are signless: `tile.load` from a `ui8` buffer gives an `i8`.
    Elements of type `f4E2M1FN` in global tensors lie two to a byte, that with the even number (index times stride) in
    the low nibble; storing one leaves the other as it is, whichever block writes that. How targets keep them on chip is
    not to be seen.

    Scalar arithmetic means the same on every target. Nothing is undefined, and flags such as `nsw` or `fastmath`
    change nothing:
    * Integers wrap; `index` has 64 bits. Division and remainder by zero give 0, and the least value over -1 wraps. The
      amount of a shift is unsigned; from the width on, `shli` and `shrui` give 0 and `shrsi` the sign in every bit.
      `math.ctlz` and `math.cttz` of 0 give the width. `math.ipowi` with an exponent below zero is 1 over the power,
      truncated, and 0 for base 0.
    * `addf subf mulf divf remf`, `math.sqrt`, `math.fma` and the rounding functions round once, to nearest even, in
      each type, `f16` and `bf16` included. Subnormal numbers are kept, and no two operations are fused into one.
    * `maximumf` and `minimumf` give NaN if an operand is NaN, `maxnumf` and `minnumf` the other operand; in all four -0
      is less than +0. `math.clampf` is `x < low ? low : x > high ? high : x`, so that NaN stays.
    * `negf`, `math.absf` and `math.copysign` touch the sign bit only. Which NaN another operation gives is open.
    * Conversions round once. To integers they truncate and take the nearest limit; NaN gives 0.
    * Transcendental functions have an error bound that each target states. The reference computes them in double
      (`f64`: in long double) and rounds once.
    * Floating-point values of at most 8 bits are converted, compared and selected, but not computed with.

    Attributes of the function and of its arguments that describe the call:
    * `tile.symbols = ["M", "N"]` on the function: names of run-time sizes.
    * `tile.name = "A"`, `tile.access = "read" | "write" | "readwrite"` on an argument.
    * `tile.shape = affine_map<()[M, N] -> (M, N ceildiv 128)>` on a tensor argument: its extents in the symbols.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerOps();
  }];
}

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tessera::tile";
  let genSpecializedAttr = 0;
}

def Tile_SpaceEnum : Tile_Enum<"Space", "where a buffer lives", [
    I32EnumAttrCase<"global", 0>, I32EnumAttrCase<"shared", 1>, I32EnumAttrCase<"fragment", 2>,
    I32EnumAttrCase<"local", 3>, I32EnumAttrCase<"var", 4>, I32EnumAttrCase<"l1", 5>, I32EnumAttrCase<"l0a", 6>,
    I32EnumAttrCase<"l0b", 7>, I32EnumAttrCase<"l0c", 8>, I32EnumAttrCase<"ub", 9>]>;
def Tile_SpaceAttr : EnumAttr<Tile_Dialect, Tile_SpaceEnum, "space"> {
  let assemblyFormat = "`<` $value `>`";
  let description = [{
    The memory space of a buffer. `global` is device memory; `shared` is a staging tile and `fragment` an accumulator
    or compute tile, both placed by the compiler; `local` is a private array, `var` a mutable scalar (rank 0).
    `l1 l0a l0b l0c ub` name one Ascend memory and are kept as written.
  }];
}

def Tile_RoundingEnum : Tile_Enum<"Rounding", "how a value that is not representable is rounded", [
    I32EnumAttrCase<"rint", 0>, I32EnumAttrCase<"floor", 1>, I32EnumAttrCase<"ceil", 2>, I32EnumAttrCase<"round", 3>,
    I32EnumAttrCase<"trunc", 4>, I32EnumAttrCase<"odd", 5>]>;
def Tile_ReduceEnum : Tile_Enum<"ReduceKind", "what a reduction computes", [
    I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"max", 1>, I32EnumAttrCase<"min", 2>, I32EnumAttrCase<"absmax", 3>,
    I32EnumAttrCase<"abssum", 4>, I32EnumAttrCase<"bitAnd", 5, "bitand">, I32EnumAttrCase<"bitOr", 6, "bitor">,
    I32EnumAttrCase<"bitXor", 7, "bitxor">, I32EnumAttrCase<"any", 8>, I32EnumAttrCase<"all", 9>]>;
def Tile_ScanEnum : Tile_Enum<"ScanKind", "what a scan computes", [
    I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"max", 1>]>;
def Tile_AtomicEnum : Tile_Enum<"AtomicKind", "what an atomic update computes", [
    I32EnumAttrCase<"add", 0>, I32EnumAttrCase<"max", 1>, I32EnumAttrCase<"min", 2>]>;
def Tile_LoopEnum : Tile_Enum<"LoopKind", "how a loop is executed; the meaning is that of the serial loop", [
    I32EnumAttrCase<"serial", 0>, I32EnumAttrCase<"unroll", 1>, I32EnumAttrCase<"vectorize", 2>,
    I32EnumAttrCase<"pipelined", 3>, I32EnumAttrCase<"persistent", 4>]>;
def Tile_PipeEnum : Tile_Enum<"Pipe", "an instruction queue of an Ascend core", [
    I32EnumAttrCase<"s", 0>, I32EnumAttrCase<"v", 1>, I32EnumAttrCase<"m", 2>, I32EnumAttrCase<"mte1", 3>,
    I32EnumAttrCase<"mte2", 4>, I32EnumAttrCase<"mte3", 5>, I32EnumAttrCase<"fix", 6>]>;
def Tile_CoreEnum : Tile_Enum<"Core", "one kind of core inside a block", [
    I32EnumAttrCase<"cube", 0>, I32EnumAttrCase<"vector", 1>]>;

def Tile_RoundingAttr : EnumAttr<Tile_Dialect, Tile_RoundingEnum, "rounding"> {
  let assemblyFormat = "`<` $value `>`";
}
def Tile_ReduceAttr : EnumAttr<Tile_Dialect, Tile_ReduceEnum, "reduce_kind">;
def Tile_ScanAttr : EnumAttr<Tile_Dialect, Tile_ScanEnum, "scan_kind">;
def Tile_AtomicAttr : EnumAttr<Tile_Dialect, Tile_AtomicEnum, "atomic_kind">;
def Tile_LoopAttr : EnumAttr<Tile_Dialect, Tile_LoopEnum, "loop_kind">;
def Tile_PipeAttr : EnumAttr<Tile_Dialect, Tile_PipeEnum, "pipe">;
def Tile_CoreAttr : EnumAttr<Tile_Dialect, Tile_CoreEnum, "core">;

def Tile_RegionType : TypeDef<Tile_Dialect, "Region"> {
  let mnemonic = "region";
  let summary = "a window onto a buffer";
  let description = [{
    Extents (static or `?`), element type and memory space of a rectangular window that `tile.region` opens onto a
    buffer. The window may hang over the edge of its buffer: elements outside read as the pad value and are never
    written. Regions have no storage of their own and are used in the block that defines them or below.

    Example: `!tile.region<64x?xbf16, #tile.space<global>>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "::tessera::tile::SpaceAttr":$space);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

// What operations take as a buffer. Those that make one check their result themselves and name the fault.
def Tile_Buffer : Type<CPred<"::tessera::tile::isBufferType($_self)">,
    "a memref of a tile element type in a tile memory space", "::mlir::MemRefType">;
def Tile_Tile : AnyTypeOf<[Tile_Buffer, Tile_RegionType], "buffer or region">;
def Tile_Scalar : AnyTypeOf<[AnySignlessInteger, AnyFloat, Index], "scalar">;

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

#endif
