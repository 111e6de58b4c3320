// Turns MLIR diagnostics into ours: every error becomes a Diagnostic, a note "help: ..." its advice, followed by the
// other notes with their source lines.
#pragma once

#include "core/error.h"

#include "mlir/IR/Diagnostics.h"

#include <string_view>
#include <vector>

namespace tessera {

/// While alive, collects the diagnostics of one context instead of printing them.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext *context);

  const std::vector<Diagnostic> &errors() const { return errorList; }
  /// Warnings and remarks, in order.
  const std::vector<Diagnostic> &remarks() const { return remarkList; }

  /// Throws all errors; where there is none, one that says `otherwise`.
  [[noreturn]] void throwErrors(std::string_view otherwise) const;

private:
  std::vector<Diagnostic> errorList, remarkList;
  mlir::ScopedDiagnosticHandler handler;
};

/// The file and line of a location, looking through names, call sites and fusions.
SourceLine sourceLine(mlir::Location loc);

} // namespace tessera
