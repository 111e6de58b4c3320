// Structured diagnostics: what went wrong, both values, where in the kernel, and what to do about it.
#pragma once

#include <exception>
#include <source_location>
#include <string>
#include <vector>

namespace tessera {

/// A place in a user's program: a C++ line (from std::source_location), a Python line, or a line of a .mlir file.
struct SourceLine {
  std::string file;
  int line = 0;
  int column = 0;

  SourceLine() = default;
  SourceLine(std::string file, int line, int column = 0) : file(std::move(file)), line(line), column(column) {}
  SourceLine(const std::source_location &at)
      : file(at.file_name()), line(static_cast<int>(at.line())), column(static_cast<int>(at.column())) {}
  bool known() const { return line > 0; }
};

/// One finding. `what` is a lower-case sentence that holds both values ("K extents differ: 32 vs 64"); `advice` says
/// what would be accepted and may be empty.
struct Diagnostic {
  std::string what;
  SourceLine where;
  std::string advice;

  /// "file:line: error: what\n  help: advice", each part only where known.
  std::string text() const;
};

/// The one exception type of the public API. `what()` is the text of all diagnostics, one after the other.
class Error : public std::exception {
public:
  explicit Error(Diagnostic diagnostic);
  explicit Error(std::vector<Diagnostic> diagnostics);
  const char *what() const noexcept override { return text.c_str(); }
  const std::vector<Diagnostic> &diagnostics() const { return list; }

private:
  std::vector<Diagnostic> list;
  std::string text;
};

} // namespace tessera
