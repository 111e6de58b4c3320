// Runs this program again with --first-compile and reads the seconds that it prints.
#include "bench/cases/first_compile.h"

#include "bench/kernels/kernels.h"
#include "core/error.h"
#include "tilelang/driver/compile.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>

namespace tessera::bench {

int printFirstCompile() {
  auto begin = std::chrono::steady_clock::now();
  compile(scaleProgram(2), "cpu", {.useCache = false});
  fmt::print("{}\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return 0;
}

double secondsOfFirstCompile() {
  std::string self = std::filesystem::read_symlink("/proc/self/exe"), quoted = "'";
  for (char c : self) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  FILE *pipe = popen((quoted + "' --first-compile").c_str(), "r");
  double seconds = 0;
  int read = pipe ? std::fscanf(pipe, "%lf", &seconds) : 0;
  if (!pipe || pclose(pipe) != 0 || read != 1)
    throw Error({"a new process of this program could not compile a kernel", {}, ""});
  return seconds;
}

} // namespace tessera::bench
