// How far one target's results are from another's.
#pragma once

#include "core/argument.h"
#include "tilelang/driver/signature.h"

#include <vector>

namespace tessera {

/// The largest difference of any written tensor, in units of what two correct targets may differ by: 64 roundings of
/// the tensor's type, or of f32 for a wider one, at the largest magnitude in the tensor. Integers must be equal, NaN
/// and infinities must be in the same places; otherwise the result is infinite.
double largestDifference(const Signature &signature, const std::vector<Argument> &expected,
                         const std::vector<Argument> &given);

} // namespace tessera
