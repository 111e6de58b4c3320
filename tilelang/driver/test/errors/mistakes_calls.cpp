// Mistakes in compiling, calling and running kernels, and in programs given as text.
#include "tilelang/driver/test/errors/mistakes.h"

using namespace tessera;
using namespace tessera::tl;

SHOWN("Compiling", "The program that is compiled here:", Program wideTile(int64_t extent)) {
  ProgramBuilder p("wide");
  Buffer A = p.input("A", f32, {4096}), C = p.output("C", f32, {4096});
  p.kernel({4}, [&](Var b) {
    Buffer s = allocShared({extent, 4096}, f32, "s");
    copy(A, s(b, all));
    copy(s(b, all), C);
  });
  return p.build();
}

MISTAKE("Compiling", "Unknown target") { compile(wideTile(4), "gpu"); }

MISTAKE("Compiling", "Target that is not built") { compile(wideTile(4), "ascend950dt"); }

MISTAKE("Compiling", "Too many threads") { compile(wideTile(4), "cpu", {.threads = 1 << 20}); }

MISTAKE("Compiling", "Buffers that do not fit") { compile(wideTile(8192)); }

SHOWN("Calls", "The kernel that is called here:", Kernel scaleKernel()) {
  ProgramBuilder p("scale");
  Dim M = p.dim("M"), N = p.dim("N");
  Buffer a = p.input("a", f32, {M, N}), s = p.input("s", f32, {ceildiv(N, 128)});
  Expr n = p.scalar("n", i8);
  Buffer out = p.output("out", f32, {M, N});
  p.kernel({M}, [&](Var i) {
    for (Var j : Parallel(N)) out(i, j) = a(i, j) * Expr(s(j / 128)) + n;
  });
  return compile(p.build(), "interpreter");
}

MISTAKE("Calls", "Missing argument") {
  Tensor a = Tensor::zeros(f32, {3, 5}), s = Tensor::zeros(f32, {1});
  scaleKernel()(a, s, 1);
}

MISTAKE("Calls", "Number for a tensor") {
  Tensor s = Tensor::zeros(f32, {1}), out = Tensor::zeros(f32, {3, 5});
  scaleKernel()(7, s, 1, out);
}

MISTAKE("Calls", "Wrong element type") {
  Tensor a = Tensor::zeros(f16, {3, 5}), s = Tensor::zeros(f32, {1}), out = Tensor::zeros(f32, {3, 5});
  scaleKernel()(a, s, 1, out);
}

MISTAKE("Calls", "Wrong rank") {
  Tensor a = Tensor::zeros(f32, {1, 3, 5}), s = Tensor::zeros(f32, {1}), out = Tensor::zeros(f32, {3, 5});
  scaleKernel()(a, s, 1, out);
}

MISTAKE("Calls", "Extents that do not agree") {
  Tensor a = Tensor::zeros(f32, {3, 5}), s = Tensor::zeros(f32, {1}), out = Tensor::zeros(f32, {3, 6});
  scaleKernel()(a, s, 1, out);
}

MISTAKE("Calls", "Extent that follows from another") {
  Tensor a = Tensor::zeros(f32, {3, 300}), s = Tensor::zeros(f32, {2}), out = Tensor::zeros(f32, {3, 300});
  scaleKernel()(a, s, 1, out);
}

MISTAKE("Calls", "Tensor that is not contiguous") {
  Tensor wide = Tensor::zeros(f32, {3, 8}), s = Tensor::zeros(f32, {1}), out = Tensor::zeros(f32, {3, 5});
  scaleKernel()(wide.slice(1, 0, 5), s, 1, out);
}

MISTAKE("Calls", "Tensor on another device") {
  Tensor s = Tensor::zeros(f32, {1}), out = Tensor::zeros(f32, {3, 5});
  Tensor a = Tensor::view(out.mutableData(), f32, {3, 5}, {}, {DeviceKind::cuda, 1});
  scaleKernel()(a, s, 1, out);
}

MISTAKE("Calls", "Read-only output") {
  Tensor a = Tensor::zeros(f32, {3, 5}), s = Tensor::zeros(f32, {1}), out = Tensor::zeros(f32, {3, 5});
  scaleKernel()(a, s, 1, out.asReadOnly());
}

MISTAKE("Calls", "Output that overlaps an input") {
  Tensor memory = Tensor::zeros(f32, {4, 5}), s = Tensor::zeros(f32, {1});
  scaleKernel()(memory.slice(0, 0, 3), s, 1, memory.slice(0, 1, 4));
}

MISTAKE("Calls", "Number that does not fit") {
  Tensor a = Tensor::zeros(f32, {3, 5}), s = Tensor::zeros(f32, {1}), out = Tensor::zeros(f32, {3, 5});
  scaleKernel()(a, s, 300, out);
}

MISTAKE("Running", "Failed assertion") {
  ProgramBuilder p("check");
  Buffer A = p.input("A", i32, {4});
  p.kernel({4}, [&](Var b) { deviceAssert(Expr(A(b)) >= 0, "index out of range"); });
  Tensor a = Tensor::zeros(i32, {4});
  a.fill(-1);
  compile(p.build())(a);
}

MISTAKE("Running", "Access outside a tensor, with the trap on") {
  ProgramBuilder p("shift");
  Dim N = p.dim("N");
  Buffer A = p.input("A", f32, {N}), C = p.output("C", f32, {N});
  p.kernel({N}, [&](Var i) { C(i) = A(i + 1); });
  Tensor a = Tensor::zeros(f32, {4}), c = Tensor::zeros(f32, {4});
  compile(p.build(), "cpu", {.trapOutOfBounds = true})(a, c);
}

MISTAKE("Running", "Step that turns out to be zero") {
  ProgramBuilder p("stride");
  Expr step = p.scalar("step", i64);
  Buffer C = p.output("C", f32, {8});
  p.kernel({1}, [&](Var b) {
    for (Var k : Serial(0, 8, step)) C(k) = 1;
  });
  Tensor c = Tensor::zeros(f32, {8});
  compile(p.build())(0, c);
}

MISTAKE("Text", "Text that cannot be parsed") {
  Program::parse("func.func @k() {\n  tile.kernel (%b) in (%n) {}\n  return\n}\n", "kernel.mlir");
}

MISTAKE("Text", "Text without a function") { Program::parse("module {}\n", "kernel.mlir"); }

MISTAKE("Text", "Several functions") {
  Program::parse("func.func @a() { return }\nfunc.func @b() { return }\n", "kernel.mlir");
}

MISTAKE("Text", "Operation that no tile program holds") {
  compile(Program::parse("func.func @k() {\n"
                         "  %one = arith.constant 1 : index\n"
                         "  tile.kernel (%b) in (%one) {\n"
                         "    %a = memref.alloc() : memref<8xf32>\n"
                         "  }\n"
                         "  return\n"
                         "}\n",
                         "kernel.mlir"));
}
