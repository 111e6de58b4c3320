// Candidates from the parameters, their preparation and check, and the store.
#include "tilelang/driver/tuner.h"

#include "core/thread_pool.h"
#include "tilelang/cpu/EstimateCost.h"
#include "tilelang/driver/ProgramFacts.h"
#include "tilelang/driver/cache.h"
#include "tilelang/driver/compare_outputs.h"
#include "tilelang/driver/disk_cache.h"
#include "tilelang/driver/resolved_target.h"
#include "tilelang/driver/tune_search.h"
#include "tilelang/dsl/ProgramImpl.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace tessera {
namespace {

constexpr size_t kMostCandidates = 4096;
constexpr std::string_view kStoreVersion = "tuned 1";

[[noreturn]] void refuse(std::string what, std::string advice) {
  throw Error(Diagnostic{std::move(what), {}, std::move(advice)});
}

void check(const Tunable &tunable) {
  if (tunable.parameters.empty())
    refuse(fmt::format("`{}` has no parameters to tune", tunable.name), "name some with their values");
  size_t count = 1;
  for (const TuneParameter &parameter : tunable.parameters) {
    count *= std::max<size_t>(1, parameter.values.size());
    if (count > kMostCandidates)
      refuse(fmt::format("the values of `{}` make more than {} candidates", tunable.name, kMostCandidates),
             "name fewer values");
  }
}

void check(const TuneOptions &options) {
  if (options.samples < 5) refuse(fmt::format("{} samples are too few", options.samples), "take 5 or more");
  if (!(options.budget >= 0)) refuse(fmt::format("a budget of {} seconds", options.budget), "give 0 or more");
}

std::vector<Argument> cloned(std::span<const Argument> arguments) {
  std::vector<Argument> copies(arguments.begin(), arguments.end());
  for (Argument &argument : copies)
    if (auto *tensor = std::get_if<Tensor>(&argument)) *tensor = tensor->clone();
  return copies;
}

/// Fills outputs so that right ones which are there already do not count: with NaN, or for types without it a value
/// that hardly ever is the right one everywhere.
void poisonOutputs(const Signature &signature, std::vector<Argument> &arguments) {
  for (size_t i = 0; i < std::min(arguments.size(), signature.parameters.size()); ++i) // the call refuses more or fewer
    if (auto *tensor = std::get_if<Tensor>(&arguments[i]))
      if (signature.parameters[i].access == Parameter::Access::write)
        tensor->fill(isFloat(tensor->dtype()) ? NAN : 127);
}

/// Every combination that is allowed, the usual one first.
std::vector<TuneTrial> combinations(const Tunable &tunable) {
  std::vector<TuneTrial> trials = {{tunable.usual()}};
  std::vector<int64_t> choice(tunable.parameters.size());
  auto descend = [&](auto &self, size_t at) -> void {
    if (at == choice.size()) {
      if (choice != trials[0].choice && (!tunable.allows || tunable.allows(choice))) trials.push_back({choice});
      return;
    }
    for (int64_t value : tunable.parameters[at].values) {
      choice[at] = value;
      self(self, at + 1);
    }
  };
  descend(descend, 0);
  return trials;
}

int threadsOf(const CompileOptions &options) { return options.threads > 0 ? options.threads : defaultThreads(); }

/// By the figures of the chip; 0 where the target is none, and infinity where there is no such program.
double estimate(const Tunable &tunable, Choice choice, std::span<const Argument> arguments,
                const ResolvedTarget &target, int threads) {
  if (target.kind != ResolvedTarget::Kind::cpu) return 0;
  try {
    Program program = tunable.program(choice);
    return cpu::estimateCycles(program.impl().function, arguments, *target.isa, threads);
  } catch (const Error &) {
    return std::numeric_limits<double>::infinity(); // its trial says why
  }
}

Hash128 storeKey(const Tunable &tunable, std::span<const int64_t> sizes, std::string_view targetName,
                 const CompileOptions &options) {
  ResolvedTarget target = resolveTarget(targetName, options.chip);
  Hash128 content = programFacts(tunable.program(tunable.usual()))->content;
  Hasher hasher;
  hasher.add(kStoreVersion).add(tunable.name).add(content.high).add(content.low).add(target.name);
  for (const TuneParameter &parameter : tunable.parameters) hasher.add(parameter.name).add(parameter.usual);
  if (target.isa) {
    hasher.add(target.isa->cpu).add(target.isa->features);
    hasher.add(target.isa->chip.content.high).add(target.isa->chip.content.low);
  }
  hasher.add(threadsOf(options)).add(options.trapOutOfBounds).add(options.orderedAtomics);
  for (int64_t size : sizes) hasher.add(size <= 0 ? 0 : std::bit_ceil(static_cast<uint64_t>(size)));
  return hasher.finish();
}

std::optional<DiskCache> openStore(const CompileOptions &options) {
  if (!options.useCache) return std::nullopt;
  std::string directory = options.cacheDirectory.empty() ? defaultCacheDirectory() : options.cacheDirectory;
  if (directory.empty()) return std::nullopt;
  return DiskCache::open(directory, kMaxCacheBytes);
}

std::string storedText(const Tunable &tunable, Choice choice) {
  return fmt::format("{}: {}", kStoreVersion, tunable.text(choice));
}

/// The allowed combination with this text, so that nothing else is ever taken from the store.
std::optional<std::vector<int64_t>> parseStored(const Tunable &tunable, std::string_view text) {
  for (const TuneTrial &trial : combinations(tunable))
    if (storedText(tunable, trial.choice) == text) return trial.choice;
  return std::nullopt;
}

class Measurement {
public:
  Measurement(const Tunable &tunable, std::span<const Argument> arguments, const TuneOptions &options,
              const std::vector<TuneTrial> &trials)
      : tunable(tunable), given(arguments), options(options), trials(trials) {}

  std::string prepare(size_t at) {
    CompileOptions compileOptions = options.compile;
    compileOptions.useCache = false; // most candidates are never used again
    Kernel kernel = compile(tunable.program(trials[at].choice), options.target, compileOptions);
    std::vector<Argument> after = cloned(given);
    poisonOutputs(kernel.signature(), after);
    kernel.run(after);
    std::string problem = problemOf(kernel, after);
    if (at == 0) usualResults = std::move(after);
    if (problem.empty()) ready.emplace(at, std::pair{std::move(kernel), cloned(given)});
    return problem;
  }

  double time(size_t at) {
    auto &[kernel, arguments] = ready.at(at);
    auto start = std::chrono::steady_clock::now();
    kernel.run(arguments);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  void drop(size_t at) { ready.erase(at); }

private:
  std::string problemOf(const Kernel &kernel, const std::vector<Argument> &after) const {
    double error = 0;
    if (options.error)
      error = options.error(given, after);
    else if (!usualResults.empty())
      error = largestDifference(kernel.signature(), usualResults, after);
    if (error <= 1) return "";
    return fmt::format("its results are off by {:.3g} of what is allowed", error);
  }

  const Tunable &tunable;
  std::span<const Argument> given;
  const TuneOptions &options;
  const std::vector<TuneTrial> &trials;
  std::vector<Argument> usualResults;
  std::map<size_t, std::pair<Kernel, std::vector<Argument>>> ready;
};

double monotonicSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

std::vector<int64_t> Tunable::usual() const {
  std::vector<int64_t> values;
  for (const TuneParameter &parameter : parameters) values.push_back(parameter.usual);
  return values;
}

std::string Tunable::text(Choice choice) const {
  std::vector<std::string> list;
  for (size_t i = 0; i < parameters.size(); ++i) list.push_back(fmt::format("{} = {}", parameters[i].name, choice[i]));
  return fmt::format("{}", fmt::join(list, ", "));
}

std::vector<TuneTrial> tuneCandidates(const Tunable &tunable, std::span<const Argument> arguments,
                                      const TuneOptions &options) {
  check(tunable);
  ResolvedTarget target = resolveTarget(options.target, options.compile.chip);
  std::vector<TuneTrial> trials = combinations(tunable);
  for (TuneTrial &trial : trials)
    trial.estimate = estimate(tunable, trial.choice, arguments, target, threadsOf(options.compile));
  std::stable_sort(trials.begin() + 1, trials.end(),
                   [](const TuneTrial &a, const TuneTrial &b) { return a.estimate < b.estimate; });
  return trials;
}

TuneResult tune(const Tunable &tunable, std::span<const int64_t> sizes, std::span<const Argument> arguments,
                const TuneOptions &options) {
  check(options);
  check(tunable);
  Hash128 key = storeKey(tunable, sizes, options.target, options.compile);
  TuneResult result;
  if (!options.force)
    if (auto kept = tunedChoice(tunable, sizes, options.target, options.compile)) {
      result.choice = *kept;
      result.wasKept = result.isKept = true;
      return result;
    }
  result.trials = tuneCandidates(tunable, arguments, options);
  Measurement measurement(tunable, arguments, options, result.trials);
  TuneBench bench{[&](size_t at) { return measurement.prepare(at); }, [&](size_t at) { return measurement.time(at); },
                  [&](size_t at) { measurement.drop(at); }, monotonicSeconds};
  result.winner = searchBest(result.trials, bench, options);
  result.choice = result.trials[result.winner].choice;
  if (std::optional<DiskCache> store = openStore(options.compile))
    result.isKept = store->store(key, storedText(tunable, result.choice));
  return result;
}

std::optional<std::vector<int64_t>> tunedChoice(const Tunable &tunable, std::span<const int64_t> sizes,
                                                std::string_view target, const CompileOptions &options) {
  check(tunable);
  std::optional<DiskCache> store = openStore(options);
  if (!store) return std::nullopt;
  std::optional<std::string> text = store->find(storeKey(tunable, sizes, target, options));
  return text ? parseStored(tunable, *text) : std::nullopt;
}

Kernel compileTuned(const Tunable &tunable, std::span<const int64_t> sizes, std::string_view target,
                    const CompileOptions &options) {
  std::vector<int64_t> choice = tunedChoice(tunable, sizes, target, options).value_or(tunable.usual());
  return compile(tunable.program(choice), target, options);
}

} // namespace tessera
