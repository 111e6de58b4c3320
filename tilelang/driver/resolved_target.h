// A target by its name, for the driver itself.
#pragma once

#include "tilelang/cpu/CpuIsa.h"

#include <memory>
#include <string>
#include <string_view>

namespace tessera {

struct ResolvedTarget {
  enum class Kind : uint8_t { cpu, interpreter };
  std::string name;
  Kind kind;
  /// Of the kind cpu.
  std::shared_ptr<const cpu::CpuIsa> isa;
};

/// `chip` may name another chip than the target's. Throws Error for a target that is not built, for an unknown one with
/// the list of those that are known, and for a chip that the target does not take.
ResolvedTarget resolveTarget(std::string_view name, const std::string &chip = "");

} // namespace tessera
