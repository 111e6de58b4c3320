// Grids over the pool of threads: claiming blocks, failures, and output in the order of the blocks.
//
// A failing block leaves generated code by longjmp to callBlocks, which has nothing to clean up below it; from there
// on the failure is an ordinary exception that the pool hands to the caller of the launch.
#include "tilelang/cpu/runtime/launch.h"

#include "core/thread_pool.h"
#include "tilelang/cpu/runtime/arena.h"

#include <algorithm>
#include <cassert>
#include <cstdio>

namespace tessera::cpu {
namespace {

thread_local Frame *currentFrame = nullptr;

/// Small blocks are claimed several at a time. With this many claims for each thread, waiting for the last one costs
/// less than two percent.
constexpr int64_t kClaimsPerThread = 64, kMostBlocksPerClaim = 16;

} // namespace

Frame::Frame() : outer(currentFrame) { currentFrame = this; }
Frame::~Frame() { currentFrame = outer; }

Frame &Frame::current() {
  assert(currentFrame && "runtime call from outside a kernel");
  return *currentFrame;
}

void printNow(CallContext &context, const std::string &text) {
  if (context.print)
    context.print(text);
  else
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void runEntry(EntryFunction entry, const int64_t *slots, CallContext &context) {
  Frame frame;
  if (_setjmp(frame.exit) == 0) entry(slots, &context);
  if (frame.failure) throw Error(*std::move(frame.failure));
  if (context.failure) std::rethrow_exception(context.failure);
}

Launch::Launch(CallContext &context, BlockOrder order, int64_t blocks, BlockFunction block, const int64_t *slots,
               int64_t arenaBytes, bool ordered)
    : context(context), order(order), blocks(blocks), block(block), slots(slots), arenaBytes(arenaBytes),
      ordered(ordered), threads(context.threads > 0 ? context.threads : defaultThreads()) {}

void Launch::run() {
  int64_t perClaim = blocksPerClaim(), claims = (blocks + perClaim - 1) / perClaim;
  try {
    parallelFor(
        claims, [&](int64_t n, int) { runBlocks(n * perClaim, std::min(blocks, (n + 1) * perClaim)); }, threads);
  } catch (...) {
    flush();
    throw;
  }
  flush();
}

int64_t Launch::blocksPerClaim() const {
  // A block that waits for the ones before it would wait for its own claim's neighbours on other threads as well.
  if (ordered) return 1;
  return std::clamp<int64_t>(blocks / (threads * kClaimsPerThread), 1, kMostBlocksPerClaim);
}

void Launch::runBlocks(int64_t first, int64_t end) {
  ArenaLease arena(static_cast<size_t>(arenaBytes));
  Frame frame;
  frame.launch = this;
  frame.index = first;
  callBlocks(frame, end, arena.data());
#if defined(__x86_64__)
  __builtin_ia32_sfence(); // stores past the caches have arrived before the end of the launch is told
#endif
  if (!frame.failure) return;
  // Later blocks that have started already may be waiting for this one.
  if (ordered) sequence.finish(frame.index);
  throw Error(*std::move(frame.failure));
}

/// Returns early if a block fails. Kept out of line: what setjmp sees must not share a frame with anything else.
[[gnu::noinline]] void Launch::callBlocks(Frame &frame, int64_t end, char *arena) {
  if (_setjmp(frame.exit) != 0) return;
  for (; frame.index < end; ++frame.index) {
    BlockOrder::Block at = order.at(frame.index);
    block(slots, at.x, at.y, at.z, arena, &context, frame.index);
    if (ordered) sequence.finish(frame.index);
  }
}

void Launch::print(int64_t index, const std::string &text) {
  if (threads == 1 || blocks == 1) return printNow(context, text);
  std::lock_guard lock(printMutex);
  printed[index] += text;
}

void Launch::flush() {
  for (const auto &[index, text] : printed) printNow(context, text);
}

} // namespace tessera::cpu
