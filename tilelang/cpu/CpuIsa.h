// The instruction sets that the CPU target generates code for, and what the host has of them.
#pragma once

#include "tilelang/chips/cpu_chip.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tessera::cpu {

/// One level, as code generation sees it.
struct CpuIsa {
  /// "avx512bf16", "avx512", "avx2", "x86-64" or "neon".
  std::string name;
  /// What LLVM calls the machine.
  std::string triple, cpu, features;
  bool hasAvx512 = false;  // F, BW, DQ, VL
  bool hasBf16Dot = false; // products of bf16 pairs summed in f32
  bool hasVnni = false;    // products of byte quads summed in i32
  bool hasFma = false;
  bool hasF16c = false;     // f16 <-> f32
  int64_t vectorBytes = 16; // of the widest registers
  /// The figures that code generation decides by.
  chips::CpuChip chip;
  /// Whether this machine can run the code.
  bool runsHere = false;
};

/// The names that `cpuIsa` takes: "native" first, then the levels, best first.
std::span<const std::string_view> isaNames();

/// The level of that name; "native" is the best level of this machine, with everything else its CPU has. Throws Error
/// with the known names for another one. The result lives as long as the process.
///
/// A level has the figures that the files of chips/ give for it, so that it generates the same code everywhere.
/// "native" has those of its CPU, with the cache sizes of the machine; or just those of the chip that TESSERA_CHIP
/// names.
const CpuIsa &cpuIsa(std::string_view name = "native");

/// The same instructions with the figures of another chip (chips::cpuChipNamed). Throws Error if these ask for wider
/// vectors.
CpuIsa withChip(const CpuIsa &isa, const chips::CpuChip &chip);

/// Throws Error, naming both levels, unless this machine can run the code.
void requireRunsHere(const CpuIsa &isa);

} // namespace tessera::cpu
