// Conversion of a matrix from one element type to another, in strips of rows.
#include "bench/kernels/kernels.h"
#include "tilelang/dsl/tl.h"

namespace tessera::bench {
using namespace tl;

Program castProgram(DType from, DType to) {
  constexpr int64_t kRows = 16, kCols = 8192; // long rows, as memory is fetched ahead within them
  ProgramBuilder p("cast_" + std::string(name(from)) + "_" + std::string(name(to)));
  Dim m = p.dim("m"), n = p.dim("n");
  Buffer src = p.input("src", from, {m, n}), dst = p.output("dst", to, {m, n});
  p.kernel({ceildiv(n, kCols), ceildiv(m, kRows)}, [&](Var bx, Var by) {
    for (auto [i, j] : Parallel(min(m - by * kRows, kRows), min(n - bx * kCols, kCols))) {
      Expr row = by * kRows + i, col = bx * kCols + j;
      dst(row, col) = src(row, col);
    }
  });
  return p.build();
}

} // namespace tessera::bench
