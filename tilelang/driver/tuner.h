// The autotuner: finds good values for the parameters of a kernel factory by measuring, and keeps them for this
// machine.
//
//     Tunable product = {"gemm", {{"bm", 256, {64, 128, 256}}, {"bk", 256, {128, 256, 512}}}, [](Choice c) {
//       return gemmProgram(c[0], c[1]);
//     }};
//     tune(product, {1024, 1024}, arguments);                       // once, measures
//     Kernel kernel = compileTuned(product, {1024, 1024}, "cpu");   // from then on, in any process
//
// What has been found is kept with the kernel cache (cache.h): for the kernel with its parameters and its program, the
// target and the chip with its figures, the number of threads, and the class of the sizes. Sizes are in one class if
// they have the same power of two as the next not below them. Entries appear whole or not at all, and one that is
// damaged counts as absent.
#pragma once

#include "core/argument.h"
#include "tilelang/driver/compile.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// Values for the parameters of a factory, in their order.
using Choice = std::span<const int64_t>;

struct TuneParameter {
  std::string name;
  /// The value that is good in general and used without tuning; tried whether it is among the values or not.
  int64_t usual = 0;
  std::vector<int64_t> values;
};

/// A kernel factory with its parameters. What it makes must give the same results for every choice, up to the rounding
/// of sums in another order.
struct Tunable {
  std::string name;
  std::vector<TuneParameter> parameters;
  std::function<Program(Choice)> program;
  /// Which combinations are worth trying, where not all are.
  std::function<bool(Choice)> allows;

  std::vector<int64_t> usual() const;
  /// "bm = 64, bk = 256".
  std::string text(Choice choice) const;
};

/// One candidate and what became of it.
struct TuneTrial {
  enum class Outcome : uint8_t {
    unreached, ///< the budget was spent
    failed,    ///< it does not compile or run; the note says why
    wrong,     ///< its results are not those of the usual choice
    cut,       ///< clearly slower than the best one, after fewer samples
    measured,
  };
  std::vector<int64_t> choice;
  double estimate = 0; ///< cycles by the figures of the chip; candidates are tried in its order
  Outcome outcome = Outcome::unreached;
  double seconds = 0; ///< of the fastest sample
  int samples = 0;
  std::string note;
};

struct TuneOptions {
  std::string target = "cpu";
  /// For compiling candidates, and for the place where the result is kept.
  CompileOptions compile;
  /// Seconds after which no further candidate is begun.
  double budget = 60;
  /// Calls of each candidate, five or more.
  int samples = 10;
  /// Measures even if there is a result already.
  bool force = false;
  /// How far the outputs are from the right ones in units of what is allowed; at most 1 is right. Given the arguments
  /// before and after the call. Without it, outputs are compared with those of the usual choice by
  /// compare_outputs.h, whose allowance follows the precision of the type: it notices little in floats of 8 bits.
  std::function<double(std::span<const Argument> before, std::span<const Argument> after)> error;
  /// Called after each trial with its number, from 1, and the number of candidates.
  std::function<void(const TuneTrial &, size_t number, size_t count)> progress;
};

struct TuneResult {
  std::vector<int64_t> choice;
  /// Whether it was found instead of measured; then there are no trials.
  bool wasKept = false;
  /// Whether it is kept: there is a cache directory, and it could be written.
  bool isKept = false;
  /// In the order in which they were tried; the first is the usual choice.
  std::vector<TuneTrial> trials;
  size_t winner = 0;
};

/// Measures the candidates on the arguments, whose tensors are not changed, and keeps the best. Every candidate has to
/// give the right results first, as far as `error` tells. Throws Error for a factory without parameters or with no
/// program for its usual choice, for options out of range, for what the usual choice throws or if its results are
/// wrong, and for what a candidate throws in a call after its check.
TuneResult tune(const Tunable &tunable, std::span<const int64_t> sizes, std::span<const Argument> arguments,
                const TuneOptions &options = {});

/// The candidates in the order in which they would be tried, nothing measured.
std::vector<TuneTrial> tuneCandidates(const Tunable &tunable, std::span<const Argument> arguments,
                                      const TuneOptions &options = {});

/// What has been found for these sizes; nothing where they have not been tuned, or the cache is off.
std::optional<std::vector<int64_t>> tunedChoice(const Tunable &tunable, std::span<const int64_t> sizes,
                                                std::string_view target = "cpu", const CompileOptions &options = {});

/// Compiles the program of what has been found for these sizes, else of the usual choice. Options are those of
/// `compile`.
Kernel compileTuned(const Tunable &tunable, std::span<const int64_t> sizes, std::string_view target = "cpu",
                    const CompileOptions &options = {});

} // namespace tessera
