// Reductions along the rows of a parallel loop, folded while the loop computes the rows.
#pragma once

#include "tilelang/cpu/emit/Fold.h"

namespace tessera::cpu {

/// The reductions behind a loop that cpu-fuse-loops has marked `cpu.merged`.
class MergedReduces {
public:
  MergedReduces(Emitter &e, tile::ParallelOp loop);

  bool empty() const { return reduces.empty(); }
  /// Around the lanes of each row; `row` has all indices but the last.
  void startRow();
  void finishRow(llvm::ArrayRef<Lanes> row);

private:
  struct Merged {
    tile::ReduceOp op;
    Fold fold;
    mlir::Value partial; ///< 16 partial results, on the stack
  };

  Emitter &e;
  llvm::SmallVector<Merged> reduces;

  void combine(Merged &merged, Lanes stored);
};

} // namespace tessera::cpu
