// How cases are run: checks come first, contestants take turns, and failures stay with who fails.
#include "bench/measure.h"

#include "core/error.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera::bench {
namespace {

constexpr MeasureOptions kFast{.samples = 5, .shortestSample = 0};

/// A case whose contestants write a letter; `ours` and `peer` say whether they compute the right thing.
struct Letters {
  std::string order;
  double output = 0;

  Contestant contestant(char letter, double value) {
    return {.name = std::string(1, letter), .call = [this, letter, value] { order += letter, output = value; }};
  }
  Case make(double ours, double peer) {
    return {.name = "family/size", .sizes = {}, .prepare = [=, this] {
              return Prepared{.ours = contestant('o', ours),
                              .peers = {contestant('p', peer)},
                              .poison = [this] { output = -1; },
                              .check = [this] { return examples::Deviation{.ofBound = output == 1 ? 0.5 : 2}; }};
            }};
  }
};

TEST(Measure, ContestantsTakeTurns) {
  Letters letters;
  MachineLimits limits(1e-3);
  Result result = measure(letters.make(1, 1), limits, kFast);
  EXPECT_EQ(result.ours.seconds.size(), 5u);
  EXPECT_EQ(result.peers.at(0).seconds.size(), 5u);
  EXPECT_TRUE(letters.order.ends_with("opopopopop")) << letters.order;
  EXPECT_EQ(result.family, "family");
  EXPECT_EQ(result.ours.ofBound, 0.5);
}

TEST(Measure, AWrongKernelHasNoSpeed) {
  Letters letters;
  MachineLimits limits(1e-3);
  Result result = measure(letters.make(0, 1), limits, kFast);
  EXPECT_EQ(result.verdict(), Verdict::wrong);
  EXPECT_FALSE(result.ours.ran());
  EXPECT_EQ(letters.order, "o");
}

TEST(Measure, AWrongPeerIsLeftOut) {
  Letters letters;
  MachineLimits limits(1e-3);
  Result result = measure(letters.make(1, 0), limits, kFast);
  EXPECT_TRUE(result.ours.ran());
  EXPECT_FALSE(result.peers.at(0).ran());
  EXPECT_EQ(result.bestPeer(), nullptr);
  EXPECT_NE(result.peers.at(0).failure.find("double precision"), std::string::npos);
}

TEST(Measure, AnErrorOfTheCaseBecomesItsFailure) {
  Case benchCase{.name = "a/b", .sizes = {}, .prepare = []() -> Prepared { throw Error({"no such kernel", {}, ""}); }};
  MachineLimits limits(1e-3);
  Result result = measure(benchCase, limits, kFast);
  EXPECT_EQ(result.verdict(), Verdict::failed);
  EXPECT_NE(result.ours.failure.find("no such kernel"), std::string::npos);
}

TEST(Measure, SelfTimedContestantsAreAskedForTheirSeconds) {
  Case benchCase{.name = "a/b", .sizes = {}, .prepare = [] {
                   return Prepared{.ours = {.name = "o", .seconds = [] { return 0.25; }}};
                 }};
  MachineLimits limits(1e-3);
  Result result = measure(benchCase, limits, kFast);
  EXPECT_EQ(result.ours.medianSeconds(), 0.25);
}

TEST(Measure, TheLimitTakesTurnsToo) {
  if (!whyAbsent(Limit::l2Read).empty()) GTEST_SKIP();
  Letters letters;
  MachineLimits limits(1e-3);
  Case benchCase = letters.make(1, 1);
  benchCase.limit = Limit::l2Read;
  benchCase.work.bytes = 1e3;
  Result result = measure(benchCase, limits, kFast);
  EXPECT_EQ(result.limitRates.size(), 5u);
  EXPECT_GT(result.ofLimit().value(), 0);
}

} // namespace
} // namespace tessera::bench
