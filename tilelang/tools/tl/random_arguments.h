// Arguments for a program of which nothing but the signature is known.
#pragma once

#include "core/argument.h"
#include "tilelang/driver/signature.h"
#include "tilelang/tools/tl/options.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace tessera::tool {

/// Tensors and numbers that fit the signature. Floating-point elements are uniform in [-1, 1), integers in -8..8 (0..8
/// without sign). Numbers are those given by name, else 1. An extent that the signature leaves open is `openExtent`.
/// Throws Error for a name that is no number of the signature, and for sizes that give no legal extent.
std::vector<Argument> randomArguments(const Signature &signature, std::span<const int64_t> sizes,
                                      const std::map<std::string, Number> &numbers, uint64_t seed, int64_t openExtent);

/// Handles on copies of all tensors.
std::vector<Argument> cloneAll(const std::vector<Argument> &arguments);

} // namespace tessera::tool
