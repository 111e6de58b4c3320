// tl tune: measures the variants of an example, and keeps the best.
#include "tilelang/driver/cache.h"
#include "tilelang/tools/tl/commands.h"
#include "tilelang/tools/tl/subject.h"

#include <fmt/format.h>

namespace tessera::tool {
namespace {

constexpr double kToMs = 1e3;

std::string outcomeText(const TuneTrial &trial) {
  switch (trial.outcome) {
  case TuneTrial::Outcome::unreached: return "not reached";
  case TuneTrial::Outcome::failed: return "fails: " + trial.note;
  case TuneTrial::Outcome::wrong: return "WRONG: " + trial.note;
  case TuneTrial::Outcome::cut:
    return fmt::format("{:.4f} ms, given up after {} calls", trial.seconds * kToMs, trial.samples);
  case TuneTrial::Outcome::measured: return fmt::format("{:.4f} ms", trial.seconds * kToMs);
  }
  return "";
}

void printCandidates(const Tunable &tunable, const Subject &subject, const std::vector<Argument> &arguments,
                     const TuneOptions &tuning) {
  std::vector<TuneTrial> trials = tuneCandidates(tunable, arguments, tuning);
  auto kept = tunedChoice(tunable, subject.sizeValues(), tuning.target, tuning.compile);
  for (const TuneTrial &trial : trials)
    fmt::print("{:40} {:>12.0f} cycles{}{}\n", tunable.text(trial.choice), trial.estimate,
               &trial == &trials.front() ? ", usual" : "", kept == trial.choice ? ", tuned" : "");
}

void printResult(const Tunable &tunable, const TuneResult &result) {
  const TuneTrial &usual = result.trials.front(), &best = result.trials[result.winner];
  size_t wrong = 0, unreached = 0;
  for (const TuneTrial &trial : result.trials) {
    wrong += trial.outcome == TuneTrial::Outcome::wrong;
    unreached += trial.outcome == TuneTrial::Outcome::unreached;
  }
  if (unreached > 0) fmt::print("{} candidates were not reached within the budget\n", unreached);
  if (wrong > 0) fmt::print("{} candidates gave wrong results\n", wrong);
  if (result.winner == 0)
    fmt::print("best is {}, as usual\n", tunable.text(result.choice));
  else
    fmt::print("best is {}: {:.4f} ms, {:.2f} times as fast as usual\n", tunable.text(result.choice),
               best.seconds * kToMs, usual.seconds / best.seconds);
}

} // namespace

int tuneSubject(const Options &options) {
  Options untuned = options;
  untuned.useTuned = false;
  Subject subject = Subject::open(options.subjects.at(0), untuned);
  Tunable tunable = subject.tunable();
  std::vector<Argument> arguments = subject.arguments(options);
  TuneOptions tuning{.target = options.target,
                     .compile = Subject::compileOptions(options),
                     .budget = options.budget,
                     .samples = options.tuneSamples,
                     .force = options.force};
  if (options.listOnly) return printCandidates(tunable, subject, arguments, tuning), 0;
  fmt::print("{} for {}\n", tunable.name, subject.sizesText());
  tuning.error = subject.errorOf(arguments);
  tuning.progress = [&](const TuneTrial &trial, size_t number, size_t count) {
    fmt::print("{:>4}/{} {:40} {}\n", number, count, tunable.text(trial.choice), outcomeText(trial));
    std::fflush(stdout);
  };
  TuneResult result = tune(tunable, subject.sizeValues(), arguments, tuning);
  if (result.wasKept)
    fmt::print("best is {}, as found before; --force measures again\n", tunable.text(result.choice));
  else
    printResult(tunable, result);
  if (!result.isKept) fmt::print("not kept: there is no kernel cache\n");
  return 0;
}

} // namespace tessera::tool
