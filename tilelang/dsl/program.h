// A tile program as a value: made by the language or parsed from text, and handed to `compile`.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace tessera {

/// One tile program: a function over tensors and scalars that launches kernels. Cheap to copy; copies share the
/// program.
class Program {
public:
  struct Impl;
  explicit Program(std::shared_ptr<Impl> impl) : shared(std::move(impl)) {}

  /// Parses the textual form (.mlir). `fileName` appears in messages. Throws Error with one diagnostic for each finding
  /// of the parser or the verifiers, and if the text holds no function or several without one named `entry`.
  static Program parse(std::string_view text, std::string_view fileName = "<text>", std::string_view entry = "");

  /// The name of the function.
  std::string name() const;

  /// The textual form; `parse(text())` gives the same program.
  std::string text() const;

  /// For the compiler: see ProgramImpl.h.
  Impl &impl() const { return *shared; }

private:
  std::shared_ptr<Impl> shared;
};

} // namespace tessera
