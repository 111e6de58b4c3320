// Checked element access, and boxes of indices.
#include "tilelang/ir/interp/runtime_tile.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <new>

namespace tessera::tile {
namespace {

constexpr int64_t kMaxBufferBytes = int64_t{1} << 32;

} // namespace

Place RuntimeTile::place(llvm::ArrayRef<int64_t> index) const {
  assert(index.size() == offsets.size() && "one index for each dimension");
  int64_t element = 0;
  for (size_t d = 0; d < offsets.size(); ++d) {
    int64_t position;
    if (__builtin_add_overflow(offsets[d], index[d], &position)) return {};
    if (position < 0 || position >= buffer->extents[d]) return {};
    element += position * buffer->strides[d];
  }
  if (buffer->dtype == DType::e2m1) return {buffer->base + (element >> 1), (element & 1) != 0};
  return {buffer->base + element * byteWidth(buffer->dtype)};
}

std::optional<uint64_t> RuntimeTile::read(llvm::ArrayRef<int64_t> index) const {
  Place at = place(index);
  return at ? std::optional(readElement(at, dtype())) : std::nullopt;
}

void RuntimeTile::write(llvm::ArrayRef<int64_t> index, uint64_t bits) const {
  if (Place at = place(index)) writeElement(at, dtype(), bits);
}

// memcpy because tensors may be aligned to a single byte; the low bytes of a word come first.
static_assert(std::endian::native == std::endian::little, "elements are read as the low bytes of a word");

uint64_t readElement(Place place, DType type) {
  uint64_t bits = 0;
  if (type == DType::e2m1) return static_cast<uint64_t>(*place.byte >> (place.isSecond ? 4 : 0)) & 0xf;
  std::memcpy(&bits, place.byte, static_cast<size_t>(byteWidth(type)));
  return type == DType::boolean ? bits != 0 : bits;
}

void writeElement(Place place, DType type, uint64_t bits) {
  if (type == DType::e2m1) {
    auto code = static_cast<std::byte>(bits & 0xf);
    *place.byte = place.isSecond ? (*place.byte & std::byte{0x0f}) | code << 4 : (*place.byte & std::byte{0xf0}) | code;
    return;
  }
  std::memcpy(place.byte, &bits, static_cast<size_t>(byteWidth(type)));
}

std::shared_ptr<Buffer> makeBuffer(DType type, llvm::ArrayRef<int64_t> extents) {
  int64_t elements = elementCount(extents);
  int64_t width = std::max(byteWidth(type), 1);
  if (elements > kMaxBufferBytes / width) return nullptr;
  auto bytes = static_cast<size_t>(elements * width);
  std::shared_ptr<std::byte[]> memory(new (std::nothrow) std::byte[bytes]);
  if (!memory) return nullptr;
  std::memset(memory.get(), 0xff, bytes);
  auto buffer = std::make_shared<Buffer>();
  buffer->base = memory.get();
  buffer->owner = std::shared_ptr<void>(memory, memory.get());
  buffer->dtype = type;
  buffer->extents.assign(extents.begin(), extents.end());
  buffer->strides = denseStrides(extents);
  return buffer;
}

RuntimeTile wholeTile(std::shared_ptr<const Buffer> buffer) {
  Extents offsets(buffer->extents.size(), 0), sizes(buffer->extents);
  return {std::move(buffer), std::move(offsets), std::move(sizes)};
}

bool isDense(const Buffer &buffer) {
  if (llvm::is_contained(buffer.extents, 0)) return true;
  int64_t stride = 1;
  for (size_t d = buffer.extents.size(); d-- > 0;) {
    if (buffer.extents[d] != 1 && buffer.strides[d] != stride) return false;
    stride *= buffer.extents[d];
  }
  return true;
}

Extents denseStrides(llvm::ArrayRef<int64_t> extents) {
  Extents strides(extents.size(), 1);
  for (size_t d = extents.size(); d-- > 1;)
    __builtin_mul_overflow(strides[d], extents[d], &strides[d - 1]); // beyond an extent of 0 anything will do
  return strides;
}

int64_t elementCount(llvm::ArrayRef<int64_t> extents) {
  if (llvm::is_contained(extents, 0)) return 0;
  int64_t count = 1;
  for (int64_t extent : extents)
    if (__builtin_mul_overflow(count, extent, &count)) return std::numeric_limits<int64_t>::max();
  return count;
}

void forEachIndex(llvm::ArrayRef<int64_t> extents, FunctionRef<void(llvm::ArrayRef<int64_t>)> visit) {
  if (llvm::any_of(extents, [](int64_t extent) { return extent <= 0; })) return;
  Extents index(extents.size(), 0);
  for (;;) {
    visit(index);
    size_t d = extents.size();
    while (d > 0 && ++index[d - 1] == extents[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

} // namespace tessera::tile
