// The command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tessera::bench {

struct Options {
  std::vector<std::string> filters;
  bool list = false;
  bool quick = false;
  int threads = 0;
  int samples = 0;
  std::string json, html;
  /// Fail if a case reaches less than this part of its bar; 0 asks for right results only.
  double floor = 0;
  /// Only compile one kernel and print the seconds; a case runs the program anew with this.
  bool firstCompile = false;
};

/// The exit code if the program is to end here (help, or a wrong command line, which has been reported).
std::optional<int> parseCommandLine(int argc, char **argv, Options &options);

} // namespace tessera::bench
