// What the driver finds out about a program once, and then keeps with it.
#pragma once

#include "core/hash.h"
#include "tilelang/driver/signature.h"
#include "tilelang/dsl/program.h"

#include <memory>
#include <string>

namespace tessera {

struct ProgramFacts {
  Signature signature;
  /// The entry function as text with source lines, to be parsed into another context.
  std::string text;
  /// Hash of the function, without source lines and with them.
  Hash128 content, contentWithLines;
  /// Whether the code holds source lines whatever the options are.
  bool hasAssertions = false;
};

/// The facts of a program that has passed the checks which every target relies on; throws their errors otherwise. Kept
/// with the program: only the first call takes time, about a millisecond.
std::shared_ptr<const ProgramFacts> programFacts(const Program &program);

} // namespace tessera
