// The micro-kernels of tile.gemm: a table with contracts, and the choice for given types, machine and extents.
//
// A micro-kernel computes a register tile of `rows` x `vectors * lanes` results over all k. Each step of its loop takes
// `kStep` adjacent k from each operand, so these lie together in the packed forms (see OperandLayout.h): A broadcasts
// one such unit for each row, B is loaded as vectors of units. Every result is summed in ascending k along one chain,
// whatever register tile it falls into, so it does not depend on other rows or on where tiles begin.
#pragma once

#include "tilelang/cpu/CpuIsa.h"

#include "mlir/IR/BuiltinTypes.h"

#include <string_view>

namespace tessera::cpu {

/// How one step multiplies and adds.
enum class DotKind {
  fma,       ///< one fused operation, kStep 1
  mulAdd,    ///< a product, then a sum, kStep 1
  bf16Pairs, ///< two products of bf16 summed in f32; subnormal operands and results count as zero
  wordPairs, ///< two products of 16-bit integers summed in 32 bits: exact for operands of 8 bits
  byteQuads, ///< four products of an unsigned and a signed byte, summed in 32 bits
};

struct MicroKernel {
  DotKind kind;
  mlir::Type compute;     ///< type of the packed elements; conversion to it is exact
  mlir::Type accumulator; ///< f32, f64 or i32
  int64_t kStep;
  int64_t lanes = 0;       ///< accumulators in one vector
  int64_t registers = 0;   ///< vector registers of the machine
  chips::ProductRate rate; ///< of its dots
  double loadsPerCycle = 1;
  /// The instruction wants one operand of either sign: bytes of A are packed with their top bit flipped, and the
  /// product of the flip with B is taken off again.
  bool biasedA = false;
  bool unsignedB = false; ///< byteQuads: B is the unsigned operand
};

/// The fastest kernel, by the figures of the chip, for a gemm of elements `a` by `b` into `c`; every combination that
/// tile.gemm accepts has one.
MicroKernel chooseMicroKernel(const CpuIsa &isa, mlir::Type a, mlir::Type b, mlir::Type c);

struct RegisterTile {
  int64_t rows, vectors;
  double stepCycles; ///< estimated for one step of k over the whole product
};

/// The register tile with the least estimated time for an m x n product; extents known only at run time are negative.
/// `vectors * lanes` divides the panel width of B or is a multiple of it.
RegisterTile chooseRegisterTile(const MicroKernel &kernel, int64_t m, int64_t n);

} // namespace tessera::cpu
