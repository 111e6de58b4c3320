// How long a program may take, by the figures of the chip alone: good enough to tell which variants to try first.
#pragma once

#include "core/argument.h"
#include "tilelang/cpu/CpuIsa.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <span>

namespace tessera::cpu {

/// Cycles of one call with these arguments. Products take the time of their register tiles; loops over elements that of
/// their vectors; data that of the cache which holds a block's buffers, and of the one that holds the tensor. Blocks
/// are shared among the threads. Scalars are computed where they follow from the arguments; block and loop indices
/// count as the middle of their range.
double estimateCycles(mlir::func::FuncOp function, std::span<const Argument> arguments, const CpuIsa &isa, int threads);

} // namespace tessera::cpu
