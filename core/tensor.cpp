// Shapes, addresses and views of tensors.
#include "core/tensor.h"

#include "core/error.h"
#include "core/numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace tessera {
namespace {

[[noreturn]] void fail(std::string what, std::string advice = {}) {
  throw Error(Diagnostic{std::move(what), {}, std::move(advice)});
}

/// Product of the extents; refuses negative ones and more elements than an int64 can address in bytes.
int64_t checkedCount(std::span<const int64_t> shape) {
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] < 0) fail(fmt::format("extent {} of dimension {} is negative", shape[i], i));
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  int64_t count = 1;
  for (int64_t e : shape)
    if (__builtin_mul_overflow(count, e, &count) || count > std::numeric_limits<int64_t>::max() / 64)
      fail(fmt::format("shape {} has too many elements", shapeText(shape)));
  return count;
}

/// Refuses strides that lead further from element 0 than an address can.
void checkReach(std::span<const int64_t> shape, std::span<const int64_t> strides) {
  constexpr int64_t kFar = std::numeric_limits<int64_t>::max() / 64;
  int64_t low = 0, high = 0, distance;
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t &end = strides[i] < 0 ? low : high;
    if (__builtin_mul_overflow(shape[i] - 1, strides[i], &distance) || __builtin_add_overflow(end, distance, &end) ||
        low < -kFar || high > kFar)
      fail(fmt::format("strides {} of shape {} reach too far", shapeText(strides), shapeText(shape)));
  }
}

std::shared_ptr<void> allocate(int64_t bytes) {
  size_t size = (static_cast<size_t>(bytes) + Tensor::kAlignment - 1) / Tensor::kAlignment * Tensor::kAlignment;
  void *memory = std::aligned_alloc(Tensor::kAlignment, std::max(size, Tensor::kAlignment));
  if (!memory) fail(fmt::format("out of memory for a tensor of {} bytes", bytes));
  return {memory, std::free};
}

int64_t packedBytes(DType type, int64_t count) { return (count * bitWidth(type) + 7) / 8; }

} // namespace

namespace detail {
void requireCount(size_t count, std::span<const int64_t> shape) {
  if (static_cast<int64_t>(count) != checkedCount(shape))
    fail(fmt::format("{} values do not fill shape {}, which has {} elements", count, shapeText(shape),
                     checkedCount(shape)));
}
} // namespace detail

std::string Device::text() const {
  constexpr const char *kNames[] = {"cpu", "cuda", "ascend"};
  return fmt::format("{}:{}", kNames[static_cast<int>(kind)], index);
}

std::string shapeText(std::span<const int64_t> shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

std::vector<int64_t> rowMajorStrides(std::span<const int64_t> shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    // Wraps only where another extent is zero and strides mean nothing.
    (void)__builtin_mul_overflow(step, std::max<int64_t>(shape[i], 1), &step);
  }
  return strides;
}

Tensor Tensor::empty(DType type, Extents shape) {
  std::shared_ptr<void> memory = allocate(packedBytes(type, checkedCount(shape)));
  void *data = memory.get();
  return viewOwned(std::move(memory), data, type, std::move(shape));
}

Tensor Tensor::zeros(DType type, Extents shape) {
  Tensor result = empty(type, std::move(shape));
  std::memset(result.address, 0, static_cast<size_t>(result.bytes()));
  return result;
}

Tensor Tensor::view(void *data, DType type, Extents shape, Extents strides, Device device, bool readOnly) {
  return viewOwned(nullptr, data, type, std::move(shape), std::move(strides), device, readOnly);
}

Tensor Tensor::view(const void *data, DType type, Extents shape, Extents strides, Device device) {
  // The read-only flag takes over from const.
  return view(const_cast<void *>(data), type, std::move(shape), std::move(strides), device, true);
}

Tensor Tensor::viewOwned(std::shared_ptr<void> keepAlive, void *data, DType type, Extents shape, Extents strides,
                         Device device, bool readOnly) {
  int64_t count = checkedCount(shape);
  if (strides.empty()) strides = rowMajorStrides(shape);
  if (strides.size() != shape.size())
    fail(fmt::format("ranks of shape and strides differ: {} vs {}", shapeText(shape), shapeText(strides)));
  if (count > 0) {
    if (!data) fail(fmt::format("null data for a tensor of shape {}", shapeText(shape)));
    checkReach(shape, strides);
  }
  Tensor result;
  result.storage = std::move(keepAlive);
  result.address = data;
  result.type = type;
  result.extents = std::move(shape);
  result.steps = std::move(strides);
  result.where = device;
  result.isReadOnly = readOnly;
  return result;
}

int64_t Tensor::extent(int dim) const { return extents[static_cast<size_t>(checkedDim(dim))]; }

int64_t Tensor::numel() const {
  if (std::ranges::find(extents, 0) != extents.end()) return 0; // the others may be too large to multiply
  int64_t count = 1;
  for (int64_t e : extents) count *= e;
  return count;
}

int64_t Tensor::bytes() const { return packedBytes(type, numel()); }

bool Tensor::isContiguous() const {
  if (numel() == 0) return true;
  int64_t expected = 1;
  for (size_t i = extents.size(); i-- > 0;) {
    if (extents[i] == 1) continue;
    if (steps[i] != expected) return false;
    expected *= extents[i];
  }
  return true;
}

void *Tensor::mutableData() const {
  requireWritable();
  return address;
}

void *Tensor::checkedData(DType wanted, size_t alignment, bool write) const {
  if (wanted != type) fail(fmt::format("element types differ: tensor has {}, asked for {}", name(type), name(wanted)));
  if (!isAligned(alignment)) fail(fmt::format("address {} is not aligned to {} bytes", address, alignment));
  if (write) requireWritable();
  return address;
}

int Tensor::checkedDim(int dim) const {
  if (dim < 0 || dim >= rank())
    fail(fmt::format("dimension {} is out of range for rank {} (shape {})", dim, rank(), shapeText(extents)));
  return dim;
}

int64_t Tensor::checkedOffset(std::span<const int64_t> index) const {
  if (index.size() != extents.size())
    fail(fmt::format("index {} has {} dimensions, tensor has {}", shapeText(index), index.size(), rank()));
  int64_t offset = 0;
  for (size_t i = 0; i < index.size(); ++i) {
    if (index[i] < 0 || index[i] >= extents[i])
      fail(fmt::format("index {} is out of bounds for shape {}", shapeText(index), shapeText(extents)));
    offset += index[i] * steps[i];
  }
  return offset;
}

void Tensor::requireCpu(const char *operation) const {
  if (where.kind != DeviceKind::cpu)
    fail(fmt::format("{} needs a tensor on the cpu, this one is on {}", operation, where.text()),
         "copy it to the host first");
}

void Tensor::requireWritable() const {
  if (isReadOnly) fail(fmt::format("tensor {} is read-only", text()), "clone it to get a writable copy");
}

Tensor Tensor::moved(int64_t elements) const {
  Tensor result = *this;
  int64_t bits = elements * bitWidth(type);
  if (bits % 8 != 0) fail(fmt::format("element {} of a {} tensor does not start on a byte", elements, name(type)));
  if (address) result.address = static_cast<std::byte *>(address) + bits / 8;
  return result;
}

Tensor Tensor::slice(int dim, int64_t begin, int64_t end, int64_t step) const {
  size_t d = static_cast<size_t>(checkedDim(dim));
  if (begin < 0 || end < begin || end > extents[d])
    fail(fmt::format("slice {}:{} is out of bounds for extent {} of dimension {}", begin, end, extents[d], dim));
  if (step < 1) fail(fmt::format("slice step {} is not positive", step));
  int64_t count = end == begin ? 0 : (end - begin - 1) / step + 1;
  bool any = count > 0 && numel() > 0; // strides of tensors without elements mean nothing and could overflow
  Tensor result = any ? moved(begin * steps[d]) : *this;
  result.extents[d] = count;
  if (any && count > 1) result.steps[d] *= step;
  return result;
}

Tensor Tensor::select(int dim, int64_t index) const {
  size_t d = static_cast<size_t>(checkedDim(dim));
  if (index < 0 || index >= extents[d])
    fail(fmt::format("index {} is out of bounds for extent {} of dimension {}", index, extents[d], dim));
  Tensor result = numel() > 0 ? moved(index * steps[d]) : *this;
  result.extents.erase(result.extents.begin() + dim);
  result.steps.erase(result.steps.begin() + dim);
  return result;
}

Tensor Tensor::transpose(int dim0, int dim1) const {
  size_t a = static_cast<size_t>(checkedDim(dim0)), b = static_cast<size_t>(checkedDim(dim1));
  Tensor result = *this;
  std::swap(result.extents[a], result.extents[b]);
  std::swap(result.steps[a], result.steps[b]);
  return result;
}

Tensor Tensor::reshape(Extents shape) const {
  if (checkedCount(shape) != numel())
    fail(fmt::format("element counts differ: shape {} has {}, shape {} has {}", shapeText(extents), numel(),
                     shapeText(shape), checkedCount(shape)));
  if (!isContiguous())
    fail(fmt::format("cannot reshape {} to {}: it is not contiguous", text(), shapeText(shape)), "clone it first");
  Tensor result = *this;
  result.steps = rowMajorStrides(shape);
  result.extents = std::move(shape);
  return result;
}

Tensor Tensor::bitcast(DType to) const {
  if (bitWidth(to) != bitWidth(type))
    fail(fmt::format("element widths differ: {} has {} bits, {} has {}", name(type), bitWidth(type), name(to),
                     bitWidth(to)));
  Tensor result = *this;
  result.type = to;
  return result;
}

Tensor Tensor::asReadOnly() const {
  Tensor result = *this;
  result.isReadOnly = true;
  return result;
}

std::string Tensor::text() const {
  return fmt::format("{}{} strides {} on {}", name(type), shapeText(extents), shapeText(steps), where.text());
}

} // namespace tessera
