// The text that a kernel's printf and dump statements give.
#pragma once

#include "core/tensor.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

/// The text of a C format with conversions %d %i %u %x %X %o %c and %f %F %e %E %g %G %a %A, with flags, width and
/// precision, and %%. `kinds` tells for each argument how its bits are meant: 'f' for those of a double, else an
/// integer extended to 64 bits: 'i', 'u', or the number of its bytes, '1' '2' '4' '8', to which %u %o %x %X then cut
/// it. A conversion that does not fit its argument prints the argument in its own way; one without an argument is kept.
std::string printfText(std::string_view format, std::string_view kinds, const int64_t *bits);

/// A label, type and shape, then one line for each row:
///
///   acc: f32[2, 3]
///   [0, :] 1 2 3
///   [1, :] 4 5 6
std::string dumpText(std::string_view label, const Tensor &tile);

} // namespace tessera
