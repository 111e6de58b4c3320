// Random tile programs: whatever a seed gives, every target must compute the same bits as the reference interpreter.
#pragma once

#include "core/argument.h"
#include "tilelang/dsl/program.h"

#include <cstdint>
#include <vector>

namespace tessera::test {

struct RandomProgram {
  Program program;
  std::vector<Argument> arguments; ///< inputs with random contents, outputs filled with a pattern
};

/// A valid program over a few small tensors: copies with overhanging edges, fills, element-wise loops with conditions,
/// gemms on small integers, reductions, scans, transposes, serial and pipelined loops, breaks, variables, integer
/// atomics. Only operations whose result is defined to the last bit are used. The same seed gives the same program.
RandomProgram makeRandomProgram(uint64_t seed);

} // namespace tessera::test
