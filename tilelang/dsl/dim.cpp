// Arithmetic on sizes, folded where both sides are known.
#include "tilelang/dsl/dim.h"

#include "core/error.h"

#include <fmt/format.h>

namespace tessera::tl {
namespace {

int64_t compute(DimOp op, int64_t a, int64_t b) {
  switch (op) {
  case DimOp::add: return a + b;
  case DimOp::sub: return a - b;
  case DimOp::mul: return a * b;
  case DimOp::ceildiv: return ceildiv(a, b);
  case DimOp::mod: return a - floordiv(a, b) * b;
  default: return floordiv(a, b);
  }
}

uint64_t programOf(const Dim &a, const Dim &b) {
  uint64_t x = a.isStatic() ? 0 : a.expression()->program, y = b.isStatic() ? 0 : b.expression()->program;
  if (x != 0 && y != 0 && x != y)
    throw Error({fmt::format("sizes `{}` and `{}` belong to different programs", a.text(), b.text()), {}, ""});
  return x != 0 ? x : y;
}

Dim combine(DimOp op, const Dim &a, const Dim &b) {
  bool divides = op == DimOp::floordiv || op == DimOp::ceildiv || op == DimOp::mod;
  if (divides && b.isStatic() && b.value() <= 0)
    throw Error({fmt::format("size `{}` is divided by {}", a.text(), b.value()), {}, "divide by at least 1"});
  if (a.isStatic() && b.isStatic()) return compute(op, a.value(), b.value());
  return Dim(std::make_shared<const Dim::Node>(Dim::Node{op, programOf(a, b), 0, "", {a, b}}));
}

} // namespace

int64_t Dim::value() const {
  if (node)
    throw Error({fmt::format("size `{}` is known only when the kernel runs", text()), {}, "use it as an expression"});
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
