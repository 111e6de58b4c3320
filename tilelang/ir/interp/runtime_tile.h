// Buffers and tiles at run time. Every access is checked against the buffer, so that no program reads or writes
// memory that is not its own.
#pragma once

#include "core/dtype.h"
#include "core/function_ref.h"

#include "mlir/IR/Attributes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tessera::tile {

using Extents = llvm::SmallVector<int64_t, 4>;

/// The storage of a tensor argument or of one execution of `tile.alloc`.
struct Buffer {
  std::shared_ptr<void> owner; // null for the caller's tensors, which outlive the run
  std::byte *base = nullptr;   // e2m1 elements lie two to a byte, everywhere
  DType dtype = DType::f32;
  Extents extents, strides; // in elements
  bool readOnly = false;
  std::string name;    // the author's; may be empty
  mlir::Attribute pad; // the pad value of the allocation; may be null
};

/// Where an element lies: the byte it starts at, and whether it is the second e2m1 element of that byte.
struct Place {
  std::byte *byte = nullptr; // null outside the buffer
  bool isSecond = false;

  explicit operator bool() const { return byte != nullptr; }
  bool operator==(const Place &) const = default;
};

/// A window onto a buffer, or the whole of it.
struct RuntimeTile {
  std::shared_ptr<const Buffer> buffer;
  Extents offsets, sizes;

  DType dtype() const { return buffer->dtype; }
  int64_t rank() const { return static_cast<int64_t>(sizes.size()); }

  /// The element at an index that counts from the window's corner; none if it lies outside the buffer.
  Place place(llvm::ArrayRef<int64_t> index) const;
  /// The bits of that element, or nothing outside the buffer.
  std::optional<uint64_t> read(llvm::ArrayRef<int64_t> index) const;
  /// Writes the element, or nothing outside the buffer.
  void write(llvm::ArrayRef<int64_t> index, uint64_t bits) const;
};

uint64_t readElement(Place place, DType type);
void writeElement(Place place, DType type, uint64_t bits);

/// A fresh row-major buffer whose bytes are all 0xff: NaN or -1, so that a use before the first write shows. Null if
/// there is no room for it.
std::shared_ptr<Buffer> makeBuffer(DType type, llvm::ArrayRef<int64_t> extents);

RuntimeTile wholeTile(std::shared_ptr<const Buffer> buffer);

/// Whether the elements lie row-major without gaps. Where there are none or one in a dimension, its stride does not
/// matter.
bool isDense(const Buffer &buffer);

/// Row-major strides.
Extents denseStrides(llvm::ArrayRef<int64_t> extents);

/// The product of the extents, or the largest int64_t if it is larger than that.
int64_t elementCount(llvm::ArrayRef<int64_t> extents);

/// Calls `visit` for every index of a box in row-major order: once for rank 0, never if an extent is zero.
void forEachIndex(llvm::ArrayRef<int64_t> extents, FunctionRef<void(llvm::ArrayRef<int64_t>)> visit);

} // namespace tessera::tile
