// Collects diagnostics and finds their source lines.
#include "tilelang/ir/DiagnosticCollector.h"

#include "mlir/IR/Location.h"

using namespace mlir;

namespace tessera {
namespace {

tessera::Diagnostic convert(mlir::Diagnostic &from) {
  tessera::Diagnostic to{from.str(), sourceLine(from.getLocation()), ""};
  for (mlir::Diagnostic &note : from.getNotes()) {
    std::string text = note.str();
    if (StringRef(text).starts_with("see current operation")) continue;
    if (StringRef(text).starts_with("help: ")) text.erase(0, 6);
    to.advice += (to.advice.empty() ? "" : "; ") + text;
  }
  return to;
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
