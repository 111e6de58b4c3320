// Fuzz target of the program parser: any text is either refused with an error or gives a program whose textual form
// parses back to the same program.
#include "core/error.h"
#include "tilelang/dsl/program.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace {

using tessera::Error;
using tessera::Program;

std::optional<Program> tryParse(std::string_view text) {
  try {
    return Program::parse(text, "fuzz.mlir");
  } catch (const Error &error) {
    if (error.diagnostics().empty() || error.diagnostics().front().what.empty()) std::abort();
    return std::nullopt;
  }
}

void check(std::string_view text) {
  std::optional<Program> program = tryParse(text);
  if (!program) return;
  std::string printed = program->text();
  std::optional<Program> again = tryParse(printed);
  if (again && again->text() == printed) return;
  std::fprintf(stderr, "does not parse back:\n%s\n", printed.c_str());
  std::abort();
}

} // namespace

// A lit file may hold several programs, divided as mlir-opt's -split-input-file wants it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  constexpr std::string_view kDivider = "// -----\n";
  std::string_view text(reinterpret_cast<const char *>(data), size);
  for (size_t end; (end = text.find(kDivider)) != text.npos; text.remove_prefix(end + kDivider.size()))
    check(text.substr(0, end));
  check(text);
  return 0;
}
