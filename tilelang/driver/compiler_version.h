// Which compiler made a piece of code.
#pragma once

#include <string>

namespace tessera {

/// Changes whenever this library, MLIR or LLVM is another build; part of every cache key.
const std::string &compilerVersion();

} // namespace tessera
