// Whether tensors share memory.
#pragma once

#include "core/tensor.h"

namespace tessera {

enum class Overlap : uint8_t {
  none,
  /// Same address, type, shape and strides.
  same,
  /// At least one byte is in both.
  partial,
};

/// Compares the elements, not just the address ranges: two column slices of one matrix do not overlap. Strides too
/// tangled to decide in a thousand steps or so count as none.
Overlap overlap(const Tensor &a, const Tensor &b);

/// Whether two elements may share memory, as they do where a stride is zero.
bool mayOverlapItself(const Tensor &tensor);

} // namespace tessera
