// Field cases: reductions, scans and atomics (F26 to F31, F64, F71 to F73).
#include "tilelang/driver/test/field_case.h"

#include <cmath>

namespace tessera::field {
namespace {

using namespace tl;

TEST(FieldF26, ReductionLengthsThatAreNoPowerOfTwo) {
  for (int64_t n : {1, 3, 31, 33, 48, 63, 127, 129})
    for (int64_t rows : {1, 3})
      for (DType type : {f32, i32}) {
        ProgramBuilder p("reduce");
        Buffer x = p.input("x", type, {rows, n}), sum = p.output("sum", type, {rows}),
               top = p.output("top", type, {rows});
        p.kernel({1}, [&](Var) {
          Buffer s = allocShared({rows, n}, type), total = allocFragment({rows}, type),
                 most = allocFragment({rows, 1}, type);
          copy(x, s);
          reduceSum(s, total);
          reduceMax(s, most, {.dim = 1});
          copy(total, sum);
          copy(most, top);
        });
        Program program = p.build();
        onEveryTarget(
            [&](Target &t) {
              Tensor x = t.tensor(type, {rows, n}, values({rows, n}, [](const Shape &i) { return i[1] + 1; }));
              Tensor sum = t.untouched(type, {rows}), top = t.untouched(type, {rows});
              t.run(program, x, sum, top);
              expectValues(sum, Values(rows, 0.5 * n * (n + 1)));
              expectValues(top, Values(rows, n));
            },
            true);
      }
}

TEST(FieldF27, ReductionOfTheMiddleDimension) {
  for (int64_t batch : {1, 2}) {
    ProgramBuilder p("batched");
    Buffer a = p.input("a", f32, {2, 8, 16}), out = p.output("out", f32, {2, 16});
    p.kernel({2 / batch}, [&](Var b) {
      Buffer s = allocShared({batch, 8, 16}, f32), r = allocFragment({batch, 16}, f32);
      copy(a(window(b * batch, batch), all, all), s);
      reduceSum(s, r, {.dim = 1});
      copy(r, out(window(b * batch, batch), all));
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor a =
          t.tensor(f32, {2, 8, 16}, values({2, 8, 16}, [](const Shape &i) { return 1000 * i[0] + 16 * i[1] + i[2]; }));
      Tensor out = t.untouched(f32, {2, 16});
      t.run(program, a, out);
      expectValues(out, values({2, 16}, [](const Shape &i) { return 8000 * i[0] + 8 * i[1] + 448; }));
    });
  }
}

TEST(FieldF28, NaNWithAnOldValue) {
  for (DType type : {f16, bf16, f32, f64})
    for (bool propagate : {false, true})
      for (double old : {-1.0, kNaN}) {
        ProgramBuilder p("nan");
        Dim N = p.dim("N");
        Buffer x = p.input("x", type, {3}), acc = p.inout("acc", type, {N});
        p.kernel({1}, [&](Var) {
          Buffer s = allocShared({3}, type), r = allocFragment({3}, type);
          copy(x, s);
          copy(acc, r);
          ReduceOptions options{.clear = false, .nanPropagate = propagate};
          reduceMax(s, r(range(0, 1)), options);
          reduceMin(s, r(range(1, 2)), options);
          reduceAbsMax(s, r(range(2, 3)), options);
          copy(r, acc(range(0, 3)));
        });
        Program program = p.build();
        onEveryTarget(
            [&](Target &t) {
              Tensor x = t.tensor(type, {3}, {1, kNaN, 2}), acc = t.tensor(type, {3}, Values(3, old));
              t.run(program, x, acc);
              if (propagate)
                expectValues(acc, Values(3, kNaN));
              else
                expectValues(acc, std::isnan(old) ? Values{2, 1, 2} : Values{2, -1, 2});
            },
            true);
      }
}

TEST(FieldF29, AbsoluteReductionsOfUnsignedNumbers) {
  struct Case {
    DType type;
    Values x;
    double most, sum;
  };
  for (const Case &c : {Case{u32, {100, 10, 20, 30}, 100, 160},
                        {u32, {3000000000, 5}, 3000000000, 3000000005},
                        {u64, {100, 10, 20, 30}, 100, 160},
                        {u64, {3000000000, 5}, 3000000000, 3000000005},
                        {u8, {200, 100}, 200, 44},
                        {i8, {-100, 100, -56}, 100, 0},
                        {u16, {65535, 1}, 65535, 0}}) {
    auto n = static_cast<int64_t>(c.x.size());
    ProgramBuilder p("abs");
    Buffer x = p.input("x", c.type, {n}), out = p.output("out", c.type, {2});
    p.kernel({1}, [&](Var) {
      Buffer s = allocShared({n}, c.type), r = allocFragment({2}, c.type);
      copy(x, s);
      reduceAbsMax(s, r(range(0, 1)));
      reduceAbsSum(s, r(range(1, 2)));
      copy(r, out);
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor x = t.tensor(c.type, {n}, c.x), out = t.untouched(c.type, {2});
      t.run(program, x, out);
      expectValues(out, {c.most, c.sum});
    });
  }
}

TEST(FieldF30, AtomicAddWithConversion) {
  for (DType type : {f16, bf16, f32})
    for (int64_t n : {8, 7, 1, 33}) {
      ProgramBuilder p("atomic");
      Buffer out = p.inout("out", type, {n});
      p.kernel({1}, [&](Var) {
        Buffer frag = allocFragment({n}, f32, "frag");
        for (Var i : Parallel(n)) frag(i) = cast(i, f32) + 0.5;
        for (Var i : Parallel(n)) atomicAdd(out(i), Expr(frag(i)));
      });
      Program program = p.build();
      onEveryTarget([&](Target &t) {
        Tensor out = t.tensor(type, {n}, Values(n, 0));
        t.run(program, out);
        expectValues(out, values({n}, [](const Shape &i) { return i[0] + 0.5; }));
      });
    }
}

TEST(FieldF31, FourWideAtomics) {
  for (DType type : {i32, f16, i8, u16, f64, bf16, i64})
    for (int64_t offset : {0, 1}) {
      ProgramBuilder p("wide");
      Buffer x = p.input("x", type, {4}), out = p.inout("out", type, {6});
      p.kernel({1}, [&](Var) {
        Buffer v = allocShared({4}, type);
        copy(x, v);
        atomicAdd(out(offset), v);
      });
      Program program = p.build();
      onEveryTarget([&](Target &t) {
        Tensor x = t.tensor(type, {4}, {10, 20, 30, 40}), out = t.tensor(type, {6}, {1, 2, 3, 4, 5, 6});
        t.run(program, x, out);
        expectValues(out, values({6}, [&](const Shape &i) {
                       int64_t lane = i[0] - offset;
                       return i[0] + 1 + (lane >= 0 && lane < 4 ? 10 * (lane + 1) : 0);
                     }));
      });
    }
}

TEST(FieldF64, SumOfALongVector) {
  for (DType type : {f32, f16, i32}) {
    ProgramBuilder p("long");
    Buffer x = p.input("x", type, {8192}), out = p.output("out", type, {1});
    p.kernel({1}, [&](Var) {
      Buffer s = allocShared({8192}, type), r = allocFragment({1}, type);
      copy(x, s);
      reduceSum(s, r);
      copy(r, out);
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor x = t.tensor(type, {8192}, Values(8192, 1)), out = t.untouched(type, {1});
      t.run(program, x, out);
      expectValues(out, {8192});
    });
  }
}

TEST(FieldF71, SumsOfHalfPrecisionTiles) {
  ProgramBuilder p("half");
  Buffer ones = p.input("ones", f16, {4096}), x = p.input("x", f16, {16, 128});
  Buffer total = p.output("total", f16, {1}), columns = p.output("columns", f16, {128}),
         rows = p.output("rows", f16, {16});
  p.kernel({1}, [&](Var) {
    Buffer o = allocShared({4096}, f16), s = allocShared({16, 128}, f16);
    Buffer a = allocFragment({1}, f16), b = allocFragment({128}, f16), c = allocFragment({16}, f16);
    copy(ones, o);
    copy(x, s);
    reduceSum(o, a);
    reduceSum(s, b, {.dim = 0});
    reduceSum(s, c, {.dim = 1});
    copy(a, total);
    copy(b, columns);
    copy(c, rows);
  });
  Program program = p.build();
  onEveryTarget([&](Target &t) {
    Tensor ones = t.tensor(f16, {4096}, Values(4096, 1)),
           x = t.tensor(f16, {16, 128}, values({16, 128}, [](const Shape &i) { return i[0]; }));
    Tensor total = t.untouched(f16, {1}), columns = t.untouched(f16, {128}), rows = t.untouched(f16, {16});
    t.run(program, ones, x, total, columns, rows);
    expectValues(total, {4096});
    expectValues(columns, Values(128, 120));
    expectValues(rows, values({16}, [](const Shape &i) { return 128 * i[0]; }));
  });
}

TEST(FieldF72, ReductionsOverVeryShortRows) {
  for (int64_t width : {2, 4}) {
    ProgramBuilder p("short");
    Buffer out = p.output("out", f32, {1}), rows = p.output("rows", f32, {512}), bins = p.inout("bins", i32, {8});
    p.kernel({1}, [&](Var) {
      Buffer s = allocShared({512, width}, f32), r = allocFragment({512}, f32), total = allocFragment({1}, f32);
      fill(s, 1);
      reduceSum(s, r);
      reduceSum(r, total);
      copy(r, rows);
      copy(total, out);
      for (auto [i, k] : Parallel(512, 2)) atomicAdd(bins((i + k) % 8), 1);
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor out = t.untouched(f32, {1}), rows = t.untouched(f32, {512}), bins = t.tensor(i32, {8}, Values(8, 0));
      t.run(program, out, rows, bins);
      expectValues(out, {512.0 * static_cast<double>(width)});
      expectValues(rows, Values(512, width));
      expectValues(bins, Values(8, 128));
    });
  }
}

TEST(FieldF73, ReductionsOfAValidPart) {
  ProgramBuilder p("valid");
  Expr n = p.scalar("n", i64);
  Buffer x = p.input("x", f32, {8}), most = p.output("most", f32, {1}), sum = p.output("sum", f32, {1}),
         prefix = p.inout("prefix", f32, {8});
  p.kernel({1}, [&](Var) {
    Buffer s = allocShared({8}, f32), r = allocFragment({2}, f32);
    copy(x, s);
    reduceAbsMax(s(range(0, n)), r(range(0, 1)));
    reduceAbsSum(s(range(0, n)), r(range(1, 2)));
    cumsum(s(range(0, n)));
    copy(r(range(0, 1)), most);
    copy(r(range(1, 2)), sum);
    copy(s(range(0, n)), prefix(range(0, n)));
  });
  Program program = p.build();
  onEveryTarget([&](Target &t) {
    for (int64_t n : {3, 2, 1, 0}) {
      Values valid = {-3, 1, 2, kNaN, kNaN, kNaN, kNaN, kNaN}, running(8, kUntouched);
      double most = 0, sum = 0, total = 0;
      for (int64_t i = 0; i < n; ++i) {
        most = std::max(most, std::abs(valid[i]));
        sum += std::abs(valid[i]);
        running[i] = total += valid[i];
      }
      Tensor x = t.tensor(f32, {8}, valid), top = t.untouched(f32, {1}), all = t.untouched(f32, {1}),
             prefix = t.untouched(f32, {8});
      t.run(program, n, x, top, all, prefix);
      expectValues(top, {most});
      expectValues(all, {sum});
      expectValues(prefix, running);
    }
  });
}

} // namespace
} // namespace tessera::field
