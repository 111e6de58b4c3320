// Passes over tile programs that no single target owns.
include "mlir/Pass/PassBase.td"

def TileCheckProgram : Pass<"tile-check-program", "::mlir::ModuleOp"> {
  let summary = "refuses what is no tile program";
  let description = [{
    A module holds functions; a function has one block, no results, global tensors and scalars as arguments; statements
    stand in kernels; every value is a scalar, buffer or region of the dialect; constant indices lie inside on-chip
    buffers and constant loop steps are not zero. Later passes and all targets rely on it.
  }];
}

def TileCheckUses : Pass<"tile-check-uses", "::mlir::ModuleOp"> {
  let summary = "refuses reads of on-chip buffers that nothing has written";
  let description = [{
    Reports a buffer that is read although no statement before, nor a later one of an enclosing loop, writes it, and
    accumulation into one that is never initialised. Buffers count as a whole: one written element is enough.
  }];
}

def TileCheckParallel : Pass<"tile-check-parallel", "::mlir::ModuleOp"> {
  let summary = "refuses parallel loops whose iterations provably meet";
  let description = [{
    Two iterations that write different values to one element, one that reads what another writes, and variables read
    after the loop that wrote them. What depends on data is not provable and passes.
  }];
}

def TileCheckPipeline : Pass<"tile-check-pipeline", "::mlir::ModuleOp"> {
  let summary = "refuses pipelined loops whose hand-written schedule breaks a dependence";
  let description = [{
    Checks the `stage` and `order` lists of pipelined loops against the statements of the body, and constant ranges that
    run backwards.
  }];
}

def TileCheckSync : Pass<"tile-check-sync", "::mlir::ModuleOp"> {
  let summary = "refuses expert synchronisation that cannot pair up";
  let description = [{
    Flags between pipes that have none, ids out of range, waits without a set, sets that nothing waits for, unequal
    numbers of both, and grid barriers that only some blocks reach.
  }];
}

def TileCheckBlocks : Pass<"tile-check-blocks", "::mlir::ModuleOp"> {
  let summary = "warns of blocks that all write the same global elements";
  let description = "Gives warnings only: equal values may be meant.";
}
