// Compiling a tile program for one instruction set and running it, below the driver: no checks of the arguments.
#pragma once

#include "core/argument.h"
#include "tilelang/cpu/Jit.h"
#include "tilelang/dsl/program.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tessera::cpu {

class CompiledProgram {
public:
  CompiledProgram(const Program &program, const CpuIsa &isa, bool trapOutOfBounds = false);

  /// With tensors of the shapes that the program declares, and scalars, in the order of its parameters.
  void run(std::span<const Argument> arguments) const;

  /// Names that the object leaves to be resolved.
  const std::vector<std::string> &undefinedSymbols() const { return undefined; }

private:
  std::vector<std::string> undefined;
  std::unique_ptr<LoadedObject> object;
};

/// The levels that this machine runs, best first.
std::vector<const CpuIsa *> levelsThatRunHere();

/// The level as part of the name of a test.
std::string levelTestName(const CpuIsa &isa);

} // namespace tessera::cpu
