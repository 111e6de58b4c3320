// Mistakes in the language itself: programs, values, conditions.
#include "tilelang/driver/test/errors/mistakes.h"

using namespace tessera;
using namespace tessera::tl;

MISTAKE("The language", "Zero grid") {
  ProgramBuilder p("k");
  p.kernel({4, 0}, [&](Var bx, Var by) {});
  compile(p.build());
}

MISTAKE("The language", "Grid and block indices that do not match") {
  ProgramBuilder p("k");
  p.kernel({4, 4}, [&](Var b) {});
}

MISTAKE("The language", "Kernel inside a kernel") {
  ProgramBuilder p("k");
  p.kernel({4}, [&](Var b) { p.kernel({2}, [&](Var c) {}); });
}

MISTAKE("The language", "Size that no tensor has") {
  ProgramBuilder p("k");
  Dim N = p.dim("N");
  Buffer A = p.input("A", f32, {2 * N});
  p.build();
}

MISTAKE("The language", "Parameter declared twice") {
  ProgramBuilder p("k");
  p.input("A", f32, {8});
  p.output("A", f32, {8});
}

MISTAKE("The language", "Tile operation outside a kernel") {
  ProgramBuilder p("k");
  Buffer A = p.input("A", f32, {8}), B = p.output("B", f32, {8});
  copy(A, B);
}

KERNEL_MISTAKE("The language", "Value assigned under a condition") {
  Expr v = I(b);
  If(v > 3, [&] { v = Expr(5); });
}

KERNEL_MISTAKE("The language", "Value used outside its loop") {
  Expr last;
  for (Var k : Serial(4)) {
    Expr x = A(b, k);
    last = x;
  }
}

KERNEL_MISTAKE("The language", "Loop left by C++ break") {
  for (Var k : Serial(4)) {
    C(b, k) = 0;
    break;
  }
}

KERNEL_MISTAKE("The language", "Condition that is no bool") {
  If(I(b), [&] { C(b, 0) = 1; });
}

KERNEL_MISTAKE("The language", "Signed and unsigned mixed") {
  Expr u = cast(I(b), u32);
  C(b, 0) = u + Expr(I(b));
}

KERNEL_MISTAKE("The language", "Initial value that does not fit") { Variable v = var(f32, 1e300); }

KERNEL_MISTAKE("The language", "Division by a constant zero") { C(b, 0) = Expr(I(b)) / 0; }

KERNEL_MISTAKE("The language", "Shift by too much") { C(b, 0) = Expr(I(b)) << 32; }

KERNEL_MISTAKE("The language", "Function of a type it does not have") { C(b, 0) = exp(Expr(I(b))); }

KERNEL_MISTAKE("The language", "Format that does not fit its values") { print("%d\n", Expr(A(b, 0))); }
