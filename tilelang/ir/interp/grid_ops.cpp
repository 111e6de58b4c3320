// Kernels: the blocks of a grid, one after the other in the order of their index.
#include "tilelang/ir/interp/frame.h"

#include "tilelang/ir/Tile.h"

using namespace mlir;

namespace tessera::tile {
namespace {

void runBlock(KernelOp op, Frame &function, ArrayRef<int64_t> reversedIndex) {
  Frame frame(function.run, &function, nullptr);
  for (auto [argument, i] : llvm::zip_equal(op.getBody().getArguments(), llvm::reverse(reversedIndex)))
    frame.set(argument, static_cast<uint64_t>(i));
  frame.runBody(op.getBody());
}

void runKernel(KernelOp op, Frame &frame) {
  // The first dimension of the grid runs fastest.
  Extents reversed(llvm::reverse(frame.indices(op.getGrid())));
  forEachIndex(reversed, [&](ArrayRef<int64_t> index) {
    frame.run.charge(op, 1);
    runBlock(op, frame, index);
  });
}

} // namespace

void addGridHandlers(Handlers &h) { h.add<KernelOp>(runKernel); }

} // namespace tessera::tile
