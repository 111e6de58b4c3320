// Text of diagnostics.
#include "core/error.h"

#include <fmt/format.h>

namespace tessera {

std::string Diagnostic::text() const {
  std::string out;
  if (where.known()) out = fmt::format("{}:{}: ", where.file, where.line);
  out += "error: " + what;
  if (!advice.empty()) out += "\n  help: " + advice;
  return out;
}

Error::Error(Diagnostic diagnostic) : Error(std::vector<Diagnostic>{std::move(diagnostic)}) {}

Error::Error(std::vector<Diagnostic> diagnostics) : list(std::move(diagnostics)) {
  for (const Diagnostic &d : list) {
    if (!text.empty()) text += '\n';
    text += d.text();
  }
}

} // namespace tessera
