// Reading, writing and converting the elements of tensors on the CPU.
#include "core/tensor.h"

#include "core/error.h"
#include "core/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace tessera {
namespace {

/// Elements with a common stride, `stride` elements apart.
struct Row {
  DType type;
  std::byte *data; // of element 0
  int64_t start;   // in elements from `data`; nibbles need it
  int64_t stride;
};

uint64_t loadBits(DType type, const std::byte *data, int64_t element) {
  int width = bitWidth(type);
  if (width == 4) {
    int64_t byte = element >> 1;
    return static_cast<uint64_t>(data[byte]) >> (element & 1) * 4 & 0xf;
  }
  uint64_t bits = 0;
  std::memcpy(&bits, data + element * (width / 8), static_cast<size_t>(width / 8)); // little-endian
  return bits;
}

void storeBits(DType type, std::byte *data, int64_t element, uint64_t bits) {
  int width = bitWidth(type);
  if (width == 4) {
    int shift = static_cast<int>(element & 1) * 4;
    std::byte &byte = data[element >> 1];
    byte = (byte & std::byte(0xf0 >> shift)) | std::byte(bits << shift);
    return;
  }
  std::memcpy(data + element * (width / 8), &bits, static_cast<size_t>(width / 8));
}

/// Address of a row that the array conversions can take, null for others.
std::byte *packedRow(const Row &row, int64_t count) {
  int64_t bits = row.start * bitWidth(row.type);
  bool wholeBytes = bits % 8 == 0 && count * bitWidth(row.type) % 8 == 0;
  if (row.stride != 1 || !wholeBytes) return nullptr;
  std::byte *data = row.data + bits / 8;
  size_t alignment = static_cast<size_t>(std::max(bitWidth(row.type) / 8, 1));
  return reinterpret_cast<uintptr_t>(data) % alignment == 0 ? data : nullptr;
}

/// Whether every value of the type is a float.
bool isWithinFloat(DType type) { return isFloat(type) && type != DType::f64; }

/// Packed rows, by way of floats, which hold the source exactly: in pieces that stay in the cache.
void convertPacked(DType to, std::byte *dst, DType from, const std::byte *src, int64_t count) {
  constexpr int64_t kPiece = 256;
  alignas(64) std::array<float, kPiece> values;
  for (int64_t done = 0; done < count; done += kPiece) {
    std::span piece(values.data(), static_cast<size_t>(std::min(kPiece, count - done)));
    decode(from, src + done * bitWidth(from) / 8, piece);
    encode(piece, to, dst + done * bitWidth(to) / 8);
  }
}

void copyRow(const Row &dst, const Row &src, int64_t count) {
  std::byte *to = packedRow(dst, count);
  const std::byte *from = packedRow(src, count);
  if (to && from && src.type == dst.type) {
    std::memcpy(to, from, static_cast<size_t>(count * bitWidth(src.type) / 8));
  } else if (to && from && isWithinFloat(src.type)) {
    convertPacked(dst.type, to, src.type, from, count);
  } else {
    for (int64_t i = 0; i < count; ++i) {
      uint64_t bits = loadBits(src.type, src.data, src.start + i * src.stride);
      storeBits(dst.type, dst.data, dst.start + i * dst.stride, convert(src.type, bits, dst.type));
    }
  }
}

/// Calls body(index) for every index of all dimensions but the last, whose index is 0.
template <class Body> void forEachRow(const Tensor::Extents &shape, Body body) {
  Tensor::Extents index(shape.size(), 0);
  for (;;) {
    body(index);
    int d = static_cast<int>(shape.size()) - 2;
    for (; d >= 0; --d) {
      size_t at = static_cast<size_t>(d);
      if (++index[at] < shape[at]) break;
      index[at] = 0;
    }
    if (d < 0) return;
  }
}

int64_t offsetOf(const Tensor::Extents &index, const Tensor::Extents &strides) {
  int64_t offset = 0;
  for (size_t i = 0; i < index.size(); ++i) offset += index[i] * strides[i];
  return offset;
}

int64_t rowLength(const Tensor &t) { return t.rank() == 0 ? 1 : t.shape().back(); }

Row rowOf(const Tensor &t, const Tensor::Extents &index) {
  std::byte *data = static_cast<std::byte *>(const_cast<void *>(t.data())); // writers have checked the flag
  return {t.dtype(), data, offsetOf(index, t.strides()), t.rank() == 0 ? 1 : t.strides().back()};
}

/// The bytes that the elements lie in, [first, last).
std::pair<uintptr_t, uintptr_t> footprint(const Tensor &t) {
  int64_t low = 0, high = 0;
  for (size_t i = 0; i < t.shape().size(); ++i) {
    int64_t span = (t.shape()[i] - 1) * t.strides()[i];
    (span < 0 ? low : high) += span;
  }
  int64_t width = bitWidth(t.dtype());
  uintptr_t base = reinterpret_cast<uintptr_t>(t.data());
  return {base + static_cast<uintptr_t>(low * width >> 3),
          base + static_cast<uintptr_t>(((high + 1) * width + 7) >> 3)};
}

bool overlap(const Tensor &a, const Tensor &b) {
  auto [aBegin, aEnd] = footprint(a);
  auto [bBegin, bEnd] = footprint(b);
  return aBegin < bEnd && bBegin < aEnd;
}

/// A well-mixed function of a counter (the finaliser of SplitMix64).
uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

uint64_t randomBits(DType type, uint64_t random, double lo, double hi) {
  if (type == DType::boolean) return random & 1;
  double unit = static_cast<double>(random >> 11) * 0x1p-53;
  if (isFloat(type)) return encode(type, lo + unit * (hi - lo));
  return encode(type, std::min(std::floor(lo + unit * (hi - lo + 1)), hi));
}

} // namespace

double Tensor::at(std::span<const int64_t> index) const {
  requireCpu("reading an element");
  return decode(type, loadBits(type, static_cast<const std::byte *>(address), checkedOffset(index)));
}

void Tensor::set(std::span<const int64_t> index, double value) {
  requireCpu("writing an element");
  requireWritable();
  storeBits(type, static_cast<std::byte *>(address), checkedOffset(index), encode(type, value));
}

void Tensor::copyFrom(const Tensor &src) {
  if (src.extents != extents)
    throw Error(Diagnostic{
        fmt::format("shapes differ: cannot copy {} to {}", shapeText(src.extents), shapeText(extents)), {}, {}});
  requireCpu("copying");
  src.requireCpu("copying");
  requireWritable();
  if (numel() == 0) return;
  Tensor from = src;
  if (overlap(*this, src)) from = src.clone();
  if (isContiguous() && from.isContiguous()) {
    auto whole = [](const Tensor &t) { return Row{t.type, static_cast<std::byte *>(t.address), 0, 1}; };
    return copyRow(whole(*this), whole(from), numel());
  }
  forEachRow(extents,
             [&](const Extents &index) { copyRow(rowOf(*this, index), rowOf(from, index), rowLength(*this)); });
}

Tensor Tensor::to(DType to) const {
  Tensor result = empty(to, extents);
  // Of e2m1 the last byte's spare nibble would stay undefined.
  if (bitWidth(to) < 8) result = zeros(to, extents);
  result.copyFrom(*this);
  return result;
}

void Tensor::fill(double value) {
  requireCpu("filling");
  requireWritable();
  if (numel() == 0) return;
  uint64_t bits = encode(type, value);
  forEachRow(extents, [&](const Extents &index) {
    Row row = rowOf(*this, index);
    for (int64_t i = 0; i < rowLength(*this); ++i) storeBits(type, row.data, row.start + i * row.stride, bits);
  });
}

void Tensor::fillRandom(uint64_t seed, double lo, double hi) {
  requireCpu("filling");
  requireWritable();
  if (!(lo <= hi)) throw Error(Diagnostic{fmt::format("random range is empty: {} to {}", lo, hi), {}, {}});
  if (!std::isfinite(hi - lo))
    throw Error(Diagnostic{fmt::format("random range {} to {} is not finite", lo, hi),
                           {},
                           "give bounds whose difference is a finite double"});
  if (numel() == 0) return;
  uint64_t counter = mix(seed);
  forEachRow(extents, [&](const Extents &index) {
    Row row = rowOf(*this, index);
    for (int64_t i = 0; i < rowLength(*this); ++i)
      storeBits(type, row.data, row.start + i * row.stride, randomBits(type, mix(counter++), lo, hi));
  });
}

} // namespace tessera
