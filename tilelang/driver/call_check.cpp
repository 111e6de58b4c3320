// Compares the arguments of a call with the signature: first each one by itself, then the sizes they share, then
// the memory they share.
#include "tilelang/driver/call_check.h"

#include "core/numbers.h"
#include "tilelang/driver/overlap.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace tessera {
namespace {

class CallCheck {
public:
  CallCheck(const Signature &signature, std::span<const ArgumentRef> arguments)
      : signature(signature), arguments(arguments), sizes(signature.sizes.size()), origins(signature.sizes.size()) {}

  std::vector<int64_t> run() {
    checkCount();
    for (size_t i = 0; i < arguments.size(); ++i) checkOne(i);
    throwIfAny(); // what follows compares arguments that are sound by themselves
    for (size_t i = 0; i < arguments.size(); ++i) bindSizes(i);
    for (size_t i = 0; i < arguments.size(); ++i) checkExtents(i);
    for (size_t i = 0; i < arguments.size(); ++i) checkOverlap(i);
    throwIfAny();
    return std::move(slots);
  }

private:
  struct Origin {
    size_t argument = 0, dim = 0;
  };

  const Signature &signature;
  std::span<const ArgumentRef> arguments;
  std::vector<std::optional<int64_t>> sizes;
  std::vector<Origin> origins; // where each size was taken from
  std::vector<int64_t> slots;
  std::vector<Diagnostic> found;

  const Parameter &parameter(size_t i) const { return signature.parameters[i]; }
  const Tensor *tensor(size_t i) const {
    auto held = std::get_if<const Tensor *>(&arguments[i]);
    return held ? *held : nullptr;
  }

  void fail(size_t i, const std::string &what, std::string advice = "") {
    found.push_back({fmt::format("argument `{}` of `{}` {}", parameter(i).name, signature.kernel, what),
                     signature.where, std::move(advice)});
  }
  void throwIfAny() {
    if (!found.empty()) throw Error(std::move(found));
  }

  void checkCount() {
    size_t expected = signature.parameters.size();
    if (arguments.size() == expected) return;
    throw Error(Diagnostic{fmt::format("`{}` takes {} argument{}, got {}", signature.kernel, expected,
                                       expected == 1 ? "" : "s", arguments.size()),
                           signature.where, "its signature is " + signature.text()});
  }

  void checkOne(size_t i) {
    if (parameter(i).isTensor) {
      if (!tensor(i)) return fail(i, fmt::format("is {}, expected a tensor", numberText(i)), parameter(i).text());
      return checkTensor(i);
    }
    if (tensor(i))
      return fail(i, fmt::format("is a tensor {}, expected a number", tensor(i)->text()), parameter(i).text());
    isFloat(parameter(i).type) ? packReal(i) : packInteger(i);
  }

  /// Of an argument that is no tensor.
  std::string valueText(size_t i) const {
    if (const auto *integer = std::get_if<int64_t>(&arguments[i])) return std::to_string(*integer);
    if (const auto *large = std::get_if<uint64_t>(&arguments[i])) return std::to_string(*large);
    return fmt::format("{}", std::get<double>(arguments[i]));
  }
  double realValue(size_t i) const {
    if (const auto *integer = std::get_if<int64_t>(&arguments[i])) return static_cast<double>(*integer);
    if (const auto *large = std::get_if<uint64_t>(&arguments[i])) return static_cast<double>(*large);
    return std::get<double>(arguments[i]);
  }
  std::string numberText(size_t i) const { return "the number " + valueText(i); }

  void packReal(size_t i) {
    double value = realValue(i);
    if (std::isfinite(value) && !std::isfinite(roundTo(parameter(i).type, value)))
      return fail(i, fmt::format("is {}, which {} cannot hold", value, name(parameter(i).type)), parameter(i).text());
    slots.push_back(std::bit_cast<int64_t>(value));
  }

  void packInteger(size_t i) {
    const Parameter &wanted = parameter(i);
    std::string_view type = wanted.isIndex ? "index" : name(wanted.type);
    if (std::holds_alternative<double>(arguments[i]))
      return fail(i, fmt::format("is {}, expected an integer of type {}", numberText(i), type));
    int bits = wanted.type == DType::boolean ? 1 : bitWidth(wanted.type);
    // Whether an integer has a sign is up to the kernel: -1 and 255 are both fine for eight bits. An index has one.
    int64_t least = std::numeric_limits<int64_t>::min() >> (64 - bits);
    uint64_t most = std::numeric_limits<uint64_t>::max() >> (wanted.isIndex ? 1 : 64 - bits);
    const auto *large = std::get_if<uint64_t>(&arguments[i]);
    int64_t value = large ? static_cast<int64_t>(*large) : std::get<int64_t>(arguments[i]);
    bool isBelow = !large && value < 0;
    if (isBelow ? value < least : static_cast<uint64_t>(value) > most)
      return fail(i, fmt::format("is {}, which {} cannot hold", valueText(i), type),
                  fmt::format("give {} to {}", least, most));
    slots.push_back(value);
  }

  void checkTensor(size_t i) {
    const Parameter &wanted = parameter(i);
    const Tensor &given = *tensor(i);
    if (given.device().kind != DeviceKind::cpu)
      fail(i, fmt::format("is on {}, expected cpu", given.device().text()), "copy it to the cpu");
    if (given.dtype() != wanted.type)
      fail(i, fmt::format("has element type {}, expected {}", name(given.dtype()), name(wanted.type)),
           "convert it, as Tensor::to does");
    if (wanted.isWritten() && given.readOnly())
      fail(i, "is read-only, but the kernel writes it", "pass a writable tensor");
    if (given.rank() != static_cast<int>(wanted.shape.size()))
      return fail(i,
                  fmt::format("has rank {}, expected {}: its shape is {}", given.rank(), wanted.shape.size(),
                              shapeText(given.shape())),
                  wanted.text());
    checkMemory(i);
    packTensor(i);
  }

  void checkMemory(size_t i) {
    const Tensor &given = *tensor(i);
    if (given.numel() == 0) return;
    checkStrides(i);
    auto width = static_cast<size_t>(std::max(byteWidth(given.dtype()), 1)); // tensors start on a byte
    if (!given.isAligned(width))
      fail(i, fmt::format("is at address {}, which is no multiple of its element size {}", given.data(), width));
    if (parameter(i).isWritten() && mayOverlapItself(given))
      fail(i, fmt::format("has strides {} for shape {}, so that elements share memory, but the kernel writes it",
                          shapeText(given.strides()), shapeText(given.shape())));
  }

  void checkStrides(size_t i) {
    const Parameter &wanted = parameter(i);
    const Tensor &given = *tensor(i);
    if (wanted.contiguous) {
      if (given.isContiguous()) return;
      return fail(i,
                  fmt::format("has strides {}, expected {}", shapeText(given.strides()),
                              shapeText(rowMajorStrides(given.shape()))),
                  "pass a contiguous copy, as Tensor::clone makes, or declare the parameter strided");
    }
    for (size_t d = 0; d < wanted.strides.size(); ++d)
      if (wanted.strides[d] && given.shape()[d] != 1 && given.strides()[d] != *wanted.strides[d])
        fail(i, fmt::format("has stride {} in dimension {}, expected {}", given.strides()[d], d, *wanted.strides[d]),
             "pass a contiguous copy, as Tensor::clone makes");
  }

  /// Strides of dimensions without a second element do not matter; the code is given what it expects.
  void packTensor(size_t i) {
    const Parameter &wanted = parameter(i);
    const Tensor &given = *tensor(i);
    const auto &shape = given.shape();
    slots.push_back(reinterpret_cast<int64_t>(given.data()));
    slots.insert(slots.end(), shape.begin(), shape.end());
    size_t first = slots.size();
    slots.insert(slots.end(), given.strides().begin(), given.strides().end());
    if (wanted.contiguous) {
      int64_t stride = 1;
      for (size_t d = shape.size(); d-- > 0; stride *= std::max<int64_t>(shape[d], 1)) slots[first + d] = stride;
    } else {
      for (size_t d = 0; d < shape.size(); ++d)
        if (wanted.strides[d]) slots[first + d] = *wanted.strides[d];
    }
  }

  void bindSizes(size_t i) {
    if (!tensor(i)) return;
    for (size_t d = 0; d < parameter(i).shape.size(); ++d) {
      std::optional<size_t> size = parameter(i).shape[d].asSize();
      if (!size || sizes[*size]) continue;
      sizes[*size] = tensor(i)->shape()[d];
      origins[*size] = {i, d};
    }
  }

  void checkExtents(size_t i) {
    if (!tensor(i)) return;
    for (size_t d = 0; d < parameter(i).shape.size(); ++d) {
      const Extent &wanted = parameter(i).shape[d];
      int64_t given = tensor(i)->shape()[d];
      if (wanted.isAny()) continue;
      std::optional<int64_t> expected = wanted.asConstant() ? wanted.asConstant() : wanted.value(sizes);
      if (!expected || *expected == given) continue;
      std::string value = wanted.asConstant() ? wanted.text() : fmt::format("{} = {}", wanted.text(), *expected);
      fail(i, fmt::format("has extent {} in dimension {}, expected {}", given, d, value), originText(i, wanted));
    }
  }

  /// Where the sizes of the extent come from, or what the parameter is where there are none.
  std::string originText(size_t i, const Extent &extent) const {
    std::string text;
    for (size_t size : extent.sizes()) {
      const Origin &from = origins[size];
      text += fmt::format("{}{} is the extent of dimension {} of `{}`", text.empty() ? "" : ", ", signature.sizes[size],
                          from.dim, parameter(from.argument).name);
    }
    return text.empty() ? parameter(i).text() : text;
  }

  void checkOverlap(size_t i) {
    if (!parameter(i).isTensor || !parameter(i).isWritten()) return;
    for (size_t other = 0; other < arguments.size(); ++other) {
      if (!tensor(other) || other == i) continue;
      bool bothWritten = parameter(other).isWritten();
      if (bothWritten && other < i) continue; // found from the other side
      Overlap shared = overlap(*tensor(i), *tensor(other));
      if (shared == Overlap::none || (shared == Overlap::same && !bothWritten)) continue;
      fail(i,
           fmt::format("shares memory with argument `{}`{}: {} at {} and {} at {}", parameter(other).name,
                       bothWritten ? ", which is written too" : "", tensor(i)->text(), tensor(i)->data(),
                       tensor(other)->text(), tensor(other)->data()),
           bothWritten ? "give each output memory of its own"
                       : "an output may be the same tensor as an input, or apart from it");
    }
  }
};

} // namespace

std::vector<int64_t> packArguments(const Signature &signature, std::span<const ArgumentRef> arguments) {
  return CallCheck(signature, arguments).run();
}

} // namespace tessera
