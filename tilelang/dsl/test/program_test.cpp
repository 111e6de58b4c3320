// Whole programs written in the language: what they become, and that they survive printing and parsing.
#include "core/test/expect_error.h"
#include "tilelang/dsl/tl.h"

#include <gtest/gtest.h>

namespace tessera::tl {
namespace {

using testing::HasSubstr;

Program matmul(DType in, int64_t bm, int64_t bn, int64_t bk) {
  ProgramBuilder p("matmul");
  Dim M = p.dim("M"), N = p.dim("N"), K = p.dim("K");
  Buffer A = p.input("A", in, {M, K}), B = p.input("B", in, {K, N}), C = p.output("C", f32, {M, N});
  p.kernel({ceildiv(N, bn), ceildiv(M, bm)}, [&](Var bx, Var by) {
    Buffer As = allocShared({bm, bk}, in), Bs = allocShared({bk, bn}, in), acc = allocFragment({bm, bn}, f32, "acc");
    clear(acc);
    for (Var ko : Pipelined(ceildiv(K, bk), {.stages = 3})) {
      copy(A(by * bm, ko * bk), As);
      copy(B(ko * bk, bx * bn), Bs);
      gemm(As, Bs, acc);
    }
    for (auto [i, j] : Parallel(bm, bn)) acc(i, j) = max(acc(i, j), 0) * 0.5;
    copy(acc, C(by * bm, bx * bn));
  });
  return p.build();
}

TEST(Program, Matmul) {
  Program program = matmul(bf16, 64, 128, 32);
  EXPECT_EQ(program.name(), "matmul");
  std::string text = program.text();
  for (const char *part : {
           "tile.symbols = [\"M\", \"N\", \"K\"]",
           "tile.access = \"read\", tile.name = \"B\", tile.shape = affine_map<()[s0, s1, s2] -> (s2, s1)>",
           "tile.alloc \"acc\" : memref<64x128xf32, #fragment>",
           "tile.for pipelined",
           "stages = 3",
           "[64, 32] : memref<?x?xbf16, #global> -> <64x32xbf16, #global>",
           "tile.gemm",
           "arith.maximumf",
       })
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_EQ(Program::parse(text).text(), text);
}

TEST(Program, OneAtATime) {
  ProgramBuilder first("first");
  EXPECT_ERROR(ProgramBuilder("second"), "program 'second' is started while 'first' is not finished");
}

} // namespace
} // namespace tessera::tl
