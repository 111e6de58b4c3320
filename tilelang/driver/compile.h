// From a tile program to a kernel.
#pragma once

#include "tilelang/driver/kernel.h"
#include "tilelang/dsl/program.h"

#include <functional>
#include <string>
#include <string_view>

namespace tessera {

struct CompileOptions {
  /// Threads that a call may use; 0 means TESSERA_NUM_THREADS or every CPU of the process.
  int threads = 0;
  /// Makes an element access outside of its buffer fail the call. Otherwise loads give 0 and stores are skipped.
  bool trapOutOfBounds = false;
  /// Runs floating-point atomics in the order of the blocks, so that sums do not depend on the number of threads.
  bool orderedAtomics = true;
  /// Whether to look for the compiled code in memory and on disk, and to keep it there; see cache.h.
  bool useCache = true;
  /// The chip whose figures (chips/) the code is made by: a name of `tl devices` or a .yaml file; empty means that of
  /// the target. Throws Error where it asks for wider vectors than the target has.
  std::string chip;
  /// Where to keep code on disk; empty means the default of cache.h.
  std::string cacheDirectory;
  /// Where the kernel's prints go; standard output unless set. Called by one thread at a time for each call.
  std::function<void(std::string_view)> print;
};

/// Compiles a program for a target of target.h, or finds the code of an equal program compiled before. Run-time sizes
/// are not part of the code: one kernel serves every shape.
///
/// Throws Error for an unknown target or one that is not built, for what the target cannot compile (with source lines),
/// and for an unsafe cache directory. For an instruction set that this machine lacks the kernel can be emitted but not
/// called.
Kernel compile(const Program &program, std::string_view target = "cpu", const CompileOptions &options = {});

} // namespace tessera
