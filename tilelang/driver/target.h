// The machines that programs can be compiled for, by name.
#pragma once

#include <string>
#include <vector>

namespace tessera {

struct TargetInfo {
  /// As `compile` takes it: "cpu", "cpu:avx2", "interpreter".
  std::string name;
  std::string description;
  /// Whether kernels can run here.
  bool available = false;
  /// Why not, else empty.
  std::string reason;
};

/// All known targets, "cpu" first.
std::vector<TargetInfo> targets();

} // namespace tessera
