// One turn after the other, each with as many calls as make it long enough for the clock.
#include "bench/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

namespace tessera::bench {
namespace {

double clockSeconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double secondsOf(const Contestant &contestant) {
  if (contestant.seconds) return contestant.seconds();
  double begin = clockSeconds(CLOCK_MONOTONIC);
  contestant.call();
  return clockSeconds(CLOCK_MONOTONIC) - begin;
}

/// Seconds of one call, over `calls` calls.
double sample(const Contestant &contestant, int64_t calls) {
  double sum = 0;
  if (contestant.seconds) {
    for (int64_t c = 0; c < calls; ++c) sum += contestant.seconds();
    return sum / static_cast<double>(calls);
  }
  double begin = clockSeconds(CLOCK_MONOTONIC);
  for (int64_t c = 0; c < calls; ++c) contestant.call();
  return (clockSeconds(CLOCK_MONOTONIC) - begin) / static_cast<double>(calls);
}

/// A contestant with its place in the result.
struct Runner {
  const Contestant *contestant;
  Timing *timing;
  int64_t calls = 1; // in one turn
};

/// Runs once on poisoned outputs and compares; false, with the reason in the timing, if it may not be timed.
bool isRight(const Prepared &prepared, const Runner &runner) {
  try {
    if (prepared.poison) prepared.poison();
    secondsOf(*runner.contestant);
    if (prepared.check) runner.timing->ofBound = prepared.check().ofBound;
  } catch (const std::exception &error) {
    runner.timing->failure = error.what();
    return false;
  }
  if (runner.timing->ofBound <= 1) return true;
  runner.timing->failure = "further from double precision than rounding explains";
  return false;
}

/// How many calls fill a turn. The first call has been made by the check.
int64_t callsOfTurn(const Contestant &contestant, double shortest) {
  double once = secondsOf(contestant);
  for (int64_t calls = 1;; calls *= 4) { // several at a time, where one is below what the clock resolves
    if (once * static_cast<double>(calls) > shortest / 8)
      return std::max<int64_t>(1, std::llround(std::ceil(shortest / once)));
    once = sample(contestant, calls * 4);
  }
}

void takeTurns(std::vector<Runner> &runners, const Case &benchCase, Result &result, MachineLimits &limits,
               const MeasureOptions &options) {
  bool hasLimit = benchCase.limit != Limit::none && whyAbsent(benchCase.limit).empty();
  for (Runner &runner : runners) runner.calls = callsOfTurn(*runner.contestant, options.shortestSample);
  for (int turn = 0; turn < options.samples; ++turn) {
    waitUntilQuiet();
    if (hasLimit) result.limitRates.push_back(limits.measure(benchCase.limit, benchCase.threads));
    for (Runner &runner : runners) {
      waitUntilQuiet();
      // One call brings back what the one before has driven from the caches.
      if (runner.calls > 1) secondsOf(*runner.contestant);
      runner.timing->seconds.push_back(sample(*runner.contestant, runner.calls));
    }
  }
}

void measurePrepared(const Prepared &prepared, const Case &benchCase, Result &result, MachineLimits &limits,
                     const MeasureOptions &options) {
  result.ours.name = prepared.ours.name;
  for (const Contestant &peer : prepared.peers) result.peers.push_back({.name = peer.name});
  std::vector<Runner> runners;
  auto add = [&](const Contestant &contestant, Timing &timing) {
    Runner runner{&contestant, &timing};
    if (isRight(prepared, runner)) runners.push_back(runner);
  };
  add(prepared.ours, result.ours);
  if (runners.empty()) return; // a wrong kernel has no speed, and nothing to compare with
  for (size_t p = 0; p < prepared.peers.size(); ++p) add(prepared.peers[p], result.peers[p]);
  takeTurns(runners, benchCase, result, limits, options);
}

} // namespace

void waitUntilQuiet() {
  for (int round = 0; round < 250; ++round) {
    double before = clockSeconds(CLOCK_PROCESS_CPUTIME_ID);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (clockSeconds(CLOCK_PROCESS_CPUTIME_ID) - before < 0.2e-3) return;
  }
}

Result measure(const Case &benchCase, MachineLimits &limits, const MeasureOptions &options) {
  Result result{.name = benchCase.name,
                .family = benchCase.family(),
                .sizes = benchCase.sizes,
                .threads = benchCase.threads,
                .limit = benchCase.limit,
                .bar = benchCase.bar,
                .work = benchCase.work,
                .amount = benchCase.amount()};
  try {
    measurePrepared(benchCase.prepare(), benchCase, result, limits, options);
  } catch (const std::exception &error) {
    result.ours.failure = error.what();
    result.ours.seconds.clear();
  }
  return result;
}

} // namespace tessera::bench
