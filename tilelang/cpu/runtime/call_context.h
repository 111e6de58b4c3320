// One call of a compiled kernel, seen from the driver.
#pragma once

#include "tilelang/cpu/runtime/packed_tiles.h"
#include "tilelang/cpu/runtime/runtime.h"
#include "tilelang/cpu/runtime/workspace.h"

#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace tessera::cpu {

/// The packed tiles of a tensor argument, by its place among the parameters.
struct PackedArgument {
  int64_t argument;
  PackedTiles *tiles;
};

struct CallContext {
  /// Threads that a launch may use; 0 means the default.
  int threads = 0;
  /// Where printf and dump go; standard output unless set. Called by one thread at a time.
  std::function<void(std::string_view)> print;
  /// Arguments whose packed tiles outlive the call.
  std::vector<PackedArgument> packed;
  /// What blocks of this call's launches share.
  std::vector<std::unique_ptr<Workspace>> workspaces;
  /// Set by the first launch that fails.
  std::exception_ptr failure;
};

/// Runs a kernel's entry; throws Error if an assertion or a bounds check of the kernel failed.
void runEntry(EntryFunction entry, const int64_t *slots, CallContext &context);

/// A function that generated code may call.
struct RuntimeSymbol {
  const char *name;
  const void *address;
};

/// Everything that objects are linked with apart from the C and vector math libraries.
std::span<const RuntimeSymbol> runtimeSymbols();

} // namespace tessera::cpu
