// The reference interpreter for those who know no MLIR: runs a program on tensors, slowly and exactly as the op
// descriptions of the tile dialect say. Every target is compared with it.
#pragma once

#include "core/argument.h"
#include "tilelang/dsl/program.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace tessera {

struct InterpreterOptions {
  /// Makes tile.load, tile.store and tile.atomic outside their buffer an error instead of 0 or nothing.
  bool trapOutOfBounds = false;
  /// Receives the text of tile.printf and tile.dump, one call for each; empty means standard output.
  std::function<void(std::string_view)> print;
  /// Operations run, plus elements touched by operations on whole tiles, after which the run is given up.
  int64_t maxSteps = 20'000'000'000;
};

/// Runs `program` on the arguments: tensors on the CPU of any strides, and scalars, in the order of its parameters.
/// Throws Error with the kernel's source line for wrong arguments, a failed device_assert or assume, a deadlock or
/// misused flag, a loop step of zero, memory that runs out, and an operation that tile programs do not have.
void interpret(const Program &program, std::span<const Argument> arguments, const InterpreterOptions &options = {});

} // namespace tessera
