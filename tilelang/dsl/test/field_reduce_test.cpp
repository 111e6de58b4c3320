// Programs that users of tile languages met in the field: reductions, scans, atomics and launches.
#include "tilelang/dsl/test/run.h"

namespace tessera::tl {
namespace {

using Values = std::vector<double>;

TEST(Field, ReductionLengthsThatAreNoPowerOfTwo) { // F26
  for (int n : {1, 3, 31, 33, 48, 63, 127, 129})
    for (int rows : {1, 3}) {
      Values out = run(i32, {2, rows}, [&](Buffer out) {
        Buffer x = allocShared({rows, n}, i32), sum = allocFragment({rows}, i32), top = allocFragment({rows}, i32);
        for (auto [r, i] : Parallel(rows, n)) x(r, i) = i + 1;
        reduceSum(x, sum);
        reduceMax(x, top);
        copy(sum, out(0, 0));
        copy(top, out(1, 0));
      });
      for (int r = 0; r < rows; ++r) {
        EXPECT_EQ(out[r], n * (n + 1) / 2);
        EXPECT_EQ(out[rows + r], n);
      }
    }
}

TEST(Field, ReductionOfTheMiddleDimension) { // F27
  Values out = run(f32, {2, 16}, [](Buffer out) {
    Buffer a = allocShared({2, 8, 16}, f32), sum = allocFragment({2, 16}, f32);
    for (auto [b, k, j] : Parallel(2, 8, 16)) a(b, k, j) = 1000 * b + 16 * k + j;
    reduceSum(a, sum, {.dim = 1});
    copy(sum, out);
  });
  for (int b = 0; b < 2; ++b)
    for (int j = 0; j < 16; ++j) EXPECT_EQ(out[b * 16 + j], 8000 * b + 8 * j + 448);
}

TEST(Field, NaNWithAnOldValue) { // F28
  for (DType type : {f16, bf16, f32, f64})
    for (bool propagate : {false, true}) {
      SCOPED_TRACE(std::string(name(type)) + (propagate ? " nan" : ""));
      Values out = run(type, {3}, [&](Buffer out) {
        Buffer x = allocShared({3}, type), acc = allocFragment({3}, type);
        x(0) = 1, x(1) = kNaN, x(2) = 2;
        fill(acc, -1);
        ReduceOptions options{.clear = false, .nanPropagate = propagate};
        reduceMax(x, acc(range(0, 1)), options);
        reduceMin(x, acc(range(1, 2)), options);
        reduceAbsMax(x, acc(range(2, 3)), options);
        copy(acc, out);
      });
      if (propagate)
        for (double value : out) EXPECT_TRUE(std::isnan(value));
      else
        EXPECT_EQ(out, (Values{2, -1, 2}));
    }
}

TEST(Field, AbsoluteReductionsOfUnsignedNumbers) { // F29
  auto reduced = [](DType type, std::vector<uint64_t> x) {
    return run(type, {2}, [&](Buffer out) {
      Buffer a = allocShared({static_cast<int64_t>(x.size())}, type);
      for (size_t i = 0; i < x.size(); ++i) a(i) = x[i];
      reduceAbsMax(a, out(range(0, 1)));
      reduceAbsSum(a, out(range(1, 2)));
    });
  };
  for (DType type : {u32, u64}) {
    EXPECT_EQ(reduced(type, {100, 10, 20, 30}), (Values{100, 160}));
    EXPECT_EQ(reduced(type, {3000000000, 5}), (Values{3000000000, 3000000005}));
  }
  EXPECT_EQ(reduced(u8, {200, 100}), (Values{200, 44}));
}

TEST(Field, FourWideAtomics) { // F31
  EXPECT_EQ(run(i32, {4},
                [](Buffer out) {
                  Buffer v = allocShared({4}, i32);
                  for (Var i : Parallel(4)) out(i) = i + 1, v(i) = 10 * (i + 1);
                  atomicAdd(out(0), v);
                }),
            (Values{11, 22, 33, 44}));
  for (int offset : {0, 1}) {
    Values out = run(f16, {6}, [&](Buffer out) {
      Buffer v = allocShared({4}, f16);
      for (Var i : Parallel(4)) v(i) = i + 1;
      clear(out);
      atomicAdd(out(offset), v);
    });
    for (int i = 0; i < 6; ++i) EXPECT_EQ(out[i], i >= offset && i < offset + 4 ? i - offset + 1 : 0);
  }
}

TEST(Field, SumsOfHalfPrecisionTiles) { // F71
  EXPECT_EQ(run(f16, {1},
                [](Buffer out) {
                  Buffer x = allocShared({4096}, f16), s = allocFragment({1}, f16);
                  fill(x, 1);
                  reduceSum(x, s);
                  copy(s, out);
                }),
            (Values{4096}));
  Values out = run(f16, {144}, [](Buffer out) {
    Buffer x = allocShared({16, 128}, f16), columns = allocFragment({128}, f16), rows = allocFragment({16}, f16);
    for (auto [r, c] : Parallel(16, 128)) x(r, c) = r;
    reduceSum(x, columns, {.dim = 0});
    reduceSum(x, rows, {.dim = 1});
    copy(columns, out(0));
    copy(rows, out(128));
  });
  for (int i = 0; i < 144; ++i) EXPECT_EQ(out[i], i < 128 ? 120 : 128 * (i - 128));
}

TEST(Field, ReductionsOverVeryShortRows) { // F72
  for (int width : {2, 4}) {
    Values out = run(f32, {513}, [&](Buffer out) {
      Buffer x = allocShared({512, width}, f32), rows = allocFragment({512}, f32);
      fill(x, 1);
      reduceSum(x, rows);
      copy(rows, out(0));
      reduceSum(reshape(x, {512 * width}), out(range(512, 513)));
    });
    for (int i = 0; i < 512; ++i) ASSERT_EQ(out[i], width);
    EXPECT_EQ(out[512], 512 * width);
  }
  EXPECT_EQ(run(i32, {8},
                [](Buffer out) {
                  clear(out);
                  for (auto [t, k] : Parallel(512, 2)) atomicAdd(out((t + k) % 8), 1);
                }),
            Values(8, 128));
}

TEST(Field, ReductionsOfAValidPart) { // F73
  Values out = run(f32, {5}, [](Buffer out) {
    Buffer x = allocShared({8}, f32), prefix = allocShared({8}, f32);
    fill(x, kNaN);
    x(0) = -3, x(1) = 1, x(2) = 2;
    reduceAbsMax(x(range(0, 3)), out(range(0, 1)));
    reduceAbsSum(x(range(0, 3)), out(range(1, 2)));
    cumsum(x(range(0, 3)), prefix(range(0, 3)));
    copy(prefix(range(0, 3)), out(range(2, 5)));
  });
  EXPECT_EQ(out, (Values{3, 6, -3, -2, 0}));
}

TEST(Field, AGridOfZeroRunsNothing) { // F42
  ProgramBuilder p("empty");
  Dim n = p.dim("n");
  p.input("x", f32, {n});
  Buffer out = p.inout("out", f32, {4});
  p.kernel({n}, [&](Var b) { out(b) = 1; });
  Tensor untouched = Tensor::empty(f32, {4});
  untouched.fill(kUntouched);
  onEveryTarget(p.build(), {Tensor::empty(f32, {0}), untouched}, [](const std::vector<Argument> &arguments) {
    EXPECT_EQ(doubles(arguments[1]), Values(4, kUntouched));
  });
}

TEST(Field, OneProgramForManyLengths) { // F44
  ProgramBuilder p("plus_one");
  Dim n = p.dim("n");
  Buffer x = p.input("x", f32, {n}), out = p.output("out", f32, {n});
  p.kernel({ceildiv(n, 128)}, [&](Var b) {
    for (Var i : Parallel(128)) out(b * 128 + i) = x(b * 128 + i) + 1;
  });
  Program program = p.build();
  for (int64_t length : {0, 1, 127, 128, 1024}) {
    Tensor x = Tensor::empty(f32, {length});
    x.fillRandom(static_cast<uint64_t>(length), -8, 8);
    onEveryTarget(program, {x, Tensor::empty(f32, {length})}, [&](const std::vector<Argument> &arguments) {
      Values in = doubles(x), got = doubles(arguments[1]);
      for (size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], static_cast<float>(in[i]) + 1.f);
    });
  }
}

} // namespace
} // namespace tessera::tl
