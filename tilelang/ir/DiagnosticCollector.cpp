// Collects diagnostics and finds their source lines.
#include "tilelang/ir/DiagnosticCollector.h"

#include "mlir/IR/Location.h"

#include <fmt/format.h>

using namespace mlir;

namespace tessera {
namespace {

std::string joined(const std::string &a, const std::string &b) { return a.empty() || b.empty() ? a + b : a + "; " + b; }

tessera::Diagnostic convert(mlir::Diagnostic &from) {
  std::string help, elsewhere;
  for (mlir::Diagnostic &note : from.getNotes()) {
    std::string text = note.str();
    if (StringRef(text).starts_with("see current operation")) continue;
    if (StringRef(text).starts_with("help: ")) {
      help = joined(help, text.substr(6));
      continue;
    }
    SourceLine line = sourceLine(note.getLocation());
    if (line.known()) text += fmt::format(" ({}:{})", line.file, line.line);
    elsewhere = joined(elsewhere, text);
  }
  return {from.str(), sourceLine(from.getLocation()), joined(help, elsewhere)};
}

} // namespace

SourceLine sourceLine(Location loc) {
  if (auto line = dyn_cast<FileLineColLoc>(loc))
    return SourceLine(line.getFilename().str(), static_cast<int>(line.getLine()), static_cast<int>(line.getColumn()));
  if (auto named = dyn_cast<NameLoc>(loc)) return sourceLine(named.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc)) return sourceLine(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (SourceLine line = sourceLine(part); line.known()) return line;
  return {};
}

DiagnosticCollector::DiagnosticCollector(MLIRContext *context)
    : handler(context, [this](mlir::Diagnostic &diag) {
        bool error = diag.getSeverity() == DiagnosticSeverity::Error;
        (error ? errorList : remarkList).push_back(convert(diag));
        return success();
      }) {}

void DiagnosticCollector::throwErrors(std::string_view otherwise) const {
  if (errorList.empty()) throw Error(tessera::Diagnostic{std::string(otherwise), {}, ""});
  throw Error(errorList);
}

} // namespace tessera
