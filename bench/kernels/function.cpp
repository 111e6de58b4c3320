// A function of every element of a tile that stays in the first-level cache.
#include "bench/kernels/kernels.h"
#include "tilelang/dsl/tl.h"

namespace tessera::bench {
using namespace tl;

Program functionProgram(const char *name, int64_t n, const std::function<Expr(const Expr &)> &f) {
  ProgramBuilder p(name);
  Buffer x = p.input("x", f32, {n}), y = p.output("y", f32, {n});
  Expr repeats = p.scalar("repeats", i32);
  p.kernel({1}, [&](Var) {
    Buffer from = allocShared({n}, f32, "from"), to = allocShared({n}, f32, "to");
    copy(x, from);
    for ([[maybe_unused]] Var r : Serial(repeats))
      for (Var i : Parallel(n)) to(i) = f(from(i));
    copy(to, y);
  });
  return p.build();
}

} // namespace tessera::bench
