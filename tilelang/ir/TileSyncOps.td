// Expert synchronisation inside and between the cores of a block; see specs of the Ascend core for the meaning of pipes.
// Targets without pipes check these operations and otherwise ignore them.
#ifndef TESSERA_TILE_SYNC_OPS
#define TESSERA_TILE_SYNC_OPS

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tilelang/ir/TileControlOps.td"

def Tile_ScopeOp : Tile_BodyOp<"scope"> {
  let summary = "statements of one kind of core";
  let description = [{
    The body runs on the cube core or on the vector cores of the block only. Statements outside scopes belong to all
    cores and are run once.

    The reference runs a block as one program in the order of the text, with one vector core. A body that waits for
    another core is set aside; bodies that follow on the other kind of core, and the loops, conditions and scalar code
    around them, go on meanwhile, each body with the values it saw when it was reached. Bodies on the same kind of core
    run one after the other, and any other statement outside scopes waits for all of them, as does the kernel's end. If
    nothing can go on, that is reported as a deadlock.

    Example: `tile.scope cube { ... }`
  }];
  let arguments = (ins Tile_CoreAttr:$core);
  let regions = (region SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::tessera::tile::Core":$core)>];
}

class Tile_FlagOp<string mnemonic> : Tile_Op<mnemonic> {
  let arguments = (ins Tile_PipeAttr:$src, Tile_PipeAttr:$dst, Index:$id);
  let assemblyFormat = "$src `,` $dst `,` $id attr-dict";
  let hasVerifier = 1;
}
def Tile_SetFlagOp : Tile_FlagOp<"set_flag"> {
  let summary = "raises a flag when the source pipe has finished what was issued before";
  let description = [{
    `id` is 0 to 7 for each pair of pipes; each core has flags of its own. To set a flag that is raised, and to leave one
    raised at the end of the kernel, are errors.

    Example: `tile.set_flag mte2, v, %c0`
  }];
}
def Tile_WaitFlagOp : Tile_FlagOp<"wait_flag"> {
  let summary = "holds the destination pipe until the flag is raised, and lowers it";
  let description = [{
    Each wait consumes one set, which must come before it on the same core.

    Example: `tile.wait_flag mte2, v, %c0`
  }];
}
def Tile_PipeBarrierOp : Tile_Op<"pipe_barrier"> {
  let summary = "orders the instructions of one pipe";
  let description = "Example: `tile.pipe_barrier v`";
  let arguments = (ins Tile_PipeAttr:$pipe);
  let assemblyFormat = "$pipe attr-dict";
}
def Tile_BarrierAllOp : Tile_Op<"barrier_all"> {
  let summary = "drains all pipes of the core";
  let description = "Example: `tile.barrier_all`";
  let assemblyFormat = "attr-dict";
}
def Tile_SyncAllOp : Tile_Op<"sync_all"> {
  let summary = "waits for all cores of the grid";
  let description = [{
    Every block must reach it equally often. Inside a scope it waits for the cores of that kind.

    Example: `tile.sync_all`
  }];
  let assemblyFormat = "attr-dict";
}
def Tile_SetCrossFlagOp : Tile_Op<"set_cross_flag"> {
  let summary = "signals another core when the pipe has finished what was issued before";
  let description = [{
    `mode` 0: all cube or all vector cores, where a wait ends when every block has set the flag once more; 1: the vector
    cores of one block; 2: a cube core and its vector cores, the other kind than the one that sets; 4: a cube core and
    one vector core, likewise. `id` is 0 to 15 (31 in mode 4). Flags are counters of at most 15; what is left at the end
    of the kernel is an error.

    Example: `tile.set_cross_flag mte3, %c2 mode 2`
  }];
  let arguments = (ins Tile_PipeAttr:$pipe, Index:$id, I64Attr:$mode);
  let assemblyFormat = "$pipe `,` $id `mode` $mode attr-dict";
  let hasVerifier = 1;
}
def Tile_WaitCrossFlagOp : Tile_Op<"wait_cross_flag"> {
  let summary = "waits for a signal of another core";
  let description = [{
    Waits until the counter of the flag is above zero and lowers it.

    Example: `tile.wait_cross_flag %c2`
  }];
  let arguments = (ins Index:$id, OptionalAttr<Tile_PipeAttr>:$pipe);
  let assemblyFormat = "$id (`,` $pipe^)? attr-dict";
}

#endif
