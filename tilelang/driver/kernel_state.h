// What a Kernel shares between its copies.
#pragma once

#include "tilelang/cpu/CpuOptions.h"
#include "tilelang/driver/ProgramFacts.h"
#include "tilelang/driver/compile.h"
#include "tilelang/driver/kernel_cache.h"
#include "tilelang/driver/resolved_target.h"

#include <memory>
#include <mutex>

namespace tessera {

struct Kernel::State {
  Program program;
  std::shared_ptr<const ProgramFacts> facts;
  ResolvedTarget target;
  CompileOptions options;
  /// For the cpu; null where this machine cannot run it.
  LoadedCode code;
  /// For the interpreter, which reads the program while it runs: one call at a time.
  mutable std::mutex interpreting;

  cpu::CpuOptions cpuOptions() const;
};

} // namespace tessera
