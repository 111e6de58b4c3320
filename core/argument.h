// One argument of a kernel call.
#pragma once

#include "core/tensor.h"

#include <variant>

namespace tessera {

/// A tensor, or a scalar for an integer or a floating-point parameter.
using Argument = std::variant<Tensor, int64_t, double>;

} // namespace tessera
