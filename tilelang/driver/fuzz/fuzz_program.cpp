// Fuzz target of the road from text to machine code: any text is either refused with an error or gives a program whose
// textual form parses back to the same program, and that compiles or is refused with an error. Nothing is run.
#include "core/error.h"
#include "tilelang/driver/compile.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace {

using tessera::Error;
using tessera::Program;

void requireText(const Error &error) {
  if (error.diagnostics().empty() || error.diagnostics().front().what.empty()) std::abort();
}

std::optional<Program> tryParse(std::string_view text) {
  try {
    return Program::parse(text, "fuzz.mlir");
  } catch (const Error &error) {
    requireText(error);
    return std::nullopt;
  }
}

void checkPrinting(const Program &program) {
  std::string printed = program.text();
  std::optional<Program> again = tryParse(printed);
  if (again && again->text() == printed) return;
  std::fprintf(stderr, "does not parse back:\n%s\n", printed.c_str());
  std::abort();
}

void checkCompiling(const Program &program) {
  try {
    tessera::compile(program, "cpu", {.useCache = false});
  } catch (const Error &error) {
    requireText(error);
  }
}

void check(std::string_view text) {
  std::optional<Program> program = tryParse(text);
  if (!program) return;
  checkPrinting(*program);
  checkCompiling(*program);
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
