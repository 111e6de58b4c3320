// YAML by LLVM's parser, which knows lines; everything else about the form is checked here.
#include "tilelang/chips/chip_file.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>

namespace yaml = llvm::yaml;

namespace tessera::chips {
namespace {

constexpr std::array<std::string_view, 4> kConfidences = {"detected", "measured", "documented", "assumed"};

std::string formed(double value) { return fmt::format("{:.10g}", value); }

class Reader {
public:
  Reader(const std::string &path, const llvm::MemoryBuffer &text) : stream(text.getMemBufferRef(), manager, false) {
    file.path = path;
    manager.setDiagHandler(
        [](const llvm::SMDiagnostic &found, void *self) {
          auto *reader = static_cast<Reader *>(self);
          if (reader->syntax.what.empty())
            reader->syntax = {found.getMessage().str(), {reader->file.path, found.getLineNo()}, kForm};
        },
        this);
  }

  ChipFile read() {
    yaml::Node *root = stream.begin()->getRoot();
    if (root && !stream.failed())
      members(*root, "the file", [&](const std::string &key, yaml::Node &value) { top(key, value); });
    if (stream.failed()) throw Error(syntax);
    for (auto [key, text] : {std::pair{"chip", &file.chip}, {"family", &file.family}, {"summary", &file.summary}})
      if (text->empty()) fail({file.path, 1}, fmt::format("`{}` is missing", key), kForm);
    resolveSources();
    return std::move(file);
  }

private:
  static constexpr const char *kForm = "chips/README.md shows the form";

  [[noreturn]] static void fail(const SourceLine &where, std::string what, std::string advice) {
    throw Error(Diagnostic{std::move(what), where, std::move(advice)});
  }

  SourceLine lineOf(const yaml::Node &node) {
    auto [line, column] = manager.getLineAndColumn(node.getSourceRange().Start);
    return {file.path, static_cast<int>(line)};
  }

  std::string text(yaml::Node *node, const std::string &what) {
    auto *scalar = llvm::dyn_cast_or_null<yaml::ScalarNode>(node);
    if (!scalar && stream.failed()) throw Error(syntax);
    if (!scalar) fail(node ? lineOf(*node) : SourceLine(file.path, 1), what + " is not a plain value", kForm);
    llvm::SmallString<64> storage;
    return scalar->getValue(storage).str();
  }

  /// Calls `visit` for each key, which must not come twice.
  void members(yaml::Node &node, const std::string &what,
               const std::function<void(const std::string &, yaml::Node &)> &visit) {
    auto *mapping = llvm::dyn_cast<yaml::MappingNode>(&node);
    if (!mapping) fail(lineOf(node), what + " is not a list of `key: value`", kForm);
    std::vector<std::string> seen;
    for (yaml::KeyValueNode &entry : *mapping) {
      if (stream.failed() || !entry.getKey()) break;
      SourceLine where = lineOf(*entry.getKey());
      std::string key = text(entry.getKey(), "a key");
      if (std::ranges::find(seen, key) != seen.end()) fail(where, fmt::format("`{}` is given twice", key), "");
      seen.push_back(key);
      yaml::Node *value = entry.getValue();
      if (stream.failed() || !value) break;
      visit(key, *value);
    }
    if (stream.failed()) throw Error(syntax);
  }

  void top(const std::string &key, yaml::Node &value) {
    if (key == "chip") {
      file.chip = text(&value, "`chip`");
    } else if (key == "family") {
      file.familyLine = lineOf(value);
      file.family = text(&value, "`family`");
    } else if (key == "summary") {
      file.summary = text(&value, "`summary`");
    } else if (key == "sources") {
      members(value, "`sources`",
              [&](const std::string &name, yaml::Node &node) { sources[name] = text(&node, "a source"); });
    } else if (key == "figures") {
      members(value, "`figures`", [&](const std::string &section, yaml::Node &node) {
        members(node, fmt::format("section `{}`", section),
                [&](const std::string &name, yaml::Node &figure) { addFigure(section + "." + name, figure); });
      });
    } else {
      addList(key, value);
    }
  }

  void addList(const std::string &key, yaml::Node &value) {
    auto *sequence = llvm::dyn_cast<yaml::SequenceNode>(&value);
    if (!sequence) fail(lineOf(value), fmt::format("unknown key `{}`", key), kForm);
    NameList &list = file.lists[key];
    list.where = lineOf(value);
    for (yaml::Node &node : *sequence) list.names.push_back(text(&node, fmt::format("an entry of `{}`", key)));
  }

  void addFigure(const std::string &name, yaml::Node &node) {
    Figure figure;
    figure.where = lineOf(node);
    std::string number, confidence;
    members(node, fmt::format("`{}`", name), [&](const std::string &key, yaml::Node &value) {
      std::string *part = key == "value"        ? &number
                          : key == "unit"       ? &figure.unit
                          : key == "confidence" ? &confidence
                          : key == "source"     ? &figure.source
                                                : nullptr;
      if (!part)
        fail(lineOf(value), fmt::format("{}: unknown key `{}`", name, key),
             "a figure has value, unit, confidence and source");
      *part = text(&value, fmt::format("{}: `{}`", name, key));
    });
    for (auto [key, part] :
         {std::pair{"value", &number}, {"unit", &figure.unit}, {"confidence", &confidence}, {"source", &figure.source}})
      if (part->empty())
        fail(figure.where, fmt::format("{}: `{}` is missing", name, key),
             "a figure has value, unit, confidence and source");
    auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), figure.value);
    if (error != std::errc() || end != number.data() + number.size() || !std::isfinite(figure.value))
      fail(figure.where, fmt::format("{}: '{}' is not a number", name, number), "");
    auto known = std::ranges::find(kConfidences, confidence);
    if (known == kConfidences.end() || known == kConfidences.begin())
      fail(figure.where, fmt::format("{}: unknown confidence '{}'", name, confidence),
           "known are measured, documented, assumed");
    figure.confidence = static_cast<Confidence>(known - kConfidences.begin());
    file.figures[name] = figure;
  }

  /// Sources are named in one place and may stand behind the figures.
  void resolveSources() {
    for (auto &[name, figure] : file.figures) {
      auto found = sources.find(figure.source);
      if (found == sources.end()) {
        std::vector<std::string> known;
        for (const auto &[key, text] : sources) known.push_back(key);
        fail(figure.where, fmt::format("{}: unknown source '{}'", name, figure.source),
             known.empty() ? "list it under `sources`" : fmt::format("known are {}", fmt::join(known, ", ")));
      }
      figure.source = found->second;
    }
  }

  ChipFile file;
  llvm::SourceMgr manager;
  yaml::Stream stream;
  Diagnostic syntax{"this is not YAML", {}, kForm};
  std::map<std::string, std::string> sources;
};

std::string unitNames(std::span<const Unit> units) {
  std::vector<std::string_view> names;
  for (const Unit &unit : units) names.push_back(unit.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The value in the rule's own unit; an empty `problem` if it is as it should be.
double checkedFigure(const Figure &figure, const FigureRule &rule, Diagnostic &problem) {
  auto unit = std::ranges::find(rule.units, std::string_view(figure.unit), &Unit::name);
  if (unit == rule.units.end()) {
    problem = {fmt::format("{}: unknown unit '{}'", rule.name, figure.unit), figure.where,
               "accepted are " + unitNames(rule.units)};
    return 0;
  }
  double value = figure.value * unit->scale;
  bool fits = value >= rule.least && value <= rule.most && (!rule.whole || value == std::floor(value));
  if (!fits)
    problem = {fmt::format("{}: {} {} is out of range", rule.name, formed(figure.value), figure.unit), figure.where,
               fmt::format("accepted are {}{} to {} {}", rule.whole ? "whole numbers from " : "", formed(rule.least),
                           formed(rule.most), rule.units.front().name)};
  return value;
}

} // namespace

std::string_view name(Confidence confidence) { return kConfidences[static_cast<size_t>(confidence)]; }

ChipFile readChipFile(const std::string &path) {
  auto text = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/true, /*IsVolatile=*/true);
  if (!text)
    throw Error(
        Diagnostic{fmt::format("cannot read the chip description {}: {}", path, text.getError().message()), {}, ""});
  return Reader(path, **text).read();
}

std::map<std::string, double> checkedFigures(const ChipFile &file, std::span<const FigureRule> rules) {
  std::vector<Diagnostic> problems;
  for (const auto &[name, figure] : file.figures)
    if (std::ranges::find(rules, std::string_view(name), &FigureRule::name) == rules.end()) {
      std::vector<std::string_view> known;
      for (const FigureRule &rule : rules) known.push_back(rule.name);
      problems.push_back({fmt::format("unknown figure `{}`", name), figure.where,
                          fmt::format("known are {}", fmt::join(known, ", "))});
    }
  std::map<std::string, double> values;
  for (const FigureRule &rule : rules) {
    auto figure = file.figures.find(std::string(rule.name));
    Diagnostic problem;
    if (figure != file.figures.end())
      values[figure->first] = checkedFigure(figure->second, rule, problem);
    else if (rule.required)
      problem = {
          fmt::format("figure `{}` is missing", rule.name), {file.path, 1}, "it is given in " + unitNames(rule.units)};
    if (!problem.what.empty()) problems.push_back(std::move(problem));
  }
  if (!problems.empty()) throw Error(std::move(problems));
  return values;
}

void requireLists(const ChipFile &file, std::span<const std::string_view> known) {
  for (const auto &[key, list] : file.lists)
    if (std::ranges::find(known, key) == known.end())
      throw Error(Diagnostic{fmt::format("unknown key `{}`", key), list.where,
                             fmt::format("known lists are {}", fmt::join(known, ", "))});
  for (std::string_view key : known)
    if (!file.lists.contains(std::string(key)))
      throw Error(Diagnostic{fmt::format("`{}` is missing", key), {file.path, 1}, "an empty list is []"});
}

} // namespace tessera::chips
