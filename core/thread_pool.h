// Parallel loops over blocks, on one pool of threads per process.
#pragma once

#include "core/function_ref.h"

#include <cstdint>

namespace tessera {

constexpr int kMaxThreads = 1024;

/// Runs body(block, worker) once for every block in [0, count) and returns when all have finished.
///
/// - At most `threads` threads take part, the caller being one; 0 means `defaultThreads()`. Fewer do where the pool is
///   busy, so a body must not wait for a block after its own.
/// - Blocks are handed out one by one in ascending order: when block b starts, all blocks before it have started, so a
///   body may wait for them.
/// - `worker` is in [0, threads); no two threads of one launch have the same. It is 0 in the caller.
/// - Launches may be nested and may come from several threads at once. A thread that waits for its launch runs no
///   other launch's blocks.
/// - If a body throws, no further block is started, and when the running ones have ended the exception of the lowest
///   throwing block is rethrown: the same one whatever the number of threads.
/// - A child process made by fork() gets a pool of its own; fork from inside a body is not supported.
void parallelFor(int64_t count, FunctionRef<void(int64_t block, int worker)> body, int threads = 0);

/// TESSERA_NUM_THREADS as it was at first use, else the number of CPUs this process may run on.
int defaultThreads();

/// The same, read afresh. Throws Error if TESSERA_NUM_THREADS is not an integer from 1 to kMaxThreads.
int readDefaultThreads();

} // namespace tessera
