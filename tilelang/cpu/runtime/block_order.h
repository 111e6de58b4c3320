// The order of a grid's blocks: which block is the n-th, and waiting for all blocks before one.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace tessera::cpu {

/// Maps the n-th block to its coordinates. Without panels x runs fastest, then y, then z. With panels of w blocks along
/// x, each panel is walked row by row before the next one begins, every second one upwards, so that blocks close in
/// time share rows and columns of their operands:
///
///   w = 2, 4 x 2 blocks:   0 1 | 6 7
///                          2 3 | 4 5
class BlockOrder {
public:
  struct Block {
    int64_t x, y, z;
    bool operator==(const Block &) const = default;
  };

  BlockOrder(int64_t gx, int64_t gy, int64_t panel = 0, bool columns = false)
      : gx(gx), gy(gy), panel(panel), columns(columns) {}

  Block at(int64_t index) const;

private:
  int64_t gx, gy, panel;
  bool columns;

  static Block inPanels(int64_t index, int64_t width, int64_t height, int64_t panel);
};

/// Lets a block wait until all blocks before it have finished.
class BlockSequence {
public:
  /// Returns when the blocks [0, index) have finished.
  void waitFor(int64_t index);
  /// Block `index` has finished.
  void finish(int64_t index);

private:
  std::atomic<int64_t> finished{0}; // the blocks [0, finished) have
  std::mutex mutex;
  std::vector<int64_t> early; // a heap, least first, of finished blocks beyond
};

} // namespace tessera::cpu
