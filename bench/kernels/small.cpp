// Programs whose work is nothing: what is measured is their compilation or their launch.
#include "bench/kernels/kernels.h"
#include "tilelang/dsl/tl.h"

namespace tessera::bench {
using namespace tl;

Program emptyProgram() {
  ProgramBuilder p("empty");
  Dim n = p.dim("n");
  Buffer out = p.output("out", f32, {n});
  p.kernel({n}, [&](Var bx) { out(bx) = 1; });
  return p.build();
}

Program scaleProgram(double factor) {
  constexpr int64_t kBlock = 1024;
  ProgramBuilder p("scale");
  Dim n = p.dim("n");
  Buffer x = p.input("x", f32, {n}), y = p.output("y", f32, {n});
  p.kernel({ceildiv(n, kBlock)}, [&](Var bx) {
    for (Var i : Parallel(kBlock)) y(bx * kBlock + i) = x(bx * kBlock + i) * factor;
  });
  return p.build();
}

} // namespace tessera::bench
