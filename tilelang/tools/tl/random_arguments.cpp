// From a signature to tensors full of random values.
#include "tilelang/tools/tl/random_arguments.h"

#include "core/error.h"

#include <fmt/format.h>
#include <optional>

namespace tessera::tool {
namespace {

Tensor::Extents shapeOf(const Signature &signature, const Parameter &parameter,
                        std::span<const std::optional<int64_t>> sizes, int64_t openExtent) {
  Tensor::Extents shape;
  for (const Extent &extent : parameter.shape) {
    std::optional<int64_t> value = extent.isAny() ? openExtent : extent.value(sizes);
    if (!value || *value < 0)
      throw Error(Diagnostic{fmt::format("the sizes give no extent {} of `{}`", extent.text(), parameter.name),
                             signature.where, "give other sizes with --dim"});
    shape.push_back(*value);
  }
  return shape;
}

Tensor randomTensor(DType type, Tensor::Extents shape, uint64_t seed) {
  Tensor tensor = Tensor::empty(type, std::move(shape));
  if (isFloat(type))
    tensor.fillRandom(seed, -1, 1);
  else
    tensor.fillRandom(seed, isUnsignedInteger(type) ? 0 : -8, 8);
  return tensor;
}

Argument number(const Parameter &parameter, const std::map<std::string, Number> &numbers) {
  auto given = numbers.find(parameter.name);
  Number value = given == numbers.end() ? Number(int64_t(1)) : given->second;
  if (const int64_t *whole = std::get_if<int64_t>(&value)) {
    if (isFloat(parameter.type)) return static_cast<double>(*whole);
    return *whole;
  }
  return std::get<double>(value);
}

void requireKnown(const Signature &signature, const std::map<std::string, Number> &numbers) {
  for (const auto &[name, value] : numbers) {
    bool known = false;
    for (const Parameter &parameter : signature.parameters) known |= !parameter.isTensor && parameter.name == name;
    if (!known)
      throw Error(Diagnostic{fmt::format("`{}` has no number `{}`", signature.kernel, name), signature.where,
                             "its signature is " + signature.text()});
  }
}

} // namespace

std::vector<Argument> randomArguments(const Signature &signature, std::span<const int64_t> sizes,
                                      const std::map<std::string, Number> &numbers, uint64_t seed, int64_t openExtent) {
  requireKnown(signature, numbers);
  std::vector<std::optional<int64_t>> known(sizes.begin(), sizes.end());
  std::vector<Argument> arguments;
  for (const Parameter &parameter : signature.parameters) {
    if (!parameter.isTensor)
      arguments.push_back(number(parameter, numbers));
    else
      arguments.emplace_back(
          randomTensor(parameter.type, shapeOf(signature, parameter, known, openExtent), seed + arguments.size()));
  }
  return arguments;
}

std::vector<Argument> cloneAll(const std::vector<Argument> &arguments) {
  std::vector<Argument> copies = arguments;
  for (Argument &argument : copies)
    if (auto *tensor = std::get_if<Tensor>(&argument)) *tensor = tensor->clone();
  return copies;
}

} // namespace tessera::tool
