// Grids, loops, conditions, and statements about the program.
#ifndef TESSERA_TILE_CONTROL_OPS
#define TESSERA_TILE_CONTROL_OPS

include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "tilelang/ir/TileDialect.td"

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator,
    ParentOneOf<["KernelOp", "ParallelOp", "ForOp", "WhileOp", "IfOp", "ScopeOp"]>]> {
  let summary = "ends the body of a structured operation";
  let description = "Example: `tile.yield` (implied by the syntax of the operations that use it)";
  let assemblyFormat = "attr-dict";
}

class Tile_BodyOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, !listconcat(traits, [SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects])> {
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_KernelOp : Tile_BodyOp<"kernel", [HasParent<"::mlir::func::FuncOp">]> {
  let summary = "runs its body once for each block of a grid";
  let description = [{
    A grid of one to three dimensions; blocks are independent and run in any order. The index of a block is
    `x + gx * (y + gy * z)`. `threads` is a hint for targets
    that have threads inside a block. `swizzle` blocks that are neighbours in the first dimension are visited together
    in panels of that many (in the second dimension with `swizzleColumns`): an ordering hint that changes no block's
    index. A grid extent known only at run time may be zero or less, which runs nothing.

    Example: `tile.kernel (%bx, %by) in (%gx, %gy) { ... }`
  }];
  let arguments = (ins Variadic<Index>:$grid, OptionalAttr<I64Attr>:$threads, OptionalAttr<I64Attr>:$swizzle,
                       UnitAttr:$swizzleColumns);
  let regions = (region SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$grid)>];
}

def Tile_ParallelOp : Tile_BodyOp<"parallel"> {
  let summary = "independent element-wise iterations";
  let description = [{
    Runs the body for every point of a box of one or more dimensions; iterations do not depend on each other. The body
    holds element accesses, atomics, scalar arithmetic, conditions, serial loops and variables, but no operation on
    whole tiles. A `var` that the body stores to is private to the iteration, where it starts with the value from before
    the operation; after the operation its value is undefined. An extent of zero or less runs nothing.

    Example: `tile.parallel (%i, %j) in (%c64, %c32) { ... }`
  }];
  let arguments = (ins Variadic<Index>:$extents);
  let regions = (region SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$extents)>];
}

def Tile_ForOp : Tile_BodyOp<"for"> {
  let summary = "a counted loop";
  let description = [{
    `for (i = lower; i < upper; i += step)`; a step below zero counts down while `i > upper`, a step of zero is an
    error, and the loop ends where `i` would leave 64 bits. The kind says how to run it and never changes the result: `pipelined` overlaps iterations over `stages`
    buffers, with an optional `stage`/`order` number for each statement; `persistent` walks the tiles of one worker.

    Example: `tile.for pipelined %k = %c0 to %n step %c1 {stages = 3 : i64} { ... }`
  }];
  let arguments = (ins Tile_LoopAttr:$kind, Index:$lower, Index:$upper, Index:$step, OptionalAttr<I64Attr>:$stages,
                       OptionalAttr<DenseI64ArrayAttr>:$stage, OptionalAttr<DenseI64ArrayAttr>:$order,
                       OptionalAttr<I64Attr>:$crossInterval);
  let regions = (region SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::tessera::tile::LoopKind":$kind, "::mlir::Value":$lower, "::mlir::Value":$upper,
                                 "::mlir::Value":$step)>];
  let extraClassDeclaration = [{
    mlir::Value getInductionVar() { return getBody().getArgument(0); }
  }];
}

def Tile_WhileOp : Tile_Op<"while", [RecursiveMemoryEffects]> {
  let summary = "a loop that runs while a condition holds";
  let description = [{
    The first region computes the condition before each iteration and ends with `tile.condition`. A loop whose regions
    have no effect may be removed, even one that would never end.

    Example: `tile.while { ... tile.condition %c } do { ... }`
  }];
  let regions = (region SizedRegion<1>:$before, SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def Tile_ConditionOp : Tile_Op<"condition", [Pure, Terminator, HasParent<"WhileOp">]> {
  let summary = "ends the condition of a while loop";
  let description = "Example: `tile.condition %c`";
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}

def Tile_IfOp : Tile_BodyOp<"if"> {
  let summary = "runs one of two bodies";
  let description = "Example: `tile.if %c { ... } else { ... }`";
  let arguments = (ins I1:$condition);
  let regions = (region SizedRegion<1>:$thenBody, MaxSizedRegion<1>:$elseBody);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$condition, "bool":$withElse)>];
}

def Tile_BreakOp : Tile_Op<"break"> {
  let summary = "leaves the innermost loop";
  let description = [{
    The last statement of its body, inside the body of a `tile.for` or `tile.while` and, between it and the loop, only
    `tile.if`.

    Example: `tile.break`
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}
def Tile_ContinueOp : Tile_Op<"continue"> {
  let summary = "goes on with the next iteration of the innermost loop";
  let description = "Where `tile.break` is allowed. Example: `tile.continue`";
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tile_AssumeOp : Tile_Op<"assume"> {
  let summary = "a fact the compiler may rely on";
  let description = [{
    A false fact has no defined result beyond wrong values; the reference reports it.

    Example: `tile.assume %c`
  }];
  let arguments = (ins I1:$condition);
  let assemblyFormat = "$condition attr-dict";
}
def Tile_AssertOp : Tile_Op<"device_assert"> {
  let summary = "checks a condition when the kernel runs";
  let description = [{
    If the condition is false the call fails with "assertion failed: " and the message, and with the kernel's source
    line; other blocks may have run.

    Example: `tile.device_assert %c, "index out of range"`
  }];
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}
def Tile_PrintfOp : Tile_Op<"printf"> {
  let summary = "prints scalars when the kernel runs";
  let description = [{
    A C format with one conversion for each argument: `%d %i %u %x` for integers, `%f %e %g` for floating point, `%%`.
    `%u` and `%x` show an integer as the unsigned number with the same bits of its own type; `i1` is 0 or 1.

    Example: `tile.printf "block %d: %f\n" (%b, %x) : index, f32`
  }];
  let arguments = (ins StrAttr:$format, Variadic<Tile_Scalar>:$args);
  let assemblyFormat = "$format (`(` $args^ `)` `:` type($args))? attr-dict";
  let hasVerifier = 1;
}
// Printing is an effect of its own: without one, an operation that only reads is dead.
def Tile_DumpOp : Tile_Op<"dump", [MemoryEffects<[MemWrite]>]> {
  let summary = "prints a tile when the kernel runs";
  let description = [{
    Prints a label, type and shape, then each row on a line, with the part of a window that lies in its buffer:

        acc: f32[2, 3]
        [0, :] 1 2.5 3
        [1, :] 4 5 6

    Tiles of `f4E2M1FN` are copied to one of a wider type first.

    Example: `tile.dump "acc" %acc : memref<4x4xf32, #tile.space<fragment>>`
  }];
  // No declared effects: an operation that only reads would be removed as dead.
  let arguments = (ins StrAttr:$label, Tile_Tile:$tile);
  let assemblyFormat = "$label $tile attr-dict `:` type($tile)";
  let hasVerifier = 1;
}

#endif
