// Mistakes in parallel and pipelined loops and in synchronisation.
#include "tilelang/driver/test/errors/mistakes.h"

using namespace tessera;
using namespace tessera::tl;

KERNEL_MISTAKE("Parallel loops", "Parallel write without the index") {
  for (auto [i, j] : Parallel(8, 8)) C(b, i) = A(i, j);
}

KERNEL_MISTAKE("Parallel loops", "Two iterations, one element") {
  Buffer s = allocShared({8}, f32, "s");
  for (Var i : Parallel(16)) s(i / 2) = A(b, i);
}

KERNEL_MISTAKE("Parallel loops", "Neighbour read and written") {
  Buffer s = allocShared({9}, f32, "s");
  clear(s);
  for (Var i : Parallel(8)) s(i) = s(i + 1);
}

KERNEL_MISTAKE("Parallel loops", "Sum in a parallel loop") {
  Buffer s = allocShared({1}, f32, "s");
  clear(s);
  for (Var i : Parallel(8)) s(0) += A(b, i);
}

KERNEL_MISTAKE("Parallel loops", "Variable of a parallel loop read after it") {
  Variable v = var(f32, 0, "v");
  for (Var i : Parallel(8)) v += A(b, i);
  C(b, 0) = v;
}

KERNEL_MISTAKE("Parallel loops", "Tile operation in a parallel loop") {
  Buffer s = allocShared({8}, f32, "s");
  for (Var i : Parallel(8)) copy(A(i, range(0, 8)), s);
}

KERNEL_MISTAKE("Parallel loops", "Parallel loop in a parallel loop") {
  for (Var i : Parallel(8)) {
    for (Var j : Parallel(8)) C(i, j) = 0;
  }
}

KERNEL_MISTAKE("Loops and pipelines", "Step of zero") {
  for (Var k : Serial(0, 8, 0)) C(b, k) = 0;
}

KERNEL_MISTAKE("Loops and pipelines", "Range that is empty by mistake") {
  for (Var k : Pipelined(8, 2)) C(b, k) = 0;
}

KERNEL_MISTAKE("Loops and pipelines", "Too many stages") {
  for (Var k : Pipelined(8, {.stages = 100})) C(b, k) = 0;
}

KERNEL_MISTAKE("Loops and pipelines", "Break outside a loop") {
  If(b > 0, [&] { breakLoop(); });
}

KERNEL_MISTAKE("Loops and pipelines", "Schedule for another number of statements") {
  Buffer s = allocShared({8}, f32, "s");
  for (Var k : Pipelined(4, {.stage = {0, 0, 1}})) {
    copy(A(k, range(0, 8)), s);
    copy(s, C(k, range(0, 8)));
  }
}

KERNEL_MISTAKE("Loops and pipelines", "Order that is no permutation") {
  Buffer s = allocShared({8}, f32, "s");
  for (Var k : Pipelined(4, {.order = {1, 1}})) {
    copy(A(k, range(0, 8)), s);
    copy(s, C(k, range(0, 8)));
  }
}

KERNEL_MISTAKE("Loops and pipelines", "Use in an earlier stage than the load") {
  Buffer s = allocShared({8}, f32, "s");
  for (Var k : Pipelined(4, {.stage = {1, 0}})) {
    copy(A(k, range(0, 8)), s);
    copy(s, C(k, range(0, 8)));
  }
}

KERNEL_MISTAKE("Loops and pipelines", "Use of what the iteration before loads too late") {
  Buffer s = allocShared({8}, f32, "s");
  clear(s);
  for (Var k : Pipelined(4, {.stage = {0, 2}})) {
    copy(s, C(k, range(0, 8)));
    copy(A(k, range(0, 8)), s);
  }
}

KERNEL_MISTAKE("Loops and pipelines", "Tile overwritten while it is needed") {
  Buffer s = allocShared({8}, f32, "s");
  for (Var k : Pipelined(4, {.stage = {0, 1, 0, 1}})) {
    copy(A(k, range(0, 8)), s);
    copy(s, C(k, range(0, 8)));
    copy(A(k, range(8, 16)), s);
    copy(s, C(k, range(8, 16)));
  }
}

KERNEL_MISTAKE("Synchronisation", "Flag between pipes that have none") { setFlag(Pipe::v, Pipe::m, 0); }

KERNEL_MISTAKE("Synchronisation", "Flag id out of range") { setFlag(Pipe::mte2, Pipe::v, 8); }

KERNEL_MISTAKE("Synchronisation", "Wait for a flag that is never set") { waitFlag(Pipe::mte2, Pipe::v, 1); }

KERNEL_MISTAKE("Synchronisation", "Flag left over") {
  setFlag(Pipe::v, Pipe::mte2, 0);
  for (Var k : Serial(4)) {
    waitFlag(Pipe::v, Pipe::mte2, 0);
    setFlag(Pipe::v, Pipe::mte2, 0);
  }
}

KERNEL_MISTAKE("Synchronisation", "Flag set in every iteration") {
  for (Var k : Serial(4)) setFlag(Pipe::v, Pipe::mte2, 0);
  waitFlag(Pipe::v, Pipe::mte2, 0);
}

KERNEL_MISTAKE("Synchronisation", "Grid barrier that some blocks miss") {
  If(b == 0, [&] { syncAll(); });
}

KERNEL_MISTAKE("Synchronisation", "Scope in a scope") {
  scope(Core::cube, [&] { scope(Core::vector, [&] { barrierAll(); }); });
}
