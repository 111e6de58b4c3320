include "mlir/Pass/PassBase.td"

def CpuSplitSyncAll : Pass<"cpu-split-sync-all", "::mlir::ModuleOp"> {
  let summary = "splits a kernel at every sync_all into two launches";
  let description = [{
    Blocks of a launch run in any order and need not be alive together, so a barrier over the grid is the end of one
    launch and the start of the next. Pure values are computed again on the far side; a buffer or a loaded value that
    crosses the barrier is an error.
  }];
}

def CpuPlanArena : Pass<"cpu-plan-arena", "::mlir::ModuleOp"> {
  let summary = "places the buffers of a block in one arena";
  let description = [{
    Gives each `tile.alloc` in the spaces shared and fragment (and the expert spaces) a byte offset `cpu.offset`, such
    that buffers share bytes only if they are never alive together, and puts the arena's size on the kernel as
    `cpu.arena`. Variables and small private arrays live on the stack.
  }];
  let options = [Option<"limit", "limit", "int64_t", "67108864", "most bytes an arena may have">];
}

def CpuEmitBlocks : Pass<"cpu-emit-blocks", "::mlir::ModuleOp"> {
  let summary = "turns tile programs into one function for each kernel and one entry";
  let description = [{
    Replaces the functions of the module by `tsr_entry(slots, context)`, which launches the kernels, and one function
    for each kernel that runs one block. Bodies are in arith, math, scf, memref, vector and llvm.
  }];
  let constructor = "tessera::cpu::createEmitBlocksPass({})";
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect"];
}
