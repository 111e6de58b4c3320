// One launch of a grid while it runs.
#pragma once

#include "tilelang/cpu/runtime/block_order.h"
#include "tilelang/cpu/runtime/call_context.h"

#include "core/error.h"

#include <map>
#include <mutex>
#include <optional>
#include <setjmp.h>
#include <string>

namespace tessera::cpu {

class Launch;

/// What a thread runs now: a block, or an entry outside of its launches. A failure call stores its diagnostic here and
/// jumps to `exit`.
struct Frame {
  Launch *launch = nullptr;
  int64_t index = 0;
  std::optional<Diagnostic> failure;
  jmp_buf exit;
  Frame *outer;

  Frame();
  ~Frame();
  Frame(const Frame &) = delete;
  Frame &operator=(const Frame &) = delete;

  /// The frame of this thread; a failure or a print comes from inside one.
  static Frame &current();
};

class Launch {
public:
  Launch(CallContext &context, BlockOrder order, int64_t blocks, BlockFunction block, const int64_t *slots,
         int64_t arenaBytes, bool ordered);

  /// Runs all blocks; throws the failure of the lowest block that failed.
  void run();

  /// See tsr_ordered_enter.
  void enterOrdered(int64_t index) { sequence.waitFor(index); }

  /// Keeps the text of a block until all blocks before it have printed; with one thread prints it.
  void print(int64_t index, const std::string &text);

private:
  CallContext &context;
  const BlockOrder order;
  const int64_t blocks;
  const BlockFunction block;
  const int64_t *const slots;
  const int64_t arenaBytes;
  const bool ordered;
  const int threads;
  BlockSequence sequence;
  std::mutex printMutex;
  std::map<int64_t, std::string> printed; // by block

  int64_t blocksPerClaim() const;
  void runBlocks(int64_t first, int64_t end);
  void callBlocks(Frame &frame, int64_t end, char *arena);
  void flush();
};

/// Hands text to the call's sink.
void printNow(CallContext &context, const std::string &text);

} // namespace tessera::cpu
