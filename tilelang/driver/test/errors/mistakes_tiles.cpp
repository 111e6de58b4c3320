// Mistakes with buffers, windows and operations on whole tiles.
#include "tilelang/driver/test/errors/mistakes.h"

using namespace tessera;
using namespace tessera::tl;

KERNEL_MISTAKE("Buffers and windows", "Slice outside its buffer") {
  Buffer a = allocShared({8}, i32, "a");
  fill(a(range(6, 12)), 7);
}

KERNEL_MISTAKE("Buffers and windows", "Slice larger than its buffer") {
  Buffer a = allocShared({8, 4}, f32, "a");
  clear(a(window(b, 9), all));
}

KERNEL_MISTAKE("Buffers and windows", "Index outside a buffer") {
  Buffer a = allocShared({8}, f32, "a");
  a(8) = 1;
}

KERNEL_MISTAKE("Buffers and windows", "Wrong number of subscripts") {
  Buffer a = allocShared({8, 4}, f32, "a");
  a(3) = 1;
}

KERNEL_MISTAKE("Buffers and windows", "Buffer of run-time size") { Buffer a = allocShared({A.extent(1)}, f32, "a"); }

KERNEL_MISTAKE("Buffers and windows", "Buffer without elements") { Buffer a = allocShared({8, 0}, f32, "a"); }

KERNEL_MISTAKE("Buffers and windows", "Buffer in global memory") {
  Buffer a = alloc(Space::global, {8}, f32, {.name = "a"});
}

KERNEL_MISTAKE("Buffers and windows", "Element type without buffers") { Buffer a = allocShared({8}, hif8, "a"); }

KERNEL_MISTAKE("Buffers and windows", "Pad value that does not fit") {
  Buffer a = allocShared({8}, u8, {.name = "a", .pad = 300});
}

KERNEL_MISTAKE("Buffers and windows", "Address without a memory of its own") {
  Buffer a = alloc(Space::shared, {8}, f32, {.name = "a", .address = 64});
}

KERNEL_MISTAKE("Buffers and windows", "Write to an input") { fill(A(b, all), 0); }

KERNEL_MISTAKE("Buffers and windows", "View of another size") {
  Buffer a = allocShared({8, 4}, f32, "a");
  Buffer v = view(a, {32}, f16);
}

KERNEL_MISTAKE("Buffers and windows", "View of e2m1 as another type") {
  Buffer a = allocShared({8, 4}, e2m1, "a");
  Buffer v = view(a, {16}, u8);
}

KERNEL_MISTAKE("Tile operations", "Copy between different shapes") {
  Buffer s = allocShared({64, 32}, f32, "s"), t = allocShared({32, 64}, f32, "t");
  copy(s, t);
}

KERNEL_MISTAKE("Tile operations", "Copy between different ranks") {
  Buffer s = allocShared({8}, f32, "s");
  copy(A, s);
}

KERNEL_MISTAKE("Tile operations", "Window without extents") {
  Buffer s = allocShared({8, 8}, f32, "s");
  cumsum(s(0, 0), {.dim = 1});
}

KERNEL_MISTAKE("Tile operations", "Copy onto overlapping elements") {
  Buffer s = allocShared({8}, f32, "s");
  copy(s(range(0, 4)), s(range(2, 6)));
}

KERNEL_MISTAKE("Tile operations", "Gemm extents") {
  Buffer a = allocShared({64, 32}, f16, "a"), w = allocShared({64, 64}, f16, "w");
  Buffer acc = allocFragment({64, 64}, f32, "acc");
  gemm(a, w, acc);
}

KERNEL_MISTAKE("Tile operations", "Gemm types") {
  Buffer a = allocShared({64, 32}, f16, "a"), w = allocShared({32, 64}, bf16, "w");
  Buffer acc = allocFragment({64, 64}, f32, "acc");
  gemm(a, w, acc);
}

KERNEL_MISTAKE("Tile operations", "Gemm operand that is no matrix") {
  Buffer a = allocShared({32}, f32, "a"), w = allocShared({32, 64}, f32, "w");
  Buffer acc = allocFragment({1, 64}, f32, "acc");
  gemm(a, w, acc);
}

KERNEL_MISTAKE("Tile operations", "Gemm operand in the wrong memory") {
  Buffer w = allocShared({32, 64}, f32, "w"), acc = allocFragment({64, 64}, f32, "acc");
  gemm(A(range(0, 64), range(0, 32)), w, acc);
}

KERNEL_MISTAKE("Tile operations", "Gemm into its own operand") {
  Buffer a = allocShared({64, 64}, f32, "a"), w = allocShared({64, 64}, f32, "w");
  gemm(a, w, a);
}

KERNEL_MISTAKE("Tile operations", "Reduction of the wrong shape") {
  Buffer s = allocShared({64, 32}, f32, "s"), m = allocFragment({32}, f32, "m");
  reduceMax(s, m, {.dim = 1});
}

KERNEL_MISTAKE("Tile operations", "Reduction along a dimension that is not there") {
  Buffer s = allocShared({64, 32}, f32, "s"), m = allocFragment({64}, f32, "m");
  reduceSum(s, m, {.dim = 2});
}

KERNEL_MISTAKE("Tile operations", "Reduction into another type") {
  Buffer s = allocShared({64, 32}, f32, "s"), m = allocFragment({64}, i32, "m");
  reduceMax(s, m);
}

KERNEL_MISTAKE("Tile operations", "Scan into another type") {
  Buffer s = allocShared({64}, f16, "s"), t = allocShared({64}, f32, "t");
  cumsum(s, t);
}

KERNEL_MISTAKE("Tile operations", "Transpose of the wrong shape") {
  Buffer s = allocShared({8, 16}, f32, "s"), t = allocShared({8, 16}, f32, "t");
  transpose(s, t);
}

KERNEL_MISTAKE("Tile operations", "Atomic update of an unsuitable type") {
  Buffer h = allocShared({8}, e4m3, "h");
  atomicAdd(h(0), 1);
}

KERNEL_MISTAKE("Tile operations", "Atomic update of an on-chip tile") {
  Buffer s = allocShared({8}, f32, "s"), t = allocShared({8}, f32, "t");
  atomicAdd(t, s);
}

KERNEL_MISTAKE("Tile operations", "Dump of e2m1 elements") {
  Buffer s = allocShared({8}, e2m1, "s");
  clear(s);
  dump("s", s);
}

KERNEL_MISTAKE("Reads before writes", "Buffer that nothing writes") {
  Buffer s = allocShared({8}, f32, "s");
  copy(s, C(b, range(0, 8)));
}

KERNEL_MISTAKE("Reads before writes", "Buffer written too late") {
  Buffer s = allocShared({8}, f32, "s");
  for (Var k : Serial(4)) {
    copy(s, C(b, window(8 * k, 8)));
    copy(A(b, window(8 * k, 8)), s);
  }
}

KERNEL_MISTAKE("Reads before writes", "Variable without a value") {
  Variable v = var(f32);
  C(b, 0) = v + 1;
}

KERNEL_MISTAKE("Reads before writes", "Gemm into a buffer that nobody cleared") {
  Buffer a = allocShared({64, 64}, f32, "a"), acc = allocFragment({64, 64}, f32, "acc");
  copy(A(range(0, 64), range(0, 64)), a);
  gemm(a, a, acc);
}
