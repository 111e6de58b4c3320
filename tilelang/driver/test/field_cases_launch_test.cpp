// Field cases: launches, arguments, compilation and its cache (F42 to F47).
#include "tilelang/driver/test/field_case.h"

#include "core/test/expect_error.h"
#include "tilelang/driver/cache.h"

namespace tessera::field {
namespace {

using namespace tl;

/// Nothing but memory, so that other processes cannot change what is counted.
CompileOptions inMemory() {
  setenv("TESSERA_CACHE_DIR", "", 1);
  return {};
}

Program addOne(DType type = f32) {
  ProgramBuilder p("add_one");
  Dim N = p.dim("N");
  Buffer x = p.input("x", type, {N}), out = p.output("out", type, {N});
  p.kernel({ceildiv(N, 128)}, [&](Var b) {
    for (Var i : Parallel(128)) out(b * 128 + i) = x(b * 128 + i) + 1;
  });
  return p.build();
}

TEST(FieldF42, GridOfZero) {
  ProgramBuilder p("grid");
  Dim N = p.dim("N");
  Buffer x = p.input("x", f32, {N}), out = p.inout("out", f32, {4});
  p.kernel({N, 2}, [&](Var b, Var) { out(b) = 1; });
  Program program = p.build();
  onEveryTarget([&](Target &t) {
    Tensor x = t.untouched(f32, {0}), out = t.untouched(f32, {4});
    t.run(program, x, out);
    expectValues(out, Values(4, kUntouched));
  });
  ProgramBuilder wrong("wrong");
  EXPECT_ERROR((wrong.kernel({2, 0}, [&](Var, Var) {}), wrong.build()), "grid dimension 1 is 0");
}

TEST(FieldF43, WrongRankAtTheCall) {
  Program program = addOne(i64);
  onEveryTarget([&](Target &t) {
    Kernel kernel = compile(program, t.name);
    Tensor out = t.untouched(i64, {128});
    EXPECT_ERROR(kernel(t.untouched(i64, {1, 128}), out), "argument `x` of `add_one` has rank 2, expected 1");
    EXPECT_ERROR(kernel(t.untouched(i32, {128}), out), "argument `x` of `add_one` has element type i32, expected i64");
    EXPECT_NO_THROW(kernel(t.untouched(i64, {0}), t.untouched(i64, {0})));
    expectValues(out, Values(128, kUntouched));
    t.checkCanaries();
  });
}

TEST(FieldF44, OneCompileManyLengths) {
  clearMemoryCache();
  Kernel kernel = compile(addOne(), "cpu", inMemory());
  int64_t before = cacheStatistics().compilations;
  Target t("cpu");
  for (int64_t n : {0, 1, 127, 128, 129, 1024}) {
    Tensor x = t.tensor(f32, {n}, values({n}, [](const Shape &i) { return i[0]; })), out = t.untouched(f32, {n});
    kernel(x, out);
    expectValues(out, values({n}, [](const Shape &i) { return i[0] + 1; }));
  }
  t.checkCanaries();
  EXPECT_EQ(cacheStatistics().compilations, before);
}

TEST(FieldF45, CapturedValuesArePartOfTheKey) {
  auto copyOf = [](int64_t columns) {
    ProgramBuilder p("copy_columns");
    Dim M = p.dim("M"), N = p.dim("N");
    Buffer x = p.input("x", f32, {M, N}), out = p.inout("out", f32, {M, N});
    p.kernel({M}, [&](Var i) {
      for (Var j : Parallel(columns)) out(i, j) = x(i, j);
    });
    return p.build();
  };
  onEveryTarget([&](Target &t) {
    for (int64_t columns : {128, 256}) {
      Tensor x = t.tensor(f32, {3, 256}, values({3, 256}, [](const Shape &i) { return i[1]; })),
             out = t.untouched(f32, {3, 256});
      t.run(copyOf(columns), x, out);
      expectValues(out, values({3, 256}, [&](const Shape &i) { return i[1] < columns ? i[1] : kUntouched; }));
    }
  });
}

TEST(FieldF46, RunTimeDimensionsDoNotRecompile) {
  ProgramBuilder p("copy_tiles");
  Dim M = p.dim("M"), N = p.dim("N");
  Buffer x = p.input("x", f32, {M, N}), out = p.output("out", f32, {M, N});
  p.kernel({ceildiv(N, 64), ceildiv(M, 8)}, [&](Var bx, Var by) {
    Buffer s = allocShared({8, 64}, f32, "s");
    copy(x(by * 8, bx * 64), s);
    copy(s, out(by * 8, bx * 64));
  });
  Program program = p.build();
  clearMemoryCache();
  int64_t before = cacheStatistics().compilations;
  Target t("cpu", inMemory());
  for (auto [m, n] : {std::pair<int64_t, int64_t>{8, 128}, {16, 128}, {9, 130}, {0, 5}, {1, 1}}) {
    Values content = values({m, n}, [](const Shape &i) { return 1000 * i[0] + i[1]; });
    Tensor x = t.tensor(f32, {m, n}, content), out = t.untouched(f32, {m, n});
    t.run(program, x, out);
    expectValues(out, content);
  }
  EXPECT_EQ(cacheStatistics().compilations, before + 1);
}

TEST(FieldF47, OptionsArePartOfTheKey) {
  ProgramBuilder p("beyond");
  Dim N = p.dim("N");
  Buffer out = p.inout("out", f32, {N});
  p.kernel({1}, [&](Var) {
    for (Var i : Serial(4)) out(i) = 1;
  });
  Program program = p.build();
  CompileOptions plain = inMemory(), trapping = plain;
  trapping.trapOutOfBounds = true;
  clearMemoryCache();
  int64_t before = cacheStatistics().compilations;
  Target t("cpu", plain), trap("cpu", trapping);
  Tensor out3 = t.untouched(f32, {3});
  t.run(program, out3);
  expectValues(out3, {1, 1, 1});
  EXPECT_ERROR(trap.run(program, out3), "field_cases_launch_test.cpp:");
  EXPECT_EQ(cacheStatistics().compilations, before + 2);
  t.run(program, out3);
  EXPECT_EQ(cacheStatistics().compilations, before + 2);
}

} // namespace
} // namespace tessera::field
