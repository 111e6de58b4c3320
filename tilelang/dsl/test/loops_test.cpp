// Loops, conditions, and what may be done with their bodies.
#include "tilelang/dsl/test/run.h"

namespace tessera::tl {
namespace {

using Values = std::vector<double>;

template <class Loop> Values visited(int64_t start, int64_t stop, int64_t step) {
  return run(i32, {8}, [&](Buffer out) {
    clear(out);
    for (Var i : Loop(start, stop, step)) out(i) += 1;
  });
}

TEST(Loops, WithASteps) { // field case F12
  auto check = [](auto walk) {
    EXPECT_EQ(walk(1, 7, 2), (Values{0, 1, 0, 1, 0, 1, 0, 0}));
    EXPECT_EQ(walk(0, 6, 2), (Values{1, 0, 1, 0, 1, 0, 0, 0}));
    EXPECT_EQ(walk(0, 5, 2), (Values{1, 0, 1, 0, 1, 0, 0, 0}));
    EXPECT_EQ(walk(5, 2, -1), (Values{0, 0, 0, 1, 1, 1, 0, 0}));
    EXPECT_EQ(walk(5, 2, 1), (Values{0, 0, 0, 0, 0, 0, 0, 0}));
  };
  check(visited<Serial>);
  check(visited<Unroll>);
  check(visited<Vectorized>);
  EXPECT_ERROR(visited<Serial>(0, 4, 0), "loop step is 0");
}

TEST(Loops, BoundsAtTheEndsOfTheNumbers) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max(), kMin = std::numeric_limits<int64_t>::min();
  // How often, and the last value; bounds that the program reads when it runs.
  auto counted = [](int64_t start, int64_t stop, int64_t step) {
    return run(i64, {2}, [&](Buffer out) {
      Variable from = var(i64, loaded(i64, start)), to = var(i64, loaded(i64, stop));
      clear(out);
      for (Var i : Serial(from, to, step)) {
        out(0) += 1;
        out(1) = i - to;
      }
    });
  };
  EXPECT_EQ(counted(kMax - 10, kMax, 4), (Values{3, -2}));
  EXPECT_EQ(counted(kMax - 2, kMax, 1), (Values{2, -1}));
  EXPECT_EQ(counted(kMin + 10, kMin, -4), (Values{3, 2}));
  EXPECT_EQ(counted(kMin, kMax, int64_t(1) << 62)[0], 4);
  EXPECT_EQ(counted(kMax, kMin, kMin)[0], 2);
  EXPECT_ERROR(visited<Serial>(kMin, kMax, int64_t(1) << 62), "exceeds 2^63");
}

TEST(Loops, PipelinedIsSerial) { // field case F21
  for (int stages = 0; stages <= 4; ++stages)
    EXPECT_EQ(run(i32, {2},
                  [&](Buffer out) {
                    Buffer a = allocShared({8, 4}, i32), w = allocShared({4}, i32), acc = allocFragment({4}, i32);
                    for (auto [k, i] : Parallel(8, 4)) a(k, i) = k + 1;
                    fill(w, 100);
                    clear(acc);
                    for (Var k : Pipelined(8, {.stages = stages})) {
                      for (Var i : Parallel(4)) acc(i) += w(i);
                      copy(a(k, all), w);
                    }
                    out(0) = acc(3);
                    out(1) = w(3);
                  }),
              (Values{128, 8}));
}

TEST(Loops, PipelineOptions) {
  ProgramBuilder p("pipeline");
  p.kernel({1}, [&](Var) {
    for (Var k : Pipelined(2, 7, {.stages = 2, .stage = {0, 1}, .order = {1, 0}, .crossInterval = 4})) print("%d", k);
    EXPECT_ERROR(for (Var k : Pipelined(8, {.stages = 65})) print("%d", k), "num_stages is 65");
    EXPECT_ERROR(for (Var k : Pipelined(8, {.stages = -1})) print("%d", k), "num_stages is -1");
  });
  std::string text = p.build().text();
  for (const char *part : {"stages = 2", "stage = array<i64: 0, 1>", "order = array<i64: 1, 0>", "crossInterval = 4"})
    EXPECT_THAT(text, testing::HasSubstr(part));
  auto backwards = [](Buffer) { // case F80
    for (Var k : Pipelined(8, 2)) print("%d", k);
  };
  EXPECT_ERROR(run(i32, {1}, backwards), "pipelined loop from 8 to 2 is empty");
}

TEST(Loops, ParallelOfSeveralDimensions) {
  EXPECT_EQ(run(i32, {2, 3},
                [](Buffer out) {
                  for (auto [i, j] : Parallel(2, 3)) out(i, j) = 10 * i + j;
                }),
            (Values{0, 1, 2, 10, 11, 12}));
  std::vector<double> out = run(i32, {2, 1, 2, 1, 2}, [](Buffer out) {
    for (auto [a, b, c, d, e] : Parallel<5>({2, 1, 2, 1, 2})) out(a, b, c, d, e) = 4 * a + 2 * c + e + b + d;
  });
  for (int i = 0; i < 8; ++i) EXPECT_EQ(out[i], i);
  EXPECT_ERROR(record([] {
                 for (auto [a, b] : Parallel<2>({2, 3, 4})) print("%d", a);
               }),
               "Parallel has 2 dimensions but 3 extents");
  EXPECT_ERROR(record([] {
                 for (auto [a, b] : Parallel<2>(std::vector<Operand>{})) print("%d", a);
               }),
               "Parallel has 2 dimensions but 0 extents");
}

TEST(Loops, ModuloIndexInAParallelLoop) { // field case F08
  for (int k : {4, 3}) {
    int n = k == 4 ? 10 : 7;
    std::vector<double> out = run(i32, {4, n}, [&](Buffer out) {
      Buffer t = allocShared({k}, i32);
      for (Var i : Parallel(k)) t(i) = 10 * (i + 1);
      for (auto [i, j] : Parallel(4, n)) out(i, j) = t(j % k);
    });
    for (int i = 0; i < 4 * n; ++i) EXPECT_EQ(out[i], 10 * (i % n % k + 1));
  }
}

TEST(Loops, ParallelHoldsNoTileOperations) {
  record([] {
    Buffer a = allocShared({4}, f32, "a");
    auto inside = [&](auto body) {
      for (Var i : Parallel(4)) body(i);
    };
    EXPECT_ERROR(inside([&](Var) { clear(a); }), "fill inside a parallel loop");
    EXPECT_ERROR(inside([&](Var) { copy(a, a); }), "copy inside a parallel loop");
    EXPECT_ERROR(inside([&](Var) { allocShared({4}, f32); }), "alloc inside a parallel loop");
    EXPECT_ERROR(inside([&](Var) { barrierAll(); }), "barrier_all inside a parallel loop");
    EXPECT_ERROR(inside([&](Var) {
                   for (Var j : Pipelined(3)) a(j) = 1;
                 }),
                 "pipelined loop inside a parallel loop");
    for (Var i : Parallel(4)) EXPECT_ERROR(for (Var j : Parallel(3)) a(j) = i, "parallel loop inside a parallel loop");
  });
}

TEST(Loops, PersistentVisitsEveryTileOnce) { // field case F11
  struct Domain {
    std::vector<int> extents;
    int workers;
  };
  std::vector<Domain> domains = {{{4, 9}, 36}, {{7, 11}, 5}, {{3, 5, 10}, 4}, {{2, 3}, 16}, {{17, 3}, 2}};
  for (int n : {1, 2, 4, 8, 9, 10, 11, 12}) domains.push_back({{4, n}, 3});
  for (const Domain &domain : domains)
    for (int group : {1, 2, 8}) {
      std::vector<int64_t> shape(domain.extents.begin(), domain.extents.end());
      Tensor visits = Tensor::zeros(DType::i32, shape);
      ProgramBuilder p("persistent");
      Buffer out = p.inout("out", i32, Shape(shape.begin(), shape.end()));
      p.kernel({domain.workers}, [&](Var worker) {
        const std::vector<int> &e = domain.extents;
        if (e.size() == 2)
          for (auto [i, j] : Persistent({e[0], e[1]}, domain.workers, worker, {.groupSize = group}))
            atomicAdd(out(i, j), 1);
        else
          for (auto [i, j, k] : Persistent({e[0], e[1], e[2]}, domain.workers, worker, {.groupSize = group}))
            atomicAdd(out(i, j, k), 1);
      });
      onEveryTarget(p.build(), {visits}, [](const std::vector<Argument> &arguments) {
        for (double count : doubles(arguments[0])) ASSERT_EQ(count, 1);
      });
    }
  EXPECT_ERROR(record([] {
                 for (auto [i, j] : Persistent({2, 3}, 4, 0, {.groupSize = 0})) print("%d", i);
               }),
               "groupSize is 0");
}

TEST(Loops, AreRecordedFromStartToEnd) {
  EXPECT_ERROR(record([] {
                 Buffer a = allocShared({8}, f32);
                 for (Var i : Serial(8)) {
                   a(i) = 1;
                   break;
                 }
               }),
               "the body of Serial was left by a C++ break or return");
  EXPECT_ERROR(record([] {
                 Buffer a = allocShared({8}, f32);
                 for (Var i : Parallel(8))
                   for (Var j : Unroll(2)) {
                     a(i) = j;
                     return;
                   }
               }),
               "the body of Unroll was left by a C++ break or return");
  EXPECT_EQ(run(i32, {1},
                [](Buffer out) {
                  for (Var i : Serial(1)) {
                    out(i) = 3;
                    continue; // ends the recording of this body, no more
                  }
                }),
            (Values{3}));
}

TEST(Loops, BreakAndContinue) {
  EXPECT_EQ(run(i32, {8},
                [](Buffer out) {
                  clear(out);
                  for (Var i : Serial(8)) {
                    If(i == 2, [] { continueLoop(); });
                    If(i == 5, [] { breakLoop(); });
                    out(i) = 1;
                  }
                }),
            (Values{1, 1, 0, 1, 1, 0, 0, 0}));
  EXPECT_ERROR(record([] { breakLoop(); }), "break outside the body of a loop");
  EXPECT_ERROR(record([] {
                 for (Var i : Parallel(4)) If(i > 2, [] { breakLoop(); });
               }),
               "break outside the body of a loop");
  EXPECT_ERROR(record([] {
                 for (Var i : Serial(4)) {
                   breakLoop();
                   print("%d", i);
                 }
               }),
               "statements follow a break");
}

TEST(If, RunsOneSide) {
  EXPECT_EQ(
      run(i32, {4},
          [](Buffer out) {
            for (Var i : Serial(4))
              If(i < 1, [&] { out(i) = 10; }).Else([&] { If(i < 3, [&] { out(i) = 20; }).Else([&] { out(i) = 30; }); });
          }),
      (Values{10, 20, 20, 30}));
}

TEST(If, LookAlikeGuards) { // field case F13
  Tensor p = Tensor::fromVector<int32_t>({1, 5}), q = Tensor::fromVector<int32_t>({5, 1});
  Tensor a = Tensor::zeros(DType::i32, {2}), b = Tensor::zeros(DType::i32, {2});
  ProgramBuilder builder("guards");
  Buffer P = builder.input("P", i32, {2}), Q = builder.input("Q", i32, {2});
  Buffer OA = builder.inout("OA", i32, {2}), OB = builder.inout("OB", i32, {2});
  builder.kernel({2}, [&](Var block) {
    for (Var k : Serial(3)) {
      If(P(block) < 2, [&] { OA(block) += 1; });
      If(Q(block) < 2, [&] { OB(block) += 1; });
    }
  });
  onEveryTarget(builder.build(), {p, q, a, b}, [](const std::vector<Argument> &arguments) {
    EXPECT_EQ(doubles(arguments[2]), (Values{3, 0}));
    EXPECT_EQ(doubles(arguments[3]), (Values{0, 3}));
  });
}

TEST(If, AConditionIsEvaluatedAgain) { // field case F14
  EXPECT_EQ(run(i32, {2},
                [](Buffer out) {
                  out(0) = 1, out(1) = 7;
                  If(out(0) > 0, [&] { out(0) = 0; });
                  If(out(0) > 0, [&] { out(1) = 1; });
                }),
            (Values{0, 7}));
}

TEST(If, NestedTooDeep) {
  std::function<void(int)> nest = [&](int levels) {
    if (levels > 0) If(loaded(i32, 1) > 0, [&] { nest(levels - 1); });
  };
  EXPECT_NO_THROW(record([&] { nest(100); }));
  EXPECT_ERROR(record([&] { nest(3000); }), "nested more than 128 deep");
}

TEST(If, NeedsABool) {
  EXPECT_ERROR(record([] { If(loaded(i32, 1), [] {}); }), "a condition has the type i32, not bool");
  EXPECT_ERROR(If(true, [] {}), "If is used outside a program");
}

TEST(If, AssignmentByVariable) { // field case F20, written right
  EXPECT_EQ(run(i32, {2},
                [](Buffer out) {
                  out(0) = 1, out(1) = 9;
                  for (Var i : Serial(2)) {
                    Variable v = var(i32, out(i));
                    If(out(i) > 3, [&] { v = 5; });
                    out(i) = v;
                  }
                }),
            (Values{1, 5}));
}

TEST(While, Runs) {
  EXPECT_EQ(run(i32, {2},
                [](Buffer out) {
                  Variable v = var(i32, 27), steps = var(i32, 0);
                  While([&] { return v != 1; },
                        [&] {
                          If(v % 2 == 0, [&] { v = v / 2; }).Else([&] { v = 3 * v + 1; });
                          steps += 1;
                          If(steps == 1000, [] { breakLoop(); });
                        });
                  out(0) = steps;
                  out(1) = v;
                }),
            (Values{111, 1}));
  EXPECT_ERROR(record([] { While([] { return Expr(1); }, [] {}); }), "a condition has the type i32, not bool");
}

TEST(IfThenElse, ComputesOnlyTheChosenSide) {
  std::vector<double> out = run(i32, {8}, [](Buffer out) {
    Buffer count = allocShared({2}, i32);
    clear(count);
    for (Var i : Parallel(3))
      out(i) = ifThenElse(
          i < 1, [&] { return atomicAdd(count(0), 1) + 40; },
          [&] { return cast(atomicAdd(count(1), 1), i64) * 0 + 7; });
    out(3) = count(0), out(4) = count(1);
    for (Var d : Serial(0, 3)) out(5 + d) = ifThenElse(d != 0, [&] { return Expr(12 / d); }, [&] { return Expr(-1); });
  });
  EXPECT_EQ(out, (Values{40, 7, 7, 1, 2, -1, 12, 6}));
}

TEST(IfThenElse, IsASelectWhereThatChangesNothing) {
  ProgramBuilder p("select");
  Buffer a = p.input("a", f32, {8}), out = p.output("out", f32, {8});
  p.kernel({1}, [&](Var) {
    for (Var i : Parallel(8)) out(i) = ifThenElse(i > 2, [&] { return a(i) * 2; }, [] { return Expr(0); });
  });
  std::string text = p.build().text();
  EXPECT_THAT(text, testing::HasSubstr("arith.select"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("tile.if")));
}

} // namespace
} // namespace tessera::tl
