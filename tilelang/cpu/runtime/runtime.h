// What generated code calls while a kernel runs: C functions, resolved by symbol when an object is loaded.
//
// Nothing here unwinds through generated code. The two failure calls leave the running block by a long jump, so a block
// function must own nothing that needs cleaning up; it never sees them return.
#pragma once

#include <cstdint>

namespace tessera::cpu {

/// One call of a kernel: options, print sink and failure. Opaque to generated code.
struct CallContext;

/// A kernel's entry. Slots hold, for each argument in order, a tensor's data pointer, sizes and strides (in elements),
/// or a scalar (integers sign-extended, floating point as the bits of a double).
using EntryFunction = void (*)(const int64_t *slots, CallContext *context);

/// One block of a grid. `arena` holds the launch's `arenaBytes` uninitialised bytes, aligned to kArenaAlignment, that
/// are the block's own until it returns. `linearIndex` is the block's place in the launch's order.
using BlockFunction = void (*)(const int64_t *slots, int64_t bx, int64_t by, int64_t bz, char *arena,
                               CallContext *context, int64_t linearIndex);

/// Flags of a launch: the grid calls tsr_ordered_enter; the panels of the rasterisation run along y instead of x; and,
/// from bit kPanelShift, 32 bits with the width of a panel in blocks (0: none).
constexpr int64_t kOrdered = 1, kPanelColumns = 2, kPanelShift = 8;

constexpr int64_t kArenaAlignment = 64;

} // namespace tessera::cpu

extern "C" {

/// Runs a grid on the pool of threads; one with an extent of zero or below runs nothing. Returns 0, or 1 if a block
/// failed: then, and whenever an earlier launch of this call failed, no further block is started.
int tsr_launch(tessera::cpu::CallContext *context, int64_t gx, int64_t gy, int64_t gz,
               tessera::cpu::BlockFunction block, const int64_t *slots, int64_t arenaBytes, int64_t flags);

/// Waits until every block of lower index has finished. From then on the block is the only one past this point.
void tsr_ordered_enter(tessera::cpu::CallContext *context, int64_t linearIndex);

/// Room for the packed tiles of a tensor argument that the blocks of one launch share: a handle, or 0 where there is
/// none. It lasts until the call ends, or longer for arguments that the call brings packed. `copy` numbers the copies
/// of a program. For other arguments there is one only where enough blocks take each tile: `isShared` is not 0.
int64_t tsr_workspace(tessera::cpu::CallContext *context, int64_t argument, int64_t copy, int64_t tiles,
                      int64_t tileBytes, int64_t isShared);

/// See Workspace::claim and Workspace::done.
int64_t tsr_tile_claim(int64_t workspace, int64_t tile);
void tsr_tile_done(int64_t workspace, int64_t tile);

/// Ends the block: the call fails with this message. `file` may be null or empty where the line is not known.
[[noreturn]] void tsr_assert_failed(tessera::cpu::CallContext *context, const char *message, const char *file,
                                    int64_t line);

/// Ends the block: the call fails because the step of a loop is zero.
[[noreturn]] void tsr_step_zero(tessera::cpu::CallContext *context, const char *file, int64_t line);

/// Ends the block: the call fails because `index` is outside dimension `dim` of a buffer; `buffer` is its name for the
/// message, in quotes.
[[noreturn]] void tsr_out_of_bounds(tessera::cpu::CallContext *context, const char *buffer, const char *file,
                                    int64_t line, int64_t dim, int64_t index, int64_t extent);

/// Prints scalars by a C format; `kinds` and `bits` as for printfText in core/device_print.h. The output of a block
/// appears in one piece, and blocks in ascending order; with one thread, at once.
void tsr_printf(tessera::cpu::CallContext *context, const char *format, const char *kinds, const int64_t *bits);

/// Prints a tile after a label. `dtype` is the value of a tessera::DType.
void tsr_dump(tessera::cpu::CallContext *context, const char *label, int32_t dtype, const void *data, int64_t rank,
              const int64_t *sizes, const int64_t *strides);

} // extern "C"
