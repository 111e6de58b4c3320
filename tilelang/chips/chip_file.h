// Reads a chip description: the form that the files of all targets share (chips/README.md). What a target makes of the
// figures is its own matter, as cpu_chip.h for the CPU.
#pragma once

#include "core/error.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::chips {

/// How well a figure is known, best first; `detected` on the machine itself, never written in a file.
enum class Confidence : uint8_t { detected, measured, documented, assumed };
std::string_view name(Confidence confidence);

/// One number of a chip.
struct Figure {
  double value = 0;
  std::string unit;
  Confidence confidence = Confidence::assumed;
  std::string source; ///< spelled out
  SourceLine where;
};

struct NameList {
  std::vector<std::string> names;
  SourceLine where;
};

struct ChipFile {
  std::string path;
  std::string chip, family, summary;
  SourceLine familyLine;
  /// Lists of names, such as `cpus: [znver4]`.
  std::map<std::string, NameList> lists;
  /// By section and name: "vector.width".
  std::map<std::string, Figure> figures;
};

/// Throws Error, naming file and line, for a file that cannot be read or does not have the form.
ChipFile readChipFile(const std::string &path);

/// A unit that a figure may be given in, and how many of the target's own unit it is.
struct Unit {
  std::string_view name;
  double scale = 1;
};

/// What a target expects of one figure. The bounds are in its own unit, that is the first one.
struct FigureRule {
  std::string_view name;
  std::span<const Unit> units;
  double least, most;
  bool whole = false;
  bool required = true;
};

/// The figures by name in the target's own units. Throws Error, with one diagnostic for each, for figures that no rule
/// knows, that are missing, in another unit or out of range.
std::map<std::string, double> checkedFigures(const ChipFile &file, std::span<const FigureRule> rules);

/// Throws Error unless the file has just these lists.
void requireLists(const ChipFile &file, std::span<const std::string_view> known);

} // namespace tessera::chips
