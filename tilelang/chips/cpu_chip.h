// A CPU as the compiler and the tuner see it: what they decide by depends on these figures and on nothing else.
#pragma once

#include "core/hash.h"
#include "tilelang/chips/chip_file.h"

#include <memory>

namespace tessera::chips {

/// Instructions of full vectors that multiply and accumulate.
struct ProductRate {
  double perCycle = 0; ///< begun by one core; 0 if the CPU lacks them
  double latency = 0;  ///< cycles
};

/// The default is the least that any CPU has.
struct CpuChip {
  std::string name = "none", summary, path;
  /// Instruction sets and CPUs (by LLVM's names) that it describes.
  std::vector<std::string> levels, cpus;

  int64_t vectorBytes = 16, vectorRegisters = 16;
  double loadsPerCycle = 1; ///< vectors or broadcast elements

  ProductRate fma;                    ///< fused, f32 and f64
  ProductRate mulAdd = {0.5, 8};      ///< a product and a sum, f32 and f64
  ProductRate intMulAdd = {0.125, 8}; ///< the same for i32
  ProductRate bf16Pairs;              ///< two products of bf16, summed in f32
  ProductRate wordPairs;              ///< two products of i16 and a sum of i32
  ProductRate byteQuads;              ///< four products of bytes, summed in i32

  /// As one core sees them.
  int64_t l1Bytes = int64_t{32} << 10, l2Bytes = int64_t{256} << 10, l3Bytes = int64_t{4} << 20;
  /// Bytes that one core reads per cycle.
  double l1Rate = 16, l2Rate = 8, l3Rate = 4, memoryRate = 2;

  int64_t arenaBytes = int64_t{64} << 20; ///< most that one block's shared and fragment buffers may take together
  int64_t stackBytes = 256;               ///< largest private array on the stack, where registers can hold it
  int64_t leastSharing = 2;               ///< blocks that need the same packed tile, from which on they share it
  double blockCycles = 0;                 ///< to begin and end one block of a grid

  /// All figures as the file has them, for those who want to know why; and a hash of what decisions depend on.
  std::shared_ptr<const std::map<std::string, Figure>> figures;
  Hash128 content;
};

/// Throws Error, naming file and line, for a file that is no description of a CPU.
CpuChip readCpuChip(const std::string &path);

/// Cache sizes in bytes by level, 0 where unknown: the caches of the first CPU of this machine, as one core sees them.
struct CacheSizes {
  int64_t l1 = 0, l2 = 0, l3 = 0;
};
CacheSizes hostCaches();

/// Puts sizes that are known in the place of the file's.
void setCaches(CpuChip &chip, const CacheSizes &sizes);

} // namespace tessera::chips
