// Samples, quantiles and rates.
#include "tilelang/driver/profiler.h"

#include "core/test/expect_error.h"
#include "tilelang/driver/compile.h"

#include <thread>

namespace tessera {
namespace {

TEST(Profiler, TakesAsManySamplesAsAsked) {
  int calls = 0;
  ProfileOptions options{.warmUp = 2, .samples = 7, .shortestSample = 0};
  Profile result = profile([&] { ++calls; }, {}, options);
  EXPECT_EQ(result.seconds.size(), 7u);
  EXPECT_EQ(calls, 1 + 2 + 7);
  EXPECT_TRUE(std::ranges::is_sorted(result.seconds));
}

TEST(Profiler, TimesShortCallsSeveralAtATime) {
  int64_t calls = 0;
  Profile result = profile([&] { ++calls; }, {}, {.warmUp = 0, .samples = 5});
  EXPECT_GT(calls, 1000);
  EXPECT_LT(result.median(), 10e-6);
}

TEST(Profiler, MeasuresOneCall) {
  auto nap = [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); };
  Profile result = profile(nap, {.flops = 4e6, .bytes = 2e6}, {.warmUp = 0, .samples = 5});
  EXPECT_GE(result.seconds.front(), 2e-3);
  EXPECT_LT(result.seconds.front(), 50e-3);
  EXPECT_DOUBLE_EQ(result.gflops(), 4e-3 / result.median());
  EXPECT_DOUBLE_EQ(result.gigabytes(), 2e-3 / result.median());
}

TEST(Profiler, InterpolatesQuantiles) {
  Profile result{{1, 2, 3, 4, 11}, {}};
  EXPECT_EQ(result.median(), 3);
  EXPECT_DOUBLE_EQ(result.p95(), 4 + 0.8 * 7);
  EXPECT_EQ((Profile{{1, 2}, {}}.median()), 1.5);
}

TEST(Profiler, WritesUnitsAndOnlyKnownRates) {
  EXPECT_EQ((Profile{{2e-6, 2e-6, 2e-6}, {}}.text()), "median 2 us, p95 2 us");
  EXPECT_EQ((Profile{{0.5}, {1e9, 4e9}}.text()), "median 500 ms, p95 500 ms, 2 GFLOP/s, 8 GB/s");
  EXPECT_EQ((Profile{{2}, {0, 4e9}}.text()), "median 2 s, p95 2 s, 2 GB/s");
}

TEST(Profiler, CountsTheBytesOfTheArguments) {
  Program program = Program::parse(R"(func.func @k(%x: memref<?xf32> {tile.access = "read"}, %n: i32,
      %y: memref<?xi16> {tile.access = "readwrite"}) { return })");
  Kernel kernel = compile(program, "interpreter");
  std::vector<Argument> arguments = {Tensor::zeros(DType::f32, {10}), int64_t{1}, Tensor::zeros(DType::i16, {10})};
  Profile result = profile(kernel, arguments, {}, {.warmUp = 0, .samples = 5, .shortestSample = 0});
  EXPECT_EQ(result.work.bytes, 40 + 2 * 20);
  result = profile(kernel, arguments, {.bytes = 7}, {.warmUp = 0, .samples = 5, .shortestSample = 0});
  EXPECT_EQ(result.work.bytes, 7);
}

TEST(Profiler, RefusesTooFewSamples) {
  auto nothing = [] {};
  EXPECT_ERROR(profile(nothing, {}, {.samples = 4}), "4 samples are too few");
  EXPECT_ERROR(profile(nothing, {}, {.warmUp = -1}), "warm-up of -1 samples");
}

TEST(Profiler, PassesOnWhatTheCallThrows) {
  EXPECT_ERROR(profile([] { throw Error(Diagnostic{"broken", {}, {}}); }), "broken");
}

} // namespace
} // namespace tessera
