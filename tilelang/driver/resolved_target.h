// A target by its name, for the driver itself.
#pragma once

#include "tilelang/cpu/CpuIsa.h"

#include <string>
#include <string_view>

namespace tessera {

struct ResolvedTarget {
  enum class Kind : uint8_t { cpu, interpreter };
  std::string name;
  Kind kind;
  /// Of the kind cpu.
  const cpu::CpuIsa *isa = nullptr;
};

/// Throws Error for a target that is not built, and for an unknown one with the list of those that are known.
ResolvedTarget resolveTarget(std::string_view name);

} // namespace tessera
