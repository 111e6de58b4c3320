// Kernels: the blocks of a grid, one after the other in the order of their index, or in turns if they wait for each
// other.
#include "tilelang/ir/interp/block_run.h"

#include <fmt/format.h>

#include <array>

using namespace mlir;

namespace tessera::tile {
namespace {

constexpr int64_t kMostBlocks = int64_t(1) << 48;
constexpr int64_t kMostBlocksAtOnce = 2048;

bool blocksWaitForEachOther(KernelOp op) {
  return op.getBody()
      .walk([](Operation *inner) {
        auto flag = dyn_cast<SetCrossFlagOp>(inner);
        return isa<SyncAllOp>(inner) || (flag && flag.getMode() == 0) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

void runBlock(KernelOp op, const Frame &function, BlockRun &block, ArrayRef<int64_t> reversedIndex) {
  Frame frame(function.run, &function, &block);
  for (auto [argument, i] : llvm::zip_equal(op.getBody().getArguments(), llvm::reverse(reversedIndex)))
    frame.set(argument, static_cast<uint64_t>(i));
  frame.runBody(op.getBody());
  block.finish(op);
}

void runInOrder(KernelOp op, Frame &frame, ArrayRef<int64_t> reversedGrid) {
  int64_t number = 0;
  forEachIndex(reversedGrid, [&](ArrayRef<int64_t> index) {
    frame.run.charge(op, 1);
    GridRun grid;
    BlockRun block(grid, number++);
    grid.blocks = {&block};
    runBlock(op, frame, block, index);
  });
}

/// A block that can be left while it waits. The coroutine goes first when it is given up.
struct SuspendableBlock {
  BlockRun block;
  Coroutine coroutine;

  SuspendableBlock(GridRun &grid, int64_t number, KernelOp op, Frame &function, ArrayRef<int64_t> index)
      : block(grid, number),
        coroutine([this, op, &function, at = Extents(index)] { runBlock(op, function, block, at); }) {}
};

void runInTurns(KernelOp op, Frame &frame, ArrayRef<int64_t> reversedGrid) {
  if (elementCount(reversedGrid) > kMostBlocksAtOnce)
    failAt(op, fmt::format("{} blocks wait for each other", elementCount(reversedGrid)),
           fmt::format("the interpreter keeps up to {} blocks at once", kMostBlocksAtOnce));
  GridRun grid;
  std::vector<std::unique_ptr<SuspendableBlock>> blocks;
  forEachIndex(reversedGrid, [&](ArrayRef<int64_t> index) {
    frame.run.charge(op, 1);
    blocks.push_back(std::make_unique<SuspendableBlock>(grid, static_cast<int64_t>(blocks.size()), op, frame, index));
    grid.blocks.push_back(&blocks.back()->block);
  });
  for (;;) {
    int64_t before = grid.events;
    BlockRun *waiting = nullptr;
    for (auto &suspendable : blocks) {
      if (suspendable->coroutine.finished()) continue;
      resumeOrFail(suspendable->coroutine, op);
      if (!waiting && !suspendable->coroutine.finished()) waiting = &suspendable->block;
    }
    if (!waiting) return;
    if (grid.events == before) waiting->failDeadlock(op);
  }
}

/// Refuses what other targets refuse.
void checkGrid(KernelOp op, ArrayRef<int64_t> grid) {
  std::array<int64_t, 3> extents = {1, 1, 1};
  llvm::copy(grid, extents.begin());
  auto [x, y, z] = extents;
  int64_t blocks;
  if (__builtin_mul_overflow(x, y, &blocks) || __builtin_mul_overflow(blocks, z, &blocks) || blocks > kMostBlocks)
    failAt(op, fmt::format("a grid of {} x {} x {} blocks is too large", x, y, z), "a grid has at most 2^48 blocks");
}

void runKernel(KernelOp op, Frame &frame) {
  Extents grid = frame.indices(op.getGrid());
  if (llvm::any_of(grid, [](int64_t extent) { return extent <= 0; })) return;
  checkGrid(op, grid);
  // The first dimension of the grid runs fastest.
  Extents reversed(llvm::reverse(grid));
  blocksWaitForEachOther(op) ? runInTurns(op, frame, reversed) : runInOrder(op, frame, reversed);
}

} // namespace

void addGridHandlers(Handlers &h) { h.add<KernelOp>(runKernel); }

} // namespace tessera::tile
