// Windows and indices at the ends of the 64-bit numbers, on every target: sums of offset and size overflow there.
#include "tilelang/driver/compile.h"
#include "tilelang/dsl/tl.h"

#include "core/test/expect_error.h"

#include <functional>
#include <limits>
#include <numeric>
#include <vector>

namespace tessera::tl {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kAround = 64, kSize = 16;

using Body = std::function<void(Buffer b, Buffer c, Expr s)>;

/// Runs a body on two tensors with memory around them, which must stay as it is; returns the tensors' elements.
std::vector<float> runBetween(const std::string &target, int64_t scalar, const Body &body) {
  ProgramBuilder p("far");
  Dim n = p.dim("N");
  Buffer b = p.inout("b", f32, {n}), c = p.inout("c", f32, {n});
  Expr s = p.scalar("s", i64);
  p.kernel({1}, [&](Var) { body(b, c, s); });
  std::vector<float> memory(2 * (2 * kAround + kSize));
  std::iota(memory.begin(), memory.end(), 1.0F);
  std::vector<float> before = memory;
  float *first = memory.data() + kAround, *second = first + kSize + 2 * kAround;
  compile(p.build(), target, {.useCache = false})(Tensor::view(first, f32, {kSize}), Tensor::view(second, f32, {kSize}),
                                                  scalar);
  std::vector<float> elements(first, first + kSize);
  elements.insert(elements.end(), second, second + kSize);
  for (float *tensor : {first, second}) std::copy(tensor, tensor + kSize, before.begin() + (tensor - memory.data()));
  EXPECT_EQ(memory, before) << "memory beside the tensors was written";
  return elements;
}

void expectSameOnEveryTarget(int64_t scalar, const Body &body) {
  std::vector<float> expected = runBetween("interpreter", scalar, body);
  for (const char *target : {"cpu", "cpu:x86-64"}) {
    SCOPED_TRACE(std::string(target) + ", s = " + std::to_string(scalar));
    EXPECT_EQ(runBetween(target, scalar, body), expected);
  }
}

const std::vector<int64_t> kFarOffsets = {
    kMax, kMax - 3, kMax - 15,    kMax / 16 * 16, std::numeric_limits<int64_t>::min(), -kMax + 3, -16, -15,
    -1,   15,       kMax / 4 * 2, 1 << 20};

TEST(FarWindows, CopiesOut) {
  for (int64_t offset : kFarOffsets)
    expectSameOnEveryTarget(offset, [](Buffer b, Buffer, Expr s) {
      Buffer t = allocFragment({16}, f32);
      fill(t, 7);
      copy(t, b(s));
    });
}

TEST(FarWindows, CopiesInAndBetween) {
  for (int64_t offset : kFarOffsets)
    expectSameOnEveryTarget(offset, [](Buffer b, Buffer c, Expr s) {
      Buffer t = allocFragment({16}, f32);
      copy(b(s), t);
      copy(t, b(window(0, 16)));
      copy(b(window(s, 16)), c(all));
    });
}

TEST(FarWindows, FillsAndReduces) {
  for (int64_t offset : kFarOffsets)
    expectSameOnEveryTarget(offset, [](Buffer b, Buffer c, Expr s) {
      Buffer sum = allocFragment({1}, f32);
      reduceSum(b(window(s, 16)), sum);
      c(0) = sum(0);
      fill(b(window(s, 16)), 3);
    });
}

TEST(FarWindows, IndicesOfLoops) {
  for (int64_t offset : kFarOffsets)
    expectSameOnEveryTarget(offset, [](Buffer b, Buffer c, Expr s) {
      for (Var i : Parallel(16)) b(i + s) = 3;
      for (Var i : Parallel(16)) c(i) += b(i * s + s);
    });
  for (int64_t step : {kMax, int64_t(1) << 62, int64_t(1) << 60, -kMax}) // constants
    expectSameOnEveryTarget(step, [step](Buffer b, Buffer, Expr) {
      for (Var i : Parallel(16)) b(i * step + step) = 3;
    });
}

TEST(FarWindows, SizesAtRunTime) {
  for (int64_t size : {int64_t(0), int64_t(3), int64_t(16), int64_t(1000)})
    expectSameOnEveryTarget(size, [](Buffer b, Buffer c, Expr s) { copy(b(window(5, s)), c(window(5, s))); });
  // What lies beyond the destination is not even walked.
  std::vector<float> copied =
      runBetween("cpu", kMax - 3, [](Buffer b, Buffer c, Expr s) { copy(b(window(5, s)), c(window(5, s))); });
  for (int64_t i = 5; i < kSize; ++i) EXPECT_EQ(copied[kSize + i], copied[i]);
}

TEST(Trap, IsForElementsOnly) {
  ProgramBuilder p("edges");
  Dim n = p.dim("N");
  Buffer b = p.inout("b", f32, {n});
  p.kernel({ceildiv(n, 16)}, [&](Var bx) {
    Buffer t = allocFragment({16}, f32), sum = allocFragment({1}, f32);
    copy(b(bx * 16), t); // hangs over the edge, which is defined
    reduceSum(b(window(bx * 16, 16)), sum);
    fill(b(window(bx * 16 + 8, 16)), 1);
    copy(t, b(bx * 16));
  });
  Program program = p.build();
  for (const char *target : {"interpreter", "cpu"}) {
    Tensor tensor = Tensor::zeros(f32, {20});
    EXPECT_NO_THROW(compile(program, target, {.trapOutOfBounds = true, .useCache = false})(tensor)) << target;
  }
}

TEST(Trap, CatchesIndicesThatOverflow) {
  ProgramBuilder p("far");
  Dim n = p.dim("N");
  Buffer b = p.inout("b", f32, {n});
  p.kernel({1}, [&](Var) {
    for (Var i : Parallel(5)) b(i * (int64_t(1) << 62)) = 3;
  });
  Program program = p.build();
  for (const char *target : {"interpreter", "cpu"}) {
    Tensor tensor = Tensor::zeros(f32, {20});
    EXPECT_ERROR(compile(program, target, {.trapOutOfBounds = true, .useCache = false})(tensor),
                 "index 4611686018427387904 of dimension 0 of `b` is outside extent 20");
  }
}

} // namespace
} // namespace tessera::tl
