// tl run: one call, its outputs' checksums, and on request the comparison with what is right.
#include "core/hash.h"
#include "tilelang/tools/tl/commands.h"
#include "tilelang/tools/tl/random_arguments.h"
#include "tilelang/tools/tl/subject.h"

#include <chrono>
#include <fmt/format.h>
#include <unistd.h>

namespace tessera::tool {
namespace {

/// Of the elements in row-major order.
std::string checksum(const Tensor &tensor) {
  Tensor packed = tensor.clone();
  const auto *bytes = static_cast<const std::byte *>(packed.data());
  return hash128(std::span(bytes, static_cast<size_t>(packed.bytes()))).hex();
}

void printOutputs(const Signature &signature, const std::vector<Argument> &arguments) {
  for (size_t i = 0; i < arguments.size(); ++i)
    if (const auto *tensor = std::get_if<Tensor>(&arguments[i]); tensor && signature.parameters[i].isWritten())
      fmt::print("{} {}{} {}\n", signature.parameters[i].name, name(tensor->dtype()), shapeText(tensor->shape()),
                 checksum(*tensor));
}

} // namespace

int runSubject(const Options &options) {
  Subject subject = Subject::open(options.subjects.at(0), options);
  Kernel kernel = subject.compile(options);
  std::vector<Argument> arguments = subject.arguments(options), before;
  if (options.check) before = cloneAll(arguments);
  fmt::print("{} on {}\n", kernel.signature().text(), kernel.target());
  if (!subject.sizes().empty()) fmt::print("{}\n", subject.sizesText());
  if (!subject.tunedText().empty()) fmt::print("tuned to {}\n", subject.tunedText());
  std::fflush(stdout);
  auto start = std::chrono::steady_clock::now();
  kernel.run(arguments);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  printOutputs(kernel.signature(), arguments);
  fmt::print("first call {:.3f} ms\n", seconds * 1e3);
  if (!options.check) return 0;
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "comparing with {} ...\n", subject.referenceName());
  double error = subject.error(before, arguments, options);
  fmt::print("{}: largest error {:.3g} of what rounding allows\n", error <= 1 ? "right" : "WRONG", error);
  return error <= 1 ? 0 : 1;
}

} // namespace tessera::tool
