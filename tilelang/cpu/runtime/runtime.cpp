// The C interface over Launch and Frame. No exception leaves these functions.
#include "tilelang/cpu/runtime/runtime.h"

#include "core/device_print.h"
#include "core/error.h"
#include "tilelang/cpu/runtime/launch.h"

#include <fmt/format.h>

using namespace tessera;
using namespace tessera::cpu;

namespace {

SourceLine lineOf(const char *file, int64_t line) {
  if (!file || !*file) return {};
  return {file, static_cast<int>(line)};
}

/// Leaves the running block. Nothing that lives here may need cleaning up.
[[noreturn]] void leave(Frame &frame) { longjmp(frame.exit, 1); }

/// A sink that throws makes the call fail; the block goes on.
void print(CallContext *context, const std::string &text) {
  Frame &frame = Frame::current();
  try {
    if (frame.launch)
      frame.launch->print(frame.index, text);
    else
      printNow(*context, text);
  } catch (...) {
    // Only a launch on one thread prints at once, so no other block writes this.
    if (!context->failure) context->failure = std::current_exception();
  }
}

int64_t countBlocks(int64_t gx, int64_t gy, int64_t gz) {
  constexpr int64_t kMostBlocks = int64_t(1) << 48;
  int64_t blocks;
  if (__builtin_mul_overflow(gx, gy, &blocks) || __builtin_mul_overflow(blocks, gz, &blocks) || blocks > kMostBlocks)
    throw Error(Diagnostic{
        fmt::format("a grid of {} x {} x {} blocks is too large", gx, gy, gz), {}, "a grid has at most 2^48 blocks"});
  return blocks;
}

} // namespace

int tsr_launch(CallContext *context, int64_t gx, int64_t gy, int64_t gz, BlockFunction block, const int64_t *slots,
               int64_t arenaBytes, int64_t flags) {
  if (context->failure) return 1;
  if (gx <= 0 || gy <= 0 || gz <= 0) return 0;
  try {
    bool ordered = flags & kOrdered;
    // Panels only save memory traffic. Where the order decides about results it is the plain one.
    int64_t panel = ordered ? 0 : flags >> kPanelShift & 0xffffffff;
    BlockOrder order(gx, gy, panel, flags & kPanelColumns);
    Launch(*context, order, countBlocks(gx, gy, gz), block, slots, arenaBytes, ordered).run();
  } catch (...) {
    context->failure = std::current_exception();
  }
  return context->failure ? 1 : 0;
}

void tsr_ordered_enter(CallContext *, int64_t linearIndex) { Frame::current().launch->enterOrdered(linearIndex); }

int64_t tsr_workspace(CallContext *context, int64_t argument, int64_t copy, int64_t tiles, int64_t tileBytes,
                      int64_t isShared) {
  try {
    for (const PackedArgument &packed : context->packed)
      if (packed.argument == argument)
        return reinterpret_cast<int64_t>(packed.tiles->workspace(copy, tiles, tileBytes));
    if (isShared == 0) return 0;
    std::unique_ptr<Workspace> made = Workspace::make(tiles, tileBytes);
    if (!made) return 0;
    context->workspaces.push_back(std::move(made));
    return reinterpret_cast<int64_t>(context->workspaces.back().get());
  } catch (...) {
    return 0; // without one each block packs for itself
  }
}

int64_t tsr_tile_claim(int64_t workspace, int64_t tile) {
  return reinterpret_cast<Workspace *>(workspace)->claim(tile);
}
void tsr_tile_done(int64_t workspace, int64_t tile) { reinterpret_cast<Workspace *>(workspace)->done(tile); }

void tsr_assert_failed(CallContext *, const char *message, const char *file, int64_t line) {
  Frame &frame = Frame::current();
  frame.failure = Diagnostic{fmt::format("assertion failed: {}", message), lineOf(file, line), {}};
  leave(frame);
}

void tsr_step_zero(CallContext *, const char *file, int64_t line) {
  Frame &frame = Frame::current();
  frame.failure = Diagnostic{"loop step is 0", lineOf(file, line), "give a step above or below 0"};
  leave(frame);
}

void tsr_out_of_bounds(CallContext *, const char *buffer, const char *file, int64_t line, int64_t dim, int64_t index,
                       int64_t extent) {
  Frame &frame = Frame::current();
  frame.failure =
      Diagnostic{fmt::format("index {} of dimension {} of {} is outside extent {}", index, dim, buffer, extent),
                 lineOf(file, line), "guard the access with a condition, or clamp the index"};
  leave(frame);
}

void tsr_printf(CallContext *context, const char *format, const char *kinds, const int64_t *bits) {
  print(context, printfText(format, kinds, bits));
}

void tsr_dump(CallContext *context, const char *label, int32_t dtype, const void *data, int64_t rank,
              const int64_t *sizes, const int64_t *strides) {
  auto view = Tensor::view(data, static_cast<DType>(dtype), {sizes, sizes + rank}, {strides, strides + rank});
  print(context, dumpText(label, view));
}
