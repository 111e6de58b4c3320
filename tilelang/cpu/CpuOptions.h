// How a program is compiled for a CPU.
#pragma once

#include "tilelang/cpu/CpuIsa.h"

namespace tessera::cpu {

struct CpuOptions {
  CpuIsa isa;
  bool trapOutOfBounds = false; ///< element accesses outside a tensor fail the call instead of being masked
  bool orderedAtomics = true;   ///< floating-point atomics run in block order, so that sums do not depend on threads
};

} // namespace tessera::cpu
