// Evaluation and text of what a kernel takes.
#include "tilelang/driver/signature.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tessera {
namespace {

std::optional<int64_t> apply(Extent::Op op, int64_t a, int64_t b) {
  int64_t result;
  switch (op) {
  case Extent::Op::add: return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  case Extent::Op::mul: return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  default: break;
  }
  if (b <= 0) return std::nullopt; // affine division is defined for positive divisors
  int64_t floor = a / b - (a % b < 0);
  if (op == Extent::Op::floordiv) return floor;
  if (op == Extent::Op::mod) return a - floor * b;
  return a % b == 0 ? a / b : floor + 1;
}

} // namespace

std::optional<int64_t> Extent::asConstant() const {
  if (steps.size() != 1 || steps[0].op != Op::constant) return std::nullopt;
  return steps[0].value;
}

std::optional<size_t> Extent::asSize() const {
  if (steps.size() != 1 || steps[0].op != Op::size) return std::nullopt;
  return static_cast<size_t>(steps[0].value);
}

std::vector<size_t> Extent::sizes() const {
  std::vector<size_t> result;
  for (const Step &step : steps)
    if (auto size = static_cast<size_t>(step.value);
        step.op == Op::size && std::ranges::find(result, size) == result.end())
      result.push_back(size);
  return result;
}

std::optional<int64_t> Extent::value(std::span<const std::optional<int64_t>> sizes) const {
  std::vector<int64_t> stack;
  for (const Step &step : steps) {
    std::optional<int64_t> result;
    if (step.op == Op::constant) {
      result = step.value;
    } else if (step.op == Op::size) {
      result = sizes[static_cast<size_t>(step.value)];
    } else {
      int64_t b = stack.back();
      stack.pop_back();
      result = apply(step.op, stack.back(), b);
      stack.pop_back();
    }
    if (!result) return std::nullopt;
    stack.push_back(*result);
  }
  return stack.empty() ? std::nullopt : std::optional(stack.back());
}

std::string Parameter::text() const {
  std::string_view element = tessera::name(type);
  if (!isTensor) return fmt::format("{}: {}", name, element);
  std::vector<std::string> extents;
  for (const Extent &extent : shape) extents.push_back(extent.text());
  const char *role = access == Access::read ? "" : access == Access::write ? "out " : "inout ";
  return fmt::format("{}{}: {}[{}]{}", role, name, element, fmt::join(extents, ", "), contiguous ? "" : " strided");
}

std::string Signature::text() const {
  std::vector<std::string> list;
  for (const Parameter &parameter : parameters) list.push_back(parameter.text());
  return fmt::format("{}({})", kernel, fmt::join(list, ", "));
}

} // namespace tessera
