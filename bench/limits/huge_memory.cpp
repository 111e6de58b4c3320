// Anonymous mappings aligned to a huge page, with the advice to use them.
#include "bench/limits/huge_memory.h"

#include <new>
#include <sys/mman.h>

namespace tessera::bench {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

size_t roundUp(size_t bytes) { return (bytes + kHugePage - 1) / kHugePage * kHugePage; }

} // namespace

HugeMemory::HugeMemory(size_t bytes) : length(bytes) {
  size_t mapped = roundUp(bytes) + kHugePage; // one more, so that a huge page can start inside
  void *start = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  auto at = reinterpret_cast<uintptr_t>(start);
  std::byte *aligned = static_cast<std::byte *>(start) + (roundUp(at) - at);
  madvise(aligned, roundUp(bytes), MADV_HUGEPAGE); // small pages do as well, slower
  address = std::shared_ptr<std::byte>(aligned, [=](std::byte *) { munmap(start, mapped); });
}

Tensor hugeTensor(DType type, std::vector<int64_t> shape) {
  int64_t bits = bitWidth(type);
  for (int64_t extent : shape) bits *= extent;
  HugeMemory memory(static_cast<size_t>((bits + 7) / 8));
  return Tensor::viewOwned(memory.owner(), memory.data(), type, std::move(shape));
}

std::vector<Argument> onHugePages(std::vector<Argument> arguments) {
  for (Argument &argument : arguments) {
    auto *tensor = std::get_if<Tensor>(&argument);
    if (!tensor || static_cast<size_t>(tensor->bytes()) < kHugePage) continue;
    Tensor moved = hugeTensor(tensor->dtype(), tensor->shape());
    moved.copyFrom(*tensor);
    *tensor = moved;
  }
  return arguments;
}

} // namespace tessera::bench
