// Packed tiles that the blocks of a launch share instead of each packing its own.
//
// Blocks in one row of a grid take the same tiles of one operand. Where a tile comes from a tensor that the program
// does not write, the first block that needs it packs it into a workspace of the launch (runtime/workspace.h), or into
// one that lives on after the call (runtime/packed_tiles.h).
#pragma once

#include "tilelang/cpu/emit/Emitter.h"

namespace tessera::cpu {

/// The one copy that fills a packed buffer for products behind it in the same block of statements, if it may be shared:
/// from a whole window onto an argument that nothing writes. Null otherwise.
tile::CopyOp shareableFill(mlir::Value buffer);

/// Numbers the shareable copies of a kernel, as `cpu.shared`.
void numberSharedCopies(tile::KernelOp kernel);
llvm::SmallVector<tile::CopyOp> sharedCopies(tile::KernelOp kernel);

/// The arguments of the program of which some copy is shared, by position.
llvm::SmallVector<int64_t> packedArguments(mlir::ModuleOp module);

/// Emits, in front of a launch, the workspace of a copy: an i64, 0 where there is none. `number` is the copy's own in
/// the program.
mlir::Value emitWorkspace(Emitter &e, tile::CopyOp copy, int64_t number);

/// Emits the copy: binds its buffer to the shared tile and calls `pack` where that is still to be filled, or to the
/// block's own memory.
mlir::LogicalResult emitSharedCopy(Emitter &e, tile::CopyOp copy, mlir::Value workspace,
                                   llvm::function_ref<mlir::LogicalResult()> pack);

} // namespace tessera::cpu
