// Where chip descriptions lie, and which one serves.
#pragma once

#include "tilelang/chips/cpu_chip.h"

#include <string>
#include <string_view>

namespace tessera::chips {

/// The folder of descriptions that belongs to this library, in a build tree as where it is installed.
std::string chipFolder();

/// The description that the variable TESSERA_CHIP names: a file (with a slash, or ending in .yaml) or a chip of the
/// folder. Throws Error, with the known chips, for one that does not exist.
CpuChip cpuChipNamed(const std::string &name);

/// The folder's description of a CPU by LLVM's name, else of its instruction set. Throws Error if there is none, or a
/// file of the folder is not as it should be.
CpuChip cpuChipFor(std::string_view cpu, std::string_view level);

/// The names of the folder's CPUs, ascending.
std::vector<std::string> cpuChipNames();

} // namespace tessera::chips
