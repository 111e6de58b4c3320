// Rasterisation of a grid and the wait for earlier blocks.
#include "tilelang/cpu/runtime/block_order.h"

#include <algorithm>
#include <functional>

namespace tessera::cpu {

BlockOrder::Block BlockOrder::at(int64_t index) const {
  int64_t plane = gx * gy, z = index / plane, rest = index % plane;
  if (panel <= 0) return {rest % gx, rest / gx, z};
  Block block = columns ? inPanels(rest, gy, gx, panel) : inPanels(rest, gx, gy, panel);
  if (columns) std::swap(block.x, block.y);
  block.z = z;
  return block;
}

BlockOrder::Block BlockOrder::inPanels(int64_t index, int64_t width, int64_t height, int64_t panel) {
  int64_t perPanel = panel * height, which = index / perPanel, offset = index % perPanel;
  int64_t columnsHere = std::min(panel, width - which * panel);
  int64_t row = offset / columnsHere;
  return {which * panel + offset % columnsHere, which % 2 ? height - 1 - row : row, 0};
}

void BlockSequence::waitFor(int64_t index) {
  for (int64_t now; (now = finished.load(std::memory_order_acquire)) < index;) finished.wait(now);
}

void BlockSequence::finish(int64_t index) {
  std::lock_guard lock(mutex);
  early.push_back(index);
  std::push_heap(early.begin(), early.end(), std::greater<>());
  int64_t now = finished.load(std::memory_order_relaxed);
  for (; !early.empty() && early.front() == now; ++now) {
    std::pop_heap(early.begin(), early.end(), std::greater<>());
    early.pop_back();
  }
  finished.store(now, std::memory_order_release);
  finished.notify_all();
}

} // namespace tessera::cpu
