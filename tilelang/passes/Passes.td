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

def TileCheckParallel : Pass<"tile-check-parallel", "::mlir::ModuleOp"> {
  let summary = "refuses parallel loops whose iterations provably meet";
  let description = [{
    Two iterations that write different values to one element, one that reads what another writes, and variables read
    after the loop that wrote them. What depends on data is not provable and passes.
  }];
}
