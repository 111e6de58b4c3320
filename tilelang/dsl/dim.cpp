// Arithmetic on sizes, folded where both sides are known.
#include "tilelang/dsl/tracer.h"

#include <fmt/format.h>

#include <optional>

namespace tessera::tl {
namespace {

/// The result for known values, b above 0 where it divides; nothing where it exceeds 64 bits.
std::optional<int64_t> compute(DimOp op, int64_t a, int64_t b) {
  int64_t result;
  bool exceeds = false;
  switch (op) {
  case DimOp::add: exceeds = __builtin_add_overflow(a, b, &result); break;
  case DimOp::sub: exceeds = __builtin_sub_overflow(a, b, &result); break;
  case DimOp::mul: exceeds = __builtin_mul_overflow(a, b, &result); break;
  case DimOp::ceildiv: result = ceildiv(a, b); break;
  case DimOp::mod: result = a % b < 0 ? a % b + b : a % b; break;
  default: result = floordiv(a, b);
  }
  return exceeds ? std::nullopt : std::optional(result);
}

/// The product of the constants in a product.
int64_t factor(const Dim &dim) {
  if (dim.isStatic()) return dim.value();
  const Dim::Node &node = *dim.expression();
  return node.op == DimOp::mul ? factor(node.operands[0]) * factor(node.operands[1]) : 1;
}

uint64_t programOf(const Dim &a, const Dim &b) {
  uint64_t x = a.isStatic() ? 0 : a.expression()->program, y = b.isStatic() ? 0 : b.expression()->program;
  if (x != 0 && y != 0 && x != y)
    fail({}, fmt::format("sizes `{}` and `{}` belong to different programs", a.text(), b.text()));
  return x != 0 ? x : y;
}

Dim combine(DimOp op, const Dim &a, const Dim &b) {
  bool divides = op == DimOp::floordiv || op == DimOp::ceildiv || op == DimOp::mod;
  if (divides && b.isStatic() && b.value() <= 0)
    fail({}, fmt::format("size `{}` is divided by {}", a.text(), b.value()), "divide by at least 1");
  Dim whole(std::make_shared<const Dim::Node>(Dim::Node{op, programOf(a, b), 0, "", {a, b}}));
  bool isKnown = a.isStatic() && b.isStatic();
  std::optional<int64_t> known = 0;
  if (isKnown) known = compute(op, a.value(), b.value());
  // Whatever stands between the constants of a product, they are multiplied in the end.
  if (!isKnown && op == DimOp::mul) known = compute(op, factor(a), factor(b));
  if (!known) fail({}, fmt::format("size expression {} exceeds 64 bits", whole.text()), "use smaller sizes");
  return isKnown ? Dim(*known) : whole;
}

} // namespace

int64_t Dim::value() const {
  if (node) fail({}, fmt::format("size `{}` is known only when the kernel runs", text()), "use it as an expression");
  return constant;
}

std::string Dim::text() const {
  if (!node) return std::to_string(constant);
  if (node->op == DimOp::symbol) return node->name;
  std::string a = node->operands[0].text(), b = node->operands[1].text();
  switch (node->op) {
  case DimOp::add: return fmt::format("({} + {})", a, b);
  case DimOp::sub: return fmt::format("({} - {})", a, b);
  case DimOp::mul: return fmt::format("{} * {}", a, b);
  case DimOp::ceildiv: return fmt::format("ceildiv({}, {})", a, b);
  case DimOp::mod: return fmt::format("{} % {}", a, b);
  default: return fmt::format("floordiv({}, {})", a, b);
  }
}

Dim operator+(const Dim &a, const Dim &b) { return combine(DimOp::add, a, b); }
Dim operator-(const Dim &a, const Dim &b) { return combine(DimOp::sub, a, b); }
Dim operator*(const Dim &a, const Dim &b) { return combine(DimOp::mul, a, b); }
Dim operator/(const Dim &a, const Dim &b) { return combine(DimOp::floordiv, a, b); }
Dim operator%(const Dim &a, const Dim &b) { return combine(DimOp::mod, a, b); }
Dim ceildiv(const Dim &a, const Dim &b) { return combine(DimOp::ceildiv, a, b); }
Dim floordiv(const Dim &a, const Dim &b) { return combine(DimOp::floordiv, a, b); }
Dim alignUp(const Dim &a, const Dim &b) { return ceildiv(a, b) * b; }

} // namespace tessera::tl
