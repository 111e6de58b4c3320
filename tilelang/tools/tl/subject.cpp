// Examples and files behind one face.
#include "tilelang/tools/tl/subject.h"

#include "core/error.h"
#include "tilelang/driver/compare_outputs.h"
#include "tilelang/tools/tl/random_arguments.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iostream>
#include <iterator>

namespace tessera::tool {
namespace {

bool isFile(const std::string &name) {
  return name == "-" || name.ends_with(".mlir") || name.find('/') != std::string::npos;
}

[[noreturn]] void failToRead(const std::string &name, const std::string &why) {
  throw Error(Diagnostic{fmt::format("cannot read {}: {}", name, why), {}, "name a .mlir file or one of `tl list`"});
}

std::string readText(const std::string &name) {
  if (name == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::error_code ignored;
  if (std::filesystem::is_directory(name, ignored)) failToRead(name, "it is a directory");
  std::ifstream file(name, std::ios::binary);
  if (!file) failToRead(name, std::strerror(errno));
  return {std::istreambuf_iterator<char>(file), {}};
}

/// An example is one function and brings its own numbers.
void refuseOptionsOfFiles(const std::string &example, const Options &options) {
  const char *given = !options.entry.empty() ? "--entry" : !options.numbers.empty() ? "--number" : nullptr;
  if (given)
    throw Error(Diagnostic{fmt::format("{} is given for the example `{}`", given, example),
                           {},
                           fmt::format("{} is for .mlir files only", given)});
}

} // namespace

Subject::Subject(const examples::Example *example, Program program)
    : example(example), theProgram(std::move(program)),
      signature(tessera::compile(theProgram, "interpreter").signature()) {}

Subject Subject::open(const std::string &name, const Options &options) {
  const examples::Example *example = isFile(name) ? nullptr : &examples::find(name);
  if (example) refuseOptionsOfFiles(name, options);
  Subject subject(example, example ? example->program()
                                   : Program::parse(readText(name), name == "-" ? "<stdin>" : name, options.entry));
  subject.setSizes(options);
  if (example && options.useTuned && !example->parameters.empty()) subject.takeTuned(options);
  return subject;
}

Tunable Subject::tunable() const {
  if (!example || example->parameters.empty())
    throw Error(Diagnostic{fmt::format("`{}` has no parameters to tune", signature.kernel), signature.where,
                           "name an example with `parameters`; examples/gemm.cpp is one"});
  return example->tunable();
}

void Subject::takeTuned(const Options &options) {
  Tunable tunable = example->tunable();
  std::optional<std::vector<int64_t>> choice =
      tunedChoice(tunable, sizeValues(), options.target, compileOptions(options));
  if (!choice) return;
  theProgram = tunable.program(*choice);
  tuned = tunable.text(*choice);
}

void Subject::setSizes(const Options &options) {
  const std::vector<std::string> &names = example ? example->sizeNames : signature.sizes;
  for (size_t i = 0; i < names.size(); ++i)
    theSizes.emplace_back(names[i], example ? example->demoSizes[i] : kDefaultSize);
  for (const auto &[name, value] : options.sizes) {
    auto size = std::ranges::find(theSizes, name, &std::pair<std::string, int64_t>::first);
    if (size == theSizes.end())
      throw Error(Diagnostic{fmt::format("`{}` has no size `{}`", signature.kernel, name), signature.where,
                             names.empty() ? "it has none" : fmt::format("its sizes are {}", fmt::join(names, ", "))});
    size->second = value;
  }
}

std::string Subject::sizesText() const {
  std::vector<std::string> list;
  for (const auto &[name, value] : theSizes) list.push_back(fmt::format("{} = {}", name, value));
  return fmt::format("{}", fmt::join(list, ", "));
}

std::vector<int64_t> Subject::sizeValues() const {
  std::vector<int64_t> values;
  for (const auto &[name, value] : theSizes) values.push_back(value);
  return values;
}

CompileOptions Subject::compileOptions(const Options &options) {
  CompileOptions result;
  result.threads = options.threads;
  result.chip = options.chip;
  result.trapOutOfBounds = options.trapOutOfBounds;
  result.useCache = options.useCache;
  return result;
}

Kernel Subject::compile(const Options &options) const {
  return tessera::compile(theProgram, options.target, compileOptions(options));
}

std::vector<Argument> Subject::arguments(const Options &options) const {
  if (example) return example->arguments(sizeValues(), options.seed);
  return randomArguments(signature, sizeValues(), options.numbers, options.seed, kDefaultSize);
}

Work Subject::work() const {
  if (!example) return {};
  return {example->flops(sizeValues()), example->bytes(sizeValues())};
}

double Subject::error(const std::vector<Argument> &before, const std::vector<Argument> &after,
                      const Options &options) const {
  if (example) return examples::compare(example->reference(sizeValues(), before), after).ofBound;
  std::vector<Argument> expected = cloneAll(before);
  CompileOptions compileOptions;
  compileOptions.trapOutOfBounds = options.trapOutOfBounds;
  compileOptions.print = [](std::string_view) {}; // what it prints has been printed
  tessera::compile(theProgram, "interpreter", compileOptions).run(expected);
  return largestDifference(signature, expected, after);
}

std::function<double(std::span<const Argument>, std::span<const Argument>)>
Subject::errorOf(const std::vector<Argument> &before) const {
  return [expected = example->reference(sizeValues(), before)](std::span<const Argument>,
                                                               std::span<const Argument> after) {
    return examples::compare(expected, {after.begin(), after.end()}).ofBound;
  };
}

} // namespace tessera::tool
