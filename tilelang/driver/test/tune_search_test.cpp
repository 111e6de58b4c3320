// The search with times that are made up: order, cut-off, budget, failures, and who wins.
#include "tilelang/driver/tune_search.h"

#include "core/test/expect_error.h"

#include <algorithm>
#include <map>
#include <set>

namespace tessera {
namespace {

using Outcome = TuneTrial::Outcome;

/// Candidates with fixed times. A second passes on the clock for each call.
struct FakeBench {
  std::vector<double> seconds;
  std::map<size_t, std::string> wrong, failing;
  std::vector<TuneTrial> trials;
  std::vector<size_t> prepared;
  std::vector<size_t> calls;
  std::set<size_t> ready;
  double clock = 0;

  explicit FakeBench(std::vector<double> times) : seconds(std::move(times)), calls(seconds.size()) {
    for (size_t i = 0; i < seconds.size(); ++i) trials.push_back({{static_cast<int64_t>(i)}});
  }

  size_t search(TuneOptions options = {}) {
    options.budget = std::min(options.budget, 1e6);
    TuneBench bench;
    bench.prepare = [&](size_t at) -> std::string {
      prepared.push_back(at);
      if (failing.contains(at)) throw Error(Diagnostic{failing[at], {}, ""});
      if (wrong.contains(at)) return wrong[at];
      ready.insert(at);
      return "";
    };
    bench.time = [&](size_t at) {
      EXPECT_TRUE(ready.contains(at)) << "timed without being ready: " << at;
      ++calls[at];
      clock += 1;
      return seconds[at];
    };
    bench.drop = [&](size_t at) { ready.erase(at); };
    bench.now = [&] { return clock; };
    return searchBest(trials, bench, options);
  }
};

TEST(TuneSearch, TheFastestWins) {
  FakeBench bench({5, 4, 2, 3});
  EXPECT_EQ(bench.search({.budget = 1e6}), 2u);
  EXPECT_EQ(bench.prepared, (std::vector<size_t>{0, 1, 2, 3})) << "in the order given";
  EXPECT_EQ(bench.ready, (std::set<size_t>{0, 2})) << "only those still needed are kept";
  EXPECT_EQ(bench.trials[2].seconds, 2);
}

TEST(TuneSearch, SlowOnesAreCutOffEarly) {
  FakeBench bench({1, 10, 1.1, 0.9});
  EXPECT_EQ(bench.search({.budget = 1e6, .samples = 10}), 3u);
  EXPECT_EQ(bench.calls[1], 2u) << "the first call warms up, the second tells";
  EXPECT_EQ(bench.trials[1].outcome, Outcome::cut);
  EXPECT_EQ(bench.calls[2], 10u) << "close enough to be measured in full";
  EXPECT_EQ(bench.trials[2].outcome, Outcome::measured);
}

TEST(TuneSearch, TheUsualOneWinsUnlessAnotherIsWorthwhile) {
  FakeBench same({1, 0.99});
  EXPECT_EQ(same.search({.budget = 1e6}), 0u);
  FakeBench better({1, 0.97});
  EXPECT_EQ(better.search({.budget = 1e6}), 1u);
}

TEST(TuneSearch, WrongAndFailingOnesNeverWin) {
  FakeBench bench({5, 1, 2, 4});
  bench.wrong[1] = "its results are off";
  bench.failing[2] = "buffers of a block take too much";
  EXPECT_EQ(bench.search({.budget = 1e6}), 3u);
  EXPECT_EQ(bench.trials[1].outcome, Outcome::wrong);
  EXPECT_EQ(bench.trials[2].outcome, Outcome::failed);
  EXPECT_EQ(bench.trials[2].note, "buffers of a block take too much");
  EXPECT_EQ(bench.calls[1] + bench.calls[2], 0u) << "not even timed";
}

TEST(TuneSearch, TheUsualOneMustBeRight) {
  FakeBench wrong({5, 1});
  wrong.wrong[0] = "its results are off by 3";
  EXPECT_ERROR(wrong.search(), "its results are off by 3");
  FakeBench failing({5, 1});
  failing.failing[0] = "no such thing";
  EXPECT_ERROR(failing.search(), "no such thing");
  EXPECT_EQ(failing.prepared.size(), 1u);
}

TEST(TuneSearch, NothingIsBegunAfterTheBudget) {
  FakeBench bench({5, 4, 3, 2});
  EXPECT_EQ(bench.search({.budget = 15, .samples = 10}), 1u); // ten seconds each
  EXPECT_EQ(bench.trials[1].outcome, Outcome::measured);
  EXPECT_EQ(bench.trials[2].outcome, Outcome::unreached);
  EXPECT_EQ(bench.trials[3].outcome, Outcome::unreached);
  FakeBench none({5, 4});
  EXPECT_EQ(none.search({.budget = 0}), 0u) << "the usual one is always measured";
}

TEST(TuneSearch, ProgressNamesEachTrial) {
  FakeBench bench({5, 4, 3});
  std::vector<std::pair<size_t, size_t>> seen;
  TuneOptions options;
  options.budget = 1e6;
  options.progress = [&](const TuneTrial &trial, size_t number, size_t count) {
    EXPECT_EQ(trial.choice[0], static_cast<int64_t>(number - 1));
    EXPECT_EQ(trial.outcome, Outcome::measured);
    seen.emplace_back(number, count);
  };
  bench.search(options);
  EXPECT_EQ(seen, (std::vector<std::pair<size_t, size_t>>{{1, 3}, {2, 3}, {3, 3}}));
}

} // namespace
} // namespace tessera
