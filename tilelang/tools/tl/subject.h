// What a command works on: a registered example or the program of a .mlir file.
#pragma once

#include "examples/registry.h"
#include "tilelang/driver/compile.h"
#include "tilelang/driver/profiler.h"
#include "tilelang/tools/tl/options.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera::tool {

class Subject {
public:
  /// Opens an example by its name, or a file: "-", a name that ends in .mlir, or a path.
  static Subject open(const std::string &name, const Options &options);

  const Program &program() const { return theProgram; }
  Kernel compile(const Options &options) const;

  /// What of the subject may be tuned; throws Error where nothing is.
  Tunable tunable() const;
  /// "block = 4096" where the program is that of a tuned choice; else empty.
  const std::string &tunedText() const { return tuned; }

  /// Names and values of the run-time sizes: those given, else the example's own, else kDefaultSize.
  const std::vector<std::pair<std::string, int64_t>> &sizes() const { return theSizes; }
  std::vector<int64_t> sizeValues() const;
  /// "m = 512, n = 64".
  std::string sizesText() const;

  /// Arguments for one call: an example's own, for a file random ones from the seed.
  std::vector<Argument> arguments(const Options &options) const;

  /// What a call has to do, where the example says so.
  Work work() const;

  /// How far the outputs are from the right ones, in units of what rounding allows; at most 1 is right. `before` are
  /// the arguments before the call. Examples are compared with double precision, files with the interpreter.
  double error(const std::vector<Argument> &before, const std::vector<Argument> &after, const Options &options) const;

  /// The same for the outputs of many calls with these arguments; only for examples.
  std::function<double(std::span<const Argument>, std::span<const Argument>)>
  errorOf(const std::vector<Argument> &before) const;

  /// With what `error` compares, for messages.
  const char *referenceName() const { return example ? "double precision" : "the interpreter"; }

  static CompileOptions compileOptions(const Options &options);

  static constexpr int64_t kDefaultSize = 100;

private:
  const examples::Example *example = nullptr;
  Program theProgram;
  Signature signature;
  std::vector<std::pair<std::string, int64_t>> theSizes;
  std::string tuned;

  Subject(const examples::Example *example, Program program);
  void setSizes(const Options &options);
  void takeTuned(const Options &options);
};

} // namespace tessera::tool
