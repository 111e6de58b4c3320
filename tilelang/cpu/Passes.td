include "mlir/Pass/PassBase.td"

def CpuSplitSyncAll : Pass<"cpu-split-sync-all", "::mlir::ModuleOp"> {
  let summary = "splits a kernel at every sync_all into two launches";
  let description = [{
    Blocks of a launch run in any order and need not be alive together, so a barrier over the grid is the end of one
    launch and the start of the next. Pure values are computed again on the far side; a buffer or a loaded value that
    crosses the barrier is an error.
  }];
}

def CpuPackOperands : Pass<"cpu-pack-operands", "::mlir::ModuleOp"> {
  let summary = "gives the operands of gemms the layouts that the micro-kernels take";
  let description = [{
    A buffer that is only filled by whole copies and only read by gemms gets the attribute `cpu.packed`: the copy then
    writes the packed form. Any other operand is copied to such a buffer in front of the gemm, unless the kernel can
    read it where it lies. A result that is not row-major on chip in the accumulation type goes through a fragment that
    is. Gemms on tensors of unknown size are cut into parts. Accumulators that one register tile holds get
    `cpu.registers`. Copies from tensors that nothing writes get `cpu.shared`: blocks that need the same tile then share
    what the first of them has packed.
  }];
  let constructor = "tessera::cpu::createPackOperandsPass({})";
  let options = [Option<"isaName", "isa", "std::string", "\"\"", "instruction set to compile for">];
}

def CpuFuseLoops : Pass<"cpu-fuse-loops", "::mlir::ModuleOp"> {
  let summary = "merges copies, fills and parallel loops over the same box";
  let description = [{
    Statements that follow each other and meet only at the same point of their boxes become one parallel loop, in which
    values go from one to the next without memory. A store to an on-chip buffer whose value is not read any more is
    erased. Loads that stand for a copy carry the copy's pad value as `cpu.pad`. Reductions right behind a loop, along its
    rows, get `cpu.merged`: the loop folds its values as it goes; a store that only they read gets `cpu.unused`.
  }];
}

def CpuPlanArena : Pass<"cpu-plan-arena", "::mlir::ModuleOp"> {
  let summary = "places the buffers of a block in one arena";
  let description = [{
    Gives each `tile.alloc` in the spaces shared and fragment (and the expert spaces) a byte offset `cpu.offset`, such
    that buffers share bytes only if they are never alive together, and puts the arena's size on the kernel as
    `cpu.arena`. Variables and small private arrays live on the stack.
  }];
  let options = [Option<"limit", "limit", "int64_t", "67108864", "most bytes an arena may have">,
                 Option<"stack", "stack", "int64_t", "256", "most bytes of a private array on the stack">];
}

def CpuEmitBlocks : Pass<"cpu-emit-blocks", "::mlir::ModuleOp"> {
  let summary = "turns tile programs into one function for each kernel and one entry";
  let description = [{
    Replaces the functions of the module by `tsr_entry(slots, context)`, which launches the kernels, and one function
    for each kernel that runs one block. Bodies are in arith, math, scf, memref, vector and llvm.
  }];
  let constructor = "tessera::cpu::createEmitBlocksPass({})";
  let options = [Option<"isaName", "isa", "std::string", "\"\"", "instruction set to compile for">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect"];
}

def CpuExpandMath : Pass<"cpu-expand-math", "::mlir::ModuleOp"> {
  let summary = "turns transcendental functions into arithmetic or calls of the vector math library";
  let description = [{
    Each operation of the math dialect that is not an instruction, on f32 or f64 scalars or vectors, becomes calls of
    SLEEF's function, one for each piece of the machine's vector length. The most frequent functions of f32 become
    inline arithmetic on machines with fused multiply-add. Error bounds are in docs/numerics.md.
  }];
  let constructor = "tessera::cpu::createExpandMathPass({})";
  let options = [Option<"isaName", "isa", "std::string", "\"\"", "instruction set to compile for">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect"];
}
