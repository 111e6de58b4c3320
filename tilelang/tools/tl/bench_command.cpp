// tl bench: a table of times and rates.
#include "tilelang/tools/tl/commands.h"
#include "tilelang/tools/tl/subject.h"

#include <fmt/format.h>

namespace tessera::tool {
namespace {

std::string rate(double value) { return value > 0 ? fmt::format("{:.1f}", value) : "-"; }

void printHeader() {
  fmt::print("{:24} {:36} {:>11} {:>11} {:>10} {:>8}\n", "kernel", "sizes", "median ms", "p95 ms", "GFLOP/s", "GB/s");
}

std::string measuredRow(const std::string &name, const Options &options) {
  Subject subject = Subject::open(name, options);
  Kernel kernel = subject.compile(options);
  std::vector<Argument> arguments = subject.arguments(options);
  Profile result = profile(kernel, arguments, subject.work(), {.samples = options.samples});
  return fmt::format("{:24} {:36} {:>11.4f} {:>11.4f} {:>10} {:>8}\n", name, subject.sizesText(), result.median() * 1e3,
                     result.p95() * 1e3, rate(result.gflops()), rate(result.gigabytes()));
}

} // namespace

int benchSubjects(const Options &options) {
  std::vector<std::string> names = options.subjects;
  if (names.empty())
    for (const examples::Example &example : examples::allExamples()) names.push_back(example.name);
  for (const std::string &name : names) {
    std::string row = measuredRow(name, options);
    if (&name == &names.front()) printHeader(); // not before there is something to print
    fmt::print("{}", row);
    std::fflush(stdout);
  }
  return 0;
}

} // namespace tessera::tool
