// Large, aligned memory on huge pages, so that figures are about memory and not about page tables.
#pragma once

#include "core/argument.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace tessera::bench {

/// Zeroed memory on huge pages where the system has them. Pages lie near the thread that writes them first.
class HugeMemory {
public:
  HugeMemory() = default;
  explicit HugeMemory(size_t bytes);

  std::byte *data() const { return address.get(); }
  size_t size() const { return length; }
  /// Keeps the memory alive.
  std::shared_ptr<void> owner() const { return address; }

private:
  std::shared_ptr<std::byte> address;
  size_t length = 0;
};

/// A row-major tensor on huge pages, zeroed.
Tensor hugeTensor(DType type, std::vector<int64_t> shape);

/// The same arguments with every tensor of at least one huge page moved to huge pages.
std::vector<Argument> onHugePages(std::vector<Argument> arguments);

} // namespace tessera::bench
