// What code generation needs to know of a CPU.
#pragma once

#include <cstdint>
#include <string>

namespace tessera::cpu {

struct CpuIsa {
  std::string name, cpu, features, triple;
  bool hasAvx512 = false, hasBf16Dot = false, hasVnni = false, hasFma = false, hasF16c = false;
  int64_t vectorBytes = 16;
};

} // namespace tessera::cpu
