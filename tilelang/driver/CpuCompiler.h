// Runs the pipeline of the cpu target on a program.
#pragma once

#include "tilelang/cpu/CpuOptions.h"
#include "tilelang/driver/ProgramFacts.h"
#include "tilelang/driver/kernel.h"

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// An object file. All four throw Error with the diagnostics of the passes, and may run on many threads at once.
std::string compileCpuObject(const ProgramFacts &facts, const cpu::CpuOptions &options);

/// LLVM IR or assembly as text.
std::string emitCpu(const ProgramFacts &facts, const cpu::CpuOptions &options, Stage stage);

/// The parameters, by position, of which the code packs tiles into memory that may outlive a call.
std::vector<int64_t> packedParameters(const ProgramFacts &facts, const cpu::CpuOptions &options);

/// The module after each run of a pass.
std::string cpuIrAfter(const ProgramFacts &facts, const cpu::CpuOptions &options, std::string_view pass);

} // namespace tessera
