// Tensor: a typed, strided handle on memory, owning or not.
//
// Copying a Tensor copies the handle: both see the same elements, and an owner's memory lives as long as any handle on
// it. `clone` copies elements. All indices and extents are checked; every mistake throws tessera::Error.
//
// Strides count elements and may be anything, zero (broadcast) and negative included. e2m1 packs two elements per byte,
// low nibble first; its strides count nibbles, and every tensor of it starts on a byte.
// Element access, copies and fills work on the CPU only; tensors of other devices carry shape and address.
#pragma once

#include "core/dtype.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tessera {

enum class DeviceKind : uint8_t { cpu, cuda, ascend };

struct Device {
  DeviceKind kind = DeviceKind::cpu;
  int index = 0;
  bool operator==(const Device &) const = default;
  /// "cpu:0", "cuda:1".
  std::string text() const;
};

/// The element type that a C++ type stands for: bool, (u)int8..64_t, _Float16, float, double.
template <class T> constexpr DType dtypeOf();

/// "[2, 3]".
std::string shapeText(std::span<const int64_t> shape);

/// Row-major strides of `shape`.
std::vector<int64_t> rowMajorStrides(std::span<const int64_t> shape);

class Tensor {
public:
  using Extents = std::vector<int64_t>;

  /// A float tensor of shape [0].
  Tensor() = default;

  /// An owner of uninitialised row-major memory, aligned to kAlignment bytes.
  static Tensor empty(DType type, Extents shape);
  /// The same with every byte zero.
  static Tensor zeros(DType type, Extents shape);

  /// A non-owning view of `data`, which must outlive every handle. Empty strides mean row-major. `data` may be null
  /// only where there are no elements.
  static Tensor view(void *data, DType type, Extents shape, Extents strides = {}, Device device = {},
                     bool readOnly = false);
  /// A read-only view.
  static Tensor view(const void *data, DType type, Extents shape, Extents strides = {}, Device device = {});
  /// As `view`; `keepAlive` is released with the last handle.
  static Tensor viewOwned(std::shared_ptr<void> keepAlive, void *data, DType type, Extents shape, Extents strides = {},
                          Device device = {}, bool readOnly = false);

  /// A row-major owner with these elements.
  template <class T> static Tensor fromVector(const std::vector<T> &values, Extents shape);
  template <class T> static Tensor fromVector(const std::vector<T> &values) {
    return fromVector(values, {static_cast<int64_t>(values.size())});
  }

  DType dtype() const { return type; }
  const Extents &shape() const { return extents; }
  const Extents &strides() const { return steps; }
  int rank() const { return static_cast<int>(extents.size()); }
  /// Extent of one dimension, checked.
  int64_t extent(int dim) const;
  Device device() const { return where; }
  bool readOnly() const { return isReadOnly; }

  int64_t numel() const;
  /// Bytes of the elements when packed row-major.
  int64_t bytes() const;
  /// Row-major without gaps; dimensions of extent 1 do not matter. True where there are no elements.
  bool isContiguous() const;
  /// Whether the address of element 0 is a multiple of `bytes`.
  bool isAligned(size_t bytes) const { return reinterpret_cast<uintptr_t>(address) % bytes == 0; }

  /// Address of element (0, 0, ...).
  const void *data() const { return address; }
  /// The same, refused for read-only tensors.
  void *mutableData() const;
  /// The same, typed: T must be the element type's C++ type, aligned; const T for read-only tensors.
  template <class T> T *data() const {
    using Plain = std::remove_const_t<T>;
    return static_cast<T *>(checkedData(dtypeOf<Plain>(), alignof(Plain), !std::is_const_v<T>));
  }

  /// One element as a double (64-bit integers are rounded), and its inverse by the default cast of core/numbers.h.
  double at(std::span<const int64_t> index) const;
  double at(std::initializer_list<int64_t> index) const { return at(std::span(index.begin(), index.size())); }
  void set(std::span<const int64_t> index, double value);
  void set(std::initializer_list<int64_t> index, double value) { set(std::span(index.begin(), index.size()), value); }

  /// Views that share memory and read-only flag.
  /// Elements begin, begin + step, ... below end of one dimension; 0 <= begin <= end <= extent, step >= 1.
  Tensor slice(int dim, int64_t begin, int64_t end, int64_t step = 1) const;
  /// One index of a dimension, which disappears.
  Tensor select(int dim, int64_t index) const;
  Tensor transpose(int dim0, int dim1) const;
  /// Another shape of as many elements; the tensor must be contiguous.
  Tensor reshape(Extents shape) const;
  /// The same bits as another type of the same width.
  Tensor bitcast(DType type) const;
  Tensor asReadOnly() const;

  /// Copies the elements of `src`, of the same shape, with the default cast. Overlap is allowed.
  void copyFrom(const Tensor &src);
  /// A row-major owner with the same elements.
  Tensor clone() const { return to(type); }
  /// A row-major owner with the elements cast by the default cast of core/numbers.h.
  Tensor to(DType type) const;

  void fill(double value);
  /// Element n in row-major order depends on (seed, n) only. Floating types: uniform in [lo, hi), then rounded;
  /// integers: uniform in lo..hi, both included, then the nearest limit for what the type does not hold (of an unsigned
  /// one, 0 for all below 0); booleans: a coin. hi - lo must be finite.
  void fillRandom(uint64_t seed, double lo, double hi);

  /// "bf16[2, 3] strides [3, 1] on cpu:0".
  std::string text() const;

  static constexpr size_t kAlignment = 64;

private:
  std::shared_ptr<void> storage; // null for a non-owning view
  void *address = nullptr;
  DType type = DType::f32;
  Extents extents{0}, steps{1};
  Device where;
  bool isReadOnly = false;

  void *checkedData(DType wanted, size_t alignment, bool write) const;
  int64_t checkedOffset(std::span<const int64_t> index) const;
  int checkedDim(int dim) const;
  void requireCpu(const char *operation) const;
  void requireWritable() const;
  Tensor moved(int64_t elements) const;
};

template <class T> constexpr DType dtypeOf() {
  if constexpr (std::is_same_v<T, bool>)
    return DType::boolean;
  else if constexpr (std::is_same_v<T, int8_t>)
    return DType::i8;
  else if constexpr (std::is_same_v<T, int16_t>)
    return DType::i16;
  else if constexpr (std::is_same_v<T, int32_t>)
    return DType::i32;
  else if constexpr (std::is_same_v<T, int64_t>)
    return DType::i64;
  else if constexpr (std::is_same_v<T, uint8_t>)
    return DType::u8;
  else if constexpr (std::is_same_v<T, uint16_t>)
    return DType::u16;
  else if constexpr (std::is_same_v<T, uint32_t>)
    return DType::u32;
  else if constexpr (std::is_same_v<T, uint64_t>)
    return DType::u64;
  else if constexpr (std::is_same_v<T, _Float16>)
    return DType::f16;
  else if constexpr (std::is_same_v<T, double>)
    return DType::f64;
  else {
    static_assert(std::is_same_v<T, float>, "no element type has this C++ type");
    return DType::f32;
  }
}

namespace detail {
/// Fails unless `count` values fill `shape`.
void requireCount(size_t count, std::span<const int64_t> shape);
} // namespace detail

template <class T> Tensor Tensor::fromVector(const std::vector<T> &values, Extents shape) {
  detail::requireCount(values.size(), shape);
  Tensor result = empty(dtypeOf<T>(), std::move(shape));
  T *out = result.data<T>();
  for (size_t i = 0; i < values.size(); ++i) out[i] = values[i]; // not memcpy: vector<bool> has no array
  return result;
}

} // namespace tessera
