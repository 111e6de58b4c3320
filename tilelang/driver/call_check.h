// The checks at a call, and what the kernel's code is given.
#pragma once

#include "core/argument.h"
#include "tilelang/driver/signature.h"

#include <span>
#include <variant>
#include <vector>

namespace tessera {

/// An argument without a copy of the tensor handle. The unsigned alternative is for numbers that int64_t does not hold.
using ArgumentRef = std::variant<const Tensor *, int64_t, uint64_t, double>;

/// Checks the arguments of a call and returns the slots of the entry: for each tensor its data pointer, sizes and
/// strides in elements, for each scalar its 64 bits. Throws Error with one diagnostic for each argument that does not
/// fit.
std::vector<int64_t> packArguments(const Signature &signature, std::span<const ArgumentRef> arguments);

} // namespace tessera
