// The loops behind the limits, once per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::bench {

/// Null where the instruction set has no such instruction.
struct LimitLoops {
  /// Run so many rounds of independent multiply-adds in registers and return the operations of all rounds.
  double (*fp32Fma)(int64_t rounds);
  double (*bf16Dot)(int64_t rounds);
  double (*int8Dot)(int64_t rounds);
  /// Bytes are a multiple of 256, memory is aligned to 64.
  void (*read)(const std::byte *src, size_t bytes);
  void (*copy)(std::byte *dst, const std::byte *src, size_t bytes);
  /// With stores that bypass the caches, finished on return.
  void (*streamCopy)(std::byte *dst, const std::byte *src, size_t bytes);
};

/// The loops of the widest instruction set of this CPU.
const LimitLoops &limitLoops();

extern const LimitLoops kBaselineLoops;
#if defined(__x86_64__)
/// Requires avx2 and fma.
extern const LimitLoops kAvx2Loops;
/// Requires avx512f; the dot products are null on CPUs without avx512bf16 and avx512vnni.
LimitLoops avx512Loops();
#endif

} // namespace tessera::bench
