// What the user asked `tl` for.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace tessera::tool {

/// Whole where it is written as an integer: doubles do not hold all of them.
using Number = std::variant<int64_t, double>;

struct Options {
  /// Names of examples or .mlir files; "-" is standard input.
  std::vector<std::string> subjects;
  /// The function of a file that holds several.
  std::string entry;

  std::string target = "cpu";
  /// A chip of the folder or a file, instead of the target's own.
  std::string chip;
  int threads = 0;
  bool trapOutOfBounds = false;
  bool useCache = true;

  /// Run-time sizes and numbers by name; what is not given has a default.
  std::map<std::string, int64_t> sizes;
  std::map<std::string, Number> numbers;
  uint64_t seed = 1;

  bool check = false;
  int samples = 20;

  /// Whether programs of examples take what has been tuned.
  bool useTuned = true;
  /// Of `tl tune`.
  double budget = 60;
  int tuneSamples = 10;
  bool listOnly = false;
  bool force = false;

  /// Of the chip, with `tl devices`.
  bool figures = false;

  /// "tile", "llvm", "asm" or nothing.
  std::string emit;
  /// The pass after which to print.
  std::string printAfter;
  /// A file instead of standard output.
  std::string output;
};

} // namespace tessera::tool
