// A repair of LLVM IR before instruction selection.
#pragma once

#include "tilelang/cpu/CpuIsa.h"

namespace llvm {
class Module;
}

namespace tessera::cpu {

/// Puts masked loads and stores into forms that instruction selection for x86 in LLVM 22 gets right:
/// * A masked store whose mask is a constant with one lane becomes a plain store of that lane. Selection does the same,
///   but where the stored vector is a truncation it stores the wide element: four bytes where two are meant.
/// * With AVX2, the mask of any other access is hidden behind an empty piece of assembly. Otherwise, where a part of
/// the
///   mask is known to be false, as in "row < m and lane < 5", that half of the vector is loaded without its mask.
void repairMaskedAccesses(llvm::Module &module, const CpuIsa &isa);

} // namespace tessera::cpu
