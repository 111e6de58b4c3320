// Sizes in the shape of a buffer: compile-time numbers and expressions of run-time sizes.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tessera::tl {

/// One extent: an integer, a run-time size made by ProgramBuilder::dim, or a sum, difference, product or quotient of
/// these. A Dim is also a scalar of index type inside the program it belongs to. Sizes are never below zero, so `/`
/// and `%` need no rule for negative numbers.
class Dim {
public:
  template <std::integral T> Dim(T extent) : constant(static_cast<int64_t>(extent)) {}

  /// Whether the value is known while the program is built.
  bool isStatic() const { return node == nullptr; }
  /// The known value; throws Error for a run-time size.
  int64_t value() const;
  /// "128", "M", "ceildiv(N, 128)".
  std::string text() const;

  /// One step of the expression behind a run-time size; for the implementation.
  struct Node;
  explicit Dim(std::shared_ptr<const Node> expression) : node(std::move(expression)) {}
  const std::shared_ptr<const Node> &expression() const { return node; }

private:
  int64_t constant = 0;
  std::shared_ptr<const Node> node;
};

enum class DimOp : uint8_t { symbol, add, sub, mul, floordiv, ceildiv, mod };

struct Dim::Node {
  DimOp op;
  uint64_t program; // the program whose sizes these are; 0 where none is involved
  int symbol;       // position among the program's sizes
  std::string name;
  std::vector<Dim> operands;
};

Dim operator+(const Dim &a, const Dim &b);
Dim operator-(const Dim &a, const Dim &b);
Dim operator*(const Dim &a, const Dim &b);
Dim operator/(const Dim &a, const Dim &b);
Dim operator%(const Dim &a, const Dim &b);
/// a / b rounded up.
Dim ceildiv(const Dim &a, const Dim &b);
/// a / b rounded down.
Dim floordiv(const Dim &a, const Dim &b);
/// The least multiple of b that is not below a.
Dim alignUp(const Dim &a, const Dim &b);

/// The same for plain integers; b must not be 0.
constexpr int64_t floordiv(int64_t a, int64_t b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0); }
constexpr int64_t ceildiv(int64_t a, int64_t b) { return a / b + ((a % b != 0) && ((a < 0) == (b < 0)) ? 1 : 0); }
constexpr int64_t alignUp(int64_t a, int64_t b) { return ceildiv(a, b) * b; }

/// The extents of a buffer, outermost first.
using Shape = std::vector<Dim>;

} // namespace tessera::tl
