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
  int threads = 0;
  bool trapOutOfBounds = false;
  bool useCache = true;

  /// Run-time sizes and numbers by name; what is not given has a default.
  std::map<std::string, int64_t> sizes;
  std::map<std::string, Number> numbers;
  uint64_t seed = 1;

  bool check = false;
  int samples = 20;

  /// "tile", "llvm", "asm" or nothing.
  std::string emit;
  /// The pass after which to print.
  std::string printAfter;
  /// A file instead of standard output.
  std::string output;
};

} // namespace tessera::tool
