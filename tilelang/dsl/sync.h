// Expert synchronisation inside and between the cores of a block. Targets without pipes check and otherwise ignore it.
#pragma once

#include "core/function_ref.h"
#include "tilelang/dsl/expr.h"

namespace tessera::tl {

/// An instruction queue of an Ascend core.
enum class Pipe : uint8_t { s, v, m, mte1, mte2, mte3, fix };
/// One kind of core.
enum class Core : uint8_t { cube, vector };

/// Statements of one kind of core only.
void scope(Core core, FunctionRef<void()> body, const At &at = At::current());

/// Raises flag `id` (0 to 7 for each pair of pipes) when `src` has finished what was issued before.
void setFlag(Pipe src, Pipe dst, const Operand &id);
/// Holds `dst` until the flag is raised, and lowers it.
void waitFlag(Pipe src, Pipe dst, const Operand &id);
/// Orders the instructions of one pipe; drains all pipes of the core; waits for all cores of the grid.
void pipeBarrier(Pipe pipe, const At &at = At::current());
void barrierAll(const At &at = At::current());
void syncAll(const At &at = At::current());

/// Signals another core. Mode 0: all cube or all vector cores; 1: the vector cores of a block; 2: a cube core and its
/// vector cores; 4: a cube core and one vector core. `id` is 0 to 15 (31 in mode 4).
void setCrossFlag(Pipe pipe, const Operand &id, int64_t mode = 2);
void waitCrossFlag(const Operand &id);
void waitCrossFlag(const Operand &id, Pipe pipe);

} // namespace tessera::tl
