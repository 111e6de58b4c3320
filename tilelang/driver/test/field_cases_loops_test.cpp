// Field cases: loops, control flow, order of evaluation and pipelining (F11 to F23).
#include "tilelang/driver/test/field_case.h"

#include "core/test/expect_error.h"

#include <set>

namespace tessera::field {
namespace {

using namespace tl;

template <size_t N> Program persistentVisits(const std::array<int64_t, N> &domain, int64_t groupSize) {
  ProgramBuilder p("persistent");
  Expr workers = p.scalar("W", i64);
  Buffer visits = p.inout("visits", i32, tl::Shape(domain.begin(), domain.end()));
  p.kernel({workers}, [&](Var w) {
    if constexpr (N == 2)
      for (auto [i, j] : Persistent<2>({domain[0], domain[1]}, workers, w, {.groupSize = groupSize})) visits(i, j) += 1;
    if constexpr (N == 3)
      for (auto [i, j, k] : Persistent<3>({domain[0], domain[1], domain[2]}, workers, w, {.groupSize = groupSize}))
        visits(i, j, k) += 1;
  });
  return p.build();
}

template <size_t N> void expectOneVisitEach(std::array<int64_t, N> domain, int64_t workers, int64_t groupSize = 8) {
  Program program = persistentVisits<N>(domain, groupSize);
  Shape shape(domain.begin(), domain.end());
  onEveryTarget(
      [&](Target &t) {
        SCOPED_TRACE(shapeText(shape) + " by " + std::to_string(workers));
        Tensor visits = t.tensor(i32, shape, values(shape, [](const Shape &) { return 0; }));
        t.run(program, workers, visits);
        expectValues(visits, values(shape, [](const Shape &) { return 1; }));
      },
      true);
}

TEST(FieldF11, PersistentIterationVisitsEveryTileOnce) {
  for (int64_t n : {1, 2, 4, 8, 9, 10, 11, 12}) expectOneVisitEach<2>({4, n}, 3);
  expectOneVisitEach<2>({4, 9}, 36);
  expectOneVisitEach<2>({7, 11}, 5);
  expectOneVisitEach<2>({2, 3}, 16);
  expectOneVisitEach<2>({1, 1}, 1);
  expectOneVisitEach<2>({9, 3}, 4, 1);
  expectOneVisitEach<2>({9, 3}, 4, 5);
  expectOneVisitEach<3>({3, 5, 10}, 4);
}

enum class LoopWord { serial, unroll, vectorized, pipelined };

Program steppedLoop(LoopWord word, int64_t start, int64_t stop, int64_t step) {
  ProgramBuilder p("steps");
  Buffer flag = p.input("flag", i32, {1}), out = p.inout("out", i32, {8});
  auto body = [&](Var i) { If(flag(0) > 0, [&] { out(i) = 1; }); };
  p.kernel({1}, [&](Var) {
    if (word == LoopWord::serial)
      for (Var i : Serial(start, stop, step)) body(i);
    if (word == LoopWord::unroll)
      for (Var i : Unroll(start, stop, step)) body(i);
    if (word == LoopWord::vectorized)
      for (Var i : Vectorized(start, stop, step)) body(i);
    if (word == LoopWord::pipelined) // pipelined loops have no step: the index is computed
      for (Var n : Pipelined((stop - start + step - (step > 0 ? 1 : -1)) / step, {.stages = 2})) body(start + n * step);
  });
  return p.build();
}

TEST(FieldF12, LoopsWithAStep) {
  struct Steps {
    int64_t start, stop, step;
  };
  for (LoopWord word : {LoopWord::serial, LoopWord::unroll, LoopWord::vectorized, LoopWord::pipelined})
    for (Steps s : {Steps{1, 7, 2}, {0, 6, 2}, {0, 5, 2}, {7, 0, -3}, {3, 4, 5}, {2, 2, 1}}) {
      Values expected(8, 0);
      for (int64_t i = s.start; s.step > 0 ? i < s.stop : i > s.stop; i += s.step) expected[i] = 1;
      Program program = steppedLoop(word, s.start, s.stop, s.step);
      onEveryTarget(
          [&](Target &t) {
            Tensor flag = t.tensor(i32, {1}, {1}), out = t.tensor(i32, {8}, Values(8, 0));
            t.run(program, flag, out);
            expectValues(out, expected);
            Tensor off = t.tensor(i32, {1}, {0}), untouched = t.untouched(i32, {8});
            t.run(program, off, untouched);
            expectValues(untouched, Values(8, kUntouched));
          },
          true);
    }
}

TEST(FieldF13, TwoLookAlikeGuards) {
  ProgramBuilder p("guards");
  Buffer P = p.input("P", i32, {2}), Q = p.input("Q", i32, {2}), OA = p.inout("OA", i32, {2}),
         OB = p.inout("OB", i32, {2});
  p.kernel({2}, [&](Var b) {
    for (Var k : Serial(3)) {
      If(P(b) < 2, [&] { OA(b) += 1; });
      If(Q(b) < 2, [&] { OB(b) += 1; });
    }
  });
  Program program = p.build();
  onEveryTarget([&](Target &t) {
    Tensor P = t.tensor(i32, {2}, {1, 5}), Q = t.tensor(i32, {2}, {5, 1}), OA = t.tensor(i32, {2}, {0, 0}),
           OB = t.tensor(i32, {2}, {0, 0});
    t.run(program, P, Q, OA, OB);
    expectValues(OA, {3, 0});
    expectValues(OB, {0, 3});
  });
}

TEST(FieldF14, AConditionIsEvaluatedAgain) {
  ProgramBuilder p("again");
  Buffer A = p.inout("A", i32, {2});
  p.kernel({1}, [&](Var) {
    If(A(0) > 0, [&] { A(0) = 0; });
    If(A(0) > 0, [&] { A(1) = 1; });
  });
  Program program = p.build();
  onEveryTarget([&](Target &t) {
    Tensor A = t.tensor(i32, {2}, {1, 7});
    t.run(program, A);
    expectValues(A, {0, 7});
  });
}

TEST(FieldF15, ATemporaryIsASnapshot) {
  for (bool storesFirst : {false, true})
    for (bool parallel : {false, true}) {
      ProgramBuilder p("snapshot");
      Dim N = p.dim("N");
      Buffer A = p.inout("A", f32, {N}), B = p.output("B", f32, {N});
      auto body = [&](Var i) {
        Expr t = max(A(i), 1);
        if (storesFirst) A(i) = 2 * t;
        B(i) = t / 2;
        if (!storesFirst) A(i) = 2 * t;
      };
      p.kernel({1}, [&](Var) {
        if (parallel)
          for (Var i : Parallel(N)) body(i);
        else
          for (Var i : Serial(N)) body(i);
      });
      Program program = p.build();
      onEveryTarget([&](Target &t) {
        for (int64_t n : {2, 0, 1, 17}) {
          Tensor A = t.tensor(f32, {n}, values({n}, [](const Shape &i) { return i[0] % 2 ? 3 : 0; }));
          Tensor B = t.untouched(f32, {n});
          t.run(program, A, B);
          expectValues(B, values({n}, [](const Shape &i) { return i[0] % 2 ? 1.5 : 0.5; }));
          expectValues(A, values({n}, [](const Shape &i) { return i[0] % 2 ? 6 : 2; }));
        }
      });
    }
}

TEST(FieldF16, ResultOfAnAtomicUsedTwice) {
  ProgramBuilder p("compact");
  Dim N = p.dim("N");
  Expr cap = p.scalar("cap", i32);
  Buffer x = p.input("x", i32, {N}), cnt = p.inout("cnt", i32, {1}), out = p.inout("out", i32, {N});
  p.kernel({1}, [&](Var) {
    for (Var i : Parallel(N))
      If(x(i) > 0, [&] {
        Expr pos = atomicAdd(cnt(0), 1);
        If(pos < cap, [&] { out(pos) = i; });
      });
  });
  Program program = p.build();
  onEveryTarget([&](Target &t) {
    for (auto [n, cap] : {std::pair<int64_t, int64_t>{64, 64}, {64, 10}, {65, 64}, {1, 1}, {0, 3}}) {
      Tensor x = t.tensor(i32, {n}, Values(n, 1)), cnt = t.tensor(i32, {1}, {0}),
             out = t.tensor(i32, {n}, Values(n, -7));
      t.run(program, cap, x, cnt, out);
      EXPECT_EQ(cnt.at({0}), n);
      std::set<double> seen;
      for (int64_t i = 0; i < n; ++i) {
        if (i >= cap) EXPECT_EQ(out.at({i}), -7);
        if (i >= cap) continue;
        EXPECT_TRUE(seen.insert(out.at({i})).second);
        EXPECT_TRUE(out.at({i}) >= 0 && out.at({i}) < n);
      }
    }
  });
}

TEST(FieldF17, MutableScalarInsideAParallelLoop) {
  ProgramBuilder p("scalar");
  Dim N = p.dim("N");
  Buffer D = p.output("D", i32, {N});
  p.kernel({1}, [&](Var) {
    Variable v = var(i32);
    for (Var i : Parallel(N)) {
      v = i;
      D(i) = v;
    }
  });
  Program program = p.build();
  onEveryTarget([&](Target &t) {
    for (int64_t n : {2048, 2047, 1, 0}) {
      Tensor D = t.untouched(i32, {n});
      t.run(program, D);
      expectValues(D, values({n}, [](const Shape &i) { return i[0]; }));
    }
  });
}

TEST(FieldF17, EachIterationStartsWithTheValueFromBefore) {
  // Also where iterations are run one by one, as those of a body with a break are.
  for (bool oneByOne : {false, true}) {
    ProgramBuilder p("scalar");
    Buffer x = p.input("x", i32, {40}), D = p.output("D", i32, {40});
    p.kernel({1}, [&](Var) {
      Variable v = var(i32, 5, "v");
      for (Var i : Parallel(40)) {
        If(x(i) > 3, [&] { v = i; });
        if (oneByOne)
          for (Var k : Serial(3)) {
            v += 1;
            If(v > i, [&] { breakLoop(); });
          }
        D(i) = v;
      }
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor x = t.tensor(i32, {40}, values({40}, [](const Shape &i) { return i[0] % 3 == 0 ? 9 : 1; })),
             D = t.untouched(i32, {40});
      t.run(program, x, D);
      expectValues(D, values({40}, [&](const Shape &index) {
                     int64_t i = index[0], v = i % 3 == 0 ? i : 5;
                     for (int k = 0; oneByOne && k < 3; ++k)
                       if (++v > i) break;
                     return v;
                   }));
    });
  }
}

TEST(FieldF18, InitialValuesOfVariables) {
  ProgramBuilder p("initial");
  Buffer ints = p.output("ints", i32, {2}), wide = p.output("wide", f64, {1}), half = p.output("half", f16, {1});
  p.kernel({1}, [&](Var) {
    Variable a = var(i32, 1);
    Variable b = var(i32, a);
    a = 2;
    Variable d = var(i32, a);
    ints(0) = b;
    ints(1) = d;
    Variable w = var(f64, 1e300);
    wide(0) = w;
    Variable h = var(f16, 0.1);
    half(0) = h;
  });
  Program program = p.build();
  onEveryTarget([&](Target &t) {
    Tensor ints = t.untouched(i32, {2}), wide = t.untouched(f64, {1}), half = t.untouched(f16, {1});
    t.run(program, ints, wide, half);
    expectValues(ints, {1, 2});
    expectValues(wide, {1e300});
    expectValues(half, {0.0999755859375});
  });
  ProgramBuilder wrong("wrong");
  wrong.kernel({1}, [&](Var) { EXPECT_ERROR(var(f32, 1e300), "1e+300 is not representable in f32"); });
}

TEST(FieldF19, LoopVariableThatReusesAName) {
  ProgramBuilder p("reuse");
  Buffer A = p.output("A", i32, {2});
  p.kernel({1}, [&](Var) {
    for (Var k : Serial(2)) {
      Variable d = var(i32, 5, "d");
      A(k) = d;
    }
    for (Var d : Parallel(2)) A(d) = d;
  });
  Program program = p.build();
  onEveryTarget([&](Target &t) {
    Tensor A = t.untouched(i32, {2});
    t.run(program, A);
    expectValues(A, {0, 1});
  });
}

TEST(FieldF20, AssignmentUnderACondition) {
  {
    ProgramBuilder wrong("wrong");
    Buffer in = wrong.input("A", i32, {2});
    wrong.kernel({2}, [&](Var i) {
      Expr v = in(i);
      If(in(i) > 3, [&] { EXPECT_ERROR(v = Expr(5), "declare it with var(type, initial)"); });
    });
  }
  for (bool parallel : {false, true}) {
    ProgramBuilder p("right");
    Buffer A = p.input("A", i32, {2}), out = p.output("out", i32, {2});
    auto body = [&](Var i) {
      Variable v = var(i32, A(i));
      If(A(i) > 3, [&] { v = 5; });
      out(i) = v;
    };
    p.kernel({1}, [&](Var) {
      if (!parallel)
        for (Var i : Serial(2)) body(i);
      else {
        Variable v = var(i32);
        for (Var i : Parallel(2)) {
          v = A(i);
          If(A(i) > 3, [&] { v = 5; });
          out(i) = v;
        }
      }
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      Tensor A = t.tensor(i32, {2}, {1, 9}), out = t.untouched(i32, {2});
      t.run(program, A, out);
      expectValues(out, {1, 5});
    });
  }
}

TEST(FieldF21, ReadThenRefillInAPipelinedLoop) {
  for (DType type : {f32, i32, f16})
    for (int64_t stages = 0; stages <= 4; ++stages) {
      ProgramBuilder p("refill");
      Dim K = p.dim("K");
      Buffer A = p.input("A", type, {K, 4}), acc = p.output("acc", type, {4}), last = p.output("last", type, {4});
      p.kernel({1}, [&](Var) {
        Buffer w = allocShared({4}, type, "w"), sum = allocFragment({4}, type, "sum");
        fill(w, 100);
        clear(sum);
        for (Var k : Pipelined(K, {.stages = stages})) {
          for (Var i : Parallel(4)) sum(i) += w(i);
          copy(A(k, all), w);
        }
        copy(sum, acc);
        copy(w, last);
      });
      Program program = p.build();
      onEveryTarget(
          [&](Target &t) {
            for (int64_t n : {8, 0, 1, 3}) {
              Tensor A = t.tensor(type, {n, 4}, values({n, 4}, [](const Shape &i) { return i[0] + 1; }));
              Tensor acc = t.untouched(type, {4}), last = t.untouched(type, {4});
              t.run(program, A, acc, last);
              expectValues(acc, Values(4, n == 0 ? 0 : 100 + (n - 1) * n / 2));
              expectValues(last, Values(4, n == 0 ? 100 : n));
            }
          },
          true);
    }
}

TEST(FieldF22, OneScratchTileUsedTwiceInAnIteration) {
  for (int64_t stages = 0; stages <= 3; ++stages) {
    ProgramBuilder p("scratch");
    Dim K = p.dim("K");
    Buffer A = p.input("A", i32, {K, 4}), B = p.input("B", i32, {K, 4}), out = p.output("out", i32, {4});
    p.kernel({1}, [&](Var) {
      Buffer s = allocShared({4}, i32, "s"), acc = allocFragment({4}, i32, "acc");
      clear(acc);
      for (Var k : Pipelined(K, {.stages = stages})) {
        copy(A(k, all), s);
        for (Var i : Parallel(4)) acc(i) += s(i);
        copy(B(k, all), s);
        for (Var i : Parallel(4)) acc(i) += 2 * s(i);
      }
      copy(acc, out);
    });
    Program program = p.build();
    onEveryTarget([&](Target &t) {
      for (int64_t n : {6, 0, 1, 7}) {
        Tensor A = t.tensor(i32, {n, 4}, values({n, 4}, [](const Shape &i) { return i[0] + 1; }));
        Tensor B = t.tensor(i32, {n, 4}, values({n, 4}, [](const Shape &i) { return 10 * (i[0] + 1); }));
        Tensor out = t.untouched(i32, {4});
        t.run(program, A, B, out);
        expectValues(out, Values(4, 10.5 * n * (n + 1)));
      }
    });
  }
}

TEST(FieldF23, PipelinedGemmWithOneHandStagedOperand) {
  for (DType type : {f16, f32})
    for (int64_t stages = 0; stages <= 3; ++stages) {
      ProgramBuilder p("staged");
      Dim M = p.dim("M"), N = p.dim("N"), K = p.dim("K");
      Buffer A = p.input("A", type, {M, K}), B = p.input("B", type, {K, N}), C = p.output("C", f32, {M, N});
      p.kernel({ceildiv(N, 32), ceildiv(M, 32)}, [&](Var bx, Var by) {
        Buffer As = allocShared({32, 32}, type), Bs = allocShared({32, 32}, type), acc = allocFragment({32, 32}, f32);
        clear(acc);
        for (Var k : Pipelined(ceildiv(K, 32), {.stages = stages})) {
          copy(A(by * 32, k * 32), As);
          for (auto [i, j] : Parallel(32, 32)) Bs(i, j) = B(k * 32 + i, bx * 32 + j);
          gemm(As, Bs, acc);
        }
        copy(acc, C(by * 32, bx * 32));
      });
      Program program = p.build();
      onEveryTarget([&](Target &t) {
        for (auto [m, k] : {std::pair<int64_t, int64_t>{64, 64}, {63, 65}, {1, 1}, {33, 0}}) {
          Tensor A = t.tensor(type, {m, k}, values({m, k}, [](const Shape &i) { return ga(i[0], i[1]); }));
          Tensor B = t.tensor(type, {k, m}, values({k, m}, [](const Shape &i) { return gb(i[0], i[1]); }));
          Tensor C = t.untouched(f32, {m, m});
          t.run(program, A, B, C);
          expectValues(C, values({m, m}, [&, k = k](const Shape &i) {
                         double sum = 0;
                         for (int64_t n = 0; n < k; ++n) sum += ga(i[0], n) * gb(n, i[1]);
                         return sum;
                       }));
          if (m != 64) continue;
          const double corner[3][3] = {{3, -6, 6}, {5, 7, -5}, {2, 10, 4}};
          for (int64_t i = 0; i < 3; ++i)
            for (int64_t j = 0; j < 3; ++j) EXPECT_EQ(C.at({i, j}), corner[i][j]);
          EXPECT_EQ(C.at({63, 63}), -11);
        }
      });
    }
}

} // namespace
} // namespace tessera::field
