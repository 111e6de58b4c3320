// Kernels that keep packed tiles of a tensor compute the same, and pack it once.
#include "core/test/expect_error.h"
#include "tilelang/driver/compile.h"
#include "tilelang/dsl/tl.h"

#include <cstring>
#include <thread>

namespace tessera {
namespace {

using namespace tl;

/// C = A . B, or A . B^T, in blocks of 32 x 48 x 64; every block of rows takes the same tiles of B.
Program productProgram(DType type, bool transposed) {
  constexpr int64_t kM = 32, kN = 48, kK = 64;
  ProgramBuilder p("product");
  Dim M = p.dim("M"), N = p.dim("N"), K = p.dim("K");
  DType sum = type == i8 ? i32 : f32;
  Buffer A = p.input("A", type, {M, K});
  Buffer B = transposed ? p.input("B", type, {N, K}) : p.input("B", type, {K, N});
  Expr factor = p.scalar("factor", sum);
  Buffer C = p.output("C", sum, {M, N});
  p.kernel({ceildiv(N, kN), ceildiv(M, kM)}, [&](Var bx, Var by) {
    Buffer As = allocShared({kM, kK}, type, "As");
    Buffer Bs = transposed ? allocShared({kN, kK}, type, "Bs") : allocShared({kK, kN}, type, "Bs");
    Buffer acc = allocFragment({kM, kN}, sum, "acc");
    clear(acc);
    for (Var ko : Pipelined(ceildiv(K, kK), {.stages = 2})) {
      copy(A(by * kM, ko * kK), As);
      copy(transposed ? B(bx * kN, ko * kK) : B(ko * kK, bx * kN), Bs);
      gemm(As, Bs, acc, {.transposeB = transposed});
    }
    for (auto [i, j] : Parallel(kM, kN)) acc(i, j) *= factor;
    copy(acc, C(by * kM, bx * kN));
  });
  return p.build();
}

struct Problem {
  Tensor a, b, c;

  Problem(DType type, bool transposed, int64_t m, int64_t n, int64_t k)
      : a(Tensor::empty(type, {m, k})), b(Tensor::empty(type, transposed ? std::vector{n, k} : std::vector{k, n})),
        c(Tensor::zeros(type == i8 ? DType::i32 : DType::f32, {m, n})) {
    a.fillRandom(1, -4, 4);
    b.fillRandom(2, -4, 4);
  }
};

bool sameBits(const Tensor &x, const Tensor &y) {
  return std::memcmp(x.data(), y.data(), static_cast<size_t>(x.bytes())) == 0;
}

/// Bits of C computed without packed tiles.
Tensor expectedOf(const Kernel &kernel, const Problem &problem) {
  Tensor c = Tensor::zeros(problem.c.dtype(), problem.c.shape());
  kernel(problem.a, problem.b, 2, c);
  return c;
}

TEST(Packed, ComputesTheSame) {
  for (DType type : {f32, bf16, i8, e4m3})
    for (bool transposed : {false, true})
      for (int threads : {1, 2}) {
        Kernel kernel = compile(productProgram(type, transposed), "cpu", {.threads = threads});
        for (auto [m, n, k] : {std::array{64, 96, 128}, std::array{5, 49, 70}, std::array{1, 1, 1}}) {
          Problem problem(type, transposed, m, n, k);
          Kernel packed = kernel.withPacked("B", problem.b);
          Tensor expected = expectedOf(kernel, problem);
          for (int call = 0; call < 3; ++call) {
            problem.c.fill(77);
            packed(problem.a, problem.b, 2, problem.c);
            EXPECT_TRUE(sameBits(expected, problem.c))
                << name(type) << " " << m << " " << n << " " << k << " call " << call;
          }
        }
      }
}

TEST(Packed, ServesAnyNumberOfRows) {
  Kernel kernel = compile(productProgram(bf16, true), "cpu");
  Problem large(bf16, true, 100, 130, 200);
  Kernel packed = kernel.withPacked("B", large.b);
  Tensor expected = expectedOf(kernel, large);
  for (int64_t m : {1, 33, 100, 7}) {
    Tensor c = Tensor::zeros(f32, {m, 130});
    packed(large.a.slice(0, 0, m), large.b, 2, c);
    EXPECT_TRUE(sameBits(expected.slice(0, 0, m).clone(), c)) << m << " rows";
  }
}

TEST(Packed, PacksOnce) {
  Kernel kernel = compile(productProgram(f32, false), "cpu");
  Problem problem(f32, false, 3, 100, 100);
  Kernel packed = kernel.withPacked("B", problem.b), copy = packed;
  packed(problem.a, problem.b, 2, problem.c);
  Tensor first = problem.c.clone();
  // The tensor must not change; if it does, the tiles show that it was not read again.
  problem.b.fill(0);
  copy(problem.a, problem.b, 2, problem.c);
  EXPECT_TRUE(sameBits(first, problem.c));
  kernel.withPacked("B", problem.b)(problem.a, problem.b, 2, problem.c);
  EXPECT_EQ(problem.c.at({0, 0}), 0) << "tiles of another kernel";
}

TEST(Packed, MayBeCalledByManyThreadsAtOnce) {
  Kernel kernel = compile(productProgram(bf16, false), "cpu", {.threads = 2});
  Problem problem(bf16, false, 70, 300, 300);
  Kernel packed = kernel.withPacked("B", problem.b).withPacked("A", problem.a);
  Tensor expected = expectedOf(kernel, problem);
  std::vector<Tensor> results(4);
  std::vector<std::thread> threads;
  for (Tensor &c : results) {
    c = Tensor::zeros(f32, {70, 300});
    threads.emplace_back([&] {
      for (int call = 0; call < 5; ++call) packed(problem.a, problem.b, 2, c);
    });
  }
  for (std::thread &thread : threads) thread.join();
  for (const Tensor &c : results) EXPECT_TRUE(sameBits(expected, c));
}

TEST(Packed, KeepsTheTensorAlive) {
  Kernel kernel = compile(productProgram(f32, false), "cpu");
  Problem problem(f32, false, 3, 48, 64);
  Tensor expected = expectedOf(kernel, problem);
  std::vector<Kernel> kept;
  Tensor view = problem.b;
  kept.push_back(kernel.withPacked("B", problem.b));
  problem.b = Tensor::empty(f32, {1, 1});
  kept[0](problem.a, view, 2, problem.c);
  EXPECT_TRUE(sameBits(expected, problem.c));
}

TEST(Packed, IsTheTensorItselfForTheInterpreter) {
  Kernel kernel = compile(productProgram(f32, false), "interpreter");
  Problem problem(f32, false, 3, 5, 7);
  Kernel packed = kernel.withPacked("B", problem.b);
  packed(problem.a, problem.b, 2, problem.c);
  EXPECT_TRUE(sameBits(expectedOf(kernel, problem), problem.c));
  Tensor other = problem.b.clone();
  EXPECT_ERROR(packed(problem.a, other, 2, problem.c), "but the kernel holds packed tiles of f32[7, 5]");
}

TEST(Packed, RefusesWhatCannotBePacked) {
  Kernel kernel = compile(productProgram(f32, false), "cpu");
  Problem problem(f32, false, 3, 5, 7);
  EXPECT_ERROR(kernel.withPacked("W", problem.b), "`W` of `product` is no parameter\n"
                                                  "  help: its signature is product(");
  EXPECT_ERROR(kernel.withPacked("factor", problem.b), "`factor` of `product` is a number");
  EXPECT_ERROR(kernel.withPacked("C", problem.c), "`C` of `product` is written by the kernel");
  ProgramBuilder p("twice");
  Dim N = p.dim("N");
  Buffer x = p.input("x", f32, {N}), y = p.output("y", f32, {N});
  p.kernel({N}, [&](Var i) { y(i) = x(i) * 2; });
  Kernel twice = compile(p.build(), "cpu");
  EXPECT_ERROR(twice.withPacked("x", problem.b), "`x` of `twice` is not packed by this kernel");
}

TEST(Packed, RefusesAnotherTensor) {
  Kernel kernel = compile(productProgram(f32, false), "cpu");
  Problem problem(f32, false, 3, 5, 7);
  Kernel packed = kernel.withPacked("B", problem.b);
  Tensor other = problem.b.clone();
  EXPECT_ERROR(packed(problem.a, other, 2, problem.c), "argument `B` of `product` is f32[7, 5]");
  kernel(problem.a, other, 2, problem.c);
  packed.withPacked("B", other)(problem.a, other, 2, problem.c);
  EXPECT_ERROR(packed(problem.a, problem.b, problem.c), "`product` takes 4 arguments, got 3");
}

} // namespace
} // namespace tessera
