// Compares by the fastest sample: whatever else the machine does only adds to it.
#include "tilelang/driver/tune_search.h"

#include <algorithm>
#include <limits>

namespace tessera {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

class Search {
public:
  Search(std::vector<TuneTrial> &trials, const TuneBench &bench, const TuneOptions &options)
      : trials(trials), bench(bench), options(options), begun(bench.now()) {}

  size_t run() {
    for (size_t at = 0; at < trials.size(); ++at) {
      if (at > 0 && bench.now() - begun > options.budget) break; // the rest stays unreached
      attempt(at);
      if (options.progress) options.progress(trials[at], at + 1, trials.size());
    }
    return best == 0 || isWorthwhile() ? best : 0;
  }

private:
  void attempt(size_t at) {
    TuneTrial &trial = trials[at];
    try {
      trial.note = bench.prepare(at);
    } catch (const Error &error) {
      if (at == 0) throw;
      trial.outcome = TuneTrial::Outcome::failed;
      trial.note = error.diagnostics().front().what;
    }
    if (at == 0 && !trial.note.empty()) throw Error(Diagnostic{trial.note, {}, "nothing can be compared with it"});
    if (trial.note.empty())
      measure(at);
    else if (trial.outcome != TuneTrial::Outcome::failed)
      trial.outcome = TuneTrial::Outcome::wrong;
    keepBest(at);
  }

  void measure(size_t at) {
    TuneTrial &trial = trials[at];
    double limit = at == 0 ? kNever : kCutOff * trials[best].seconds;
    trial.outcome = TuneTrial::Outcome::measured;
    trial.seconds = kNever;
    for (int sample = 0; sample < options.samples; ++sample) {
      trial.seconds = std::min(trial.seconds, bench.time(at));
      ++trial.samples;
      if (sample == 0 || trial.seconds <= limit) continue; // the first one also warms up
      trial.outcome = TuneTrial::Outcome::cut;
      return;
    }
  }

  /// Only the usual and the best candidate stay ready.
  void keepBest(size_t at) {
    if (at == 0) return;
    bool isBetter = trials[at].outcome == TuneTrial::Outcome::measured && trials[at].seconds < trials[best].seconds;
    size_t loser = isBetter ? best : at;
    if (isBetter) best = at;
    if (loser != 0) bench.drop(loser);
  }

  /// In turns, so that whatever the machine does happens to both.
  bool isWorthwhile() {
    double usual = kNever, tuned = kNever;
    for (int sample = 0; sample < options.samples; ++sample) {
      usual = std::min(usual, bench.time(0));
      tuned = std::min(tuned, bench.time(best));
    }
    trials[0].seconds = usual;
    trials[best].seconds = tuned;
    return tuned * kWorthwhile < usual;
  }

  std::vector<TuneTrial> &trials;
  const TuneBench &bench;
  const TuneOptions &options;
  double begun;
  size_t best = 0;
};

} // namespace

size_t searchBest(std::vector<TuneTrial> &trials, const TuneBench &bench, const TuneOptions &options) {
  return Search(trials, bench, options).run();
}

} // namespace tessera
