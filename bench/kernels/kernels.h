// Tile programs that are measured but are no examples.
#pragma once

#include "tilelang/dsl/expr.h"
#include "tilelang/dsl/program.h"

#include <functional>

namespace tessera::bench {

/// y = x . w^T for x: m x K of bf16 and w: N x K, into y: m x N of bf16. Parameters x, w, y; m is fixed, and small.
/// Weights of e4m3 come with one f32 scale for each 128 x 128 of them, weights of e2m1 with one of e8m0 for each 1 x
/// 32: x, w, scales, y.
Program gemvProgram(DType weights, int64_t m);

/// dst = src for matrices, converted; large values saturate in 8-bit floats.
Program castProgram(DType from, DType to);

/// y = f(x) for `n` numbers of f32, computed `repeats` times: parameters x, y, repeats.
Program functionProgram(const char *name, int64_t n, const std::function<tl::Expr(const tl::Expr &)> &f);

/// Writes 1 to each element of its only argument, each in a block of its own: nothing but a launch.
Program emptyProgram();

/// y = x * factor, f32: something small to compile. Each factor is another program.
Program scaleProgram(double factor);

} // namespace tessera::bench
