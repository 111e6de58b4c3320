// Scalar values of a tile program and the operators on them.
//
// An Expr is a value the kernel computes when it runs; C++ integers, floats and bools become literals that take the
// type of the other operand. docs/language.md holds the rules of promotion; in short: index wins over integers, wider
// over narrower, floating point over integers; f16 with bf16 gives f32; 8-bit floats are computed in f32; integers of
// different signedness mix only if the signed one is wider.
// `/` and `%` on integers truncate as in C++. `&&` and `||` evaluate both sides. A comparison with NaN is false (`!=`
// is true). Shifting by the width or more, and dividing by zero, have no defined value.
#pragma once

#include "core/dtype.h"
#include "tilelang/dsl/dim.h"

#include <concepts>
#include <cstdint>
#include <source_location>
#include <string>

namespace tessera::tl {

using tessera::DType;
using enum DType;

/// The source line of a statement; the compiler fills it in.
using At = std::source_location;

class Access;
class Tracer;
class Variable;

/// The type of a scalar: an element type, or `index`, the signed 64-bit integer of loop variables and sizes.
struct ScalarType {
  DType dtype = DType::i64;
  bool index = false;

  bool operator==(const ScalarType &) const = default;
  std::string text() const;
};

/// A scalar value. Copies are the same value. Assignment gives the C++ name another value and is refused inside a loop
/// or condition of the kernel that does not hold the declaration, where it would not mean what it says: use var().
class [[maybe_unused]] Expr {
public:
  /// No value; using it is an error.
  Expr();
  template <std::integral T> Expr(T literal, const At &at = At::current()) : Expr() {
    if constexpr (std::same_as<T, bool>)
      setBool(literal, at);
    else
      setInteger(static_cast<int64_t>(literal), literal > 0, at);
  }
  template <std::floating_point T> Expr(T literal, const At &at = At::current()) : Expr() {
    setFloating(static_cast<double>(literal), at);
  }
  /// Reads the element now.
  Expr(Access &&element);
  template <std::same_as<Access> A> Expr(A &) {
    static_assert(sizeof(A) == 0, "write `Expr t = A(i)` to read the element now; `auto` only names the place");
  }
  Expr(const Variable &variable);
  Expr(const Dim &dim);
  Expr(const Expr &other);
  Expr &operator=(const Expr &other);

  /// The type; a literal has the type it takes beside another literal (i32, or i64 where that is too narrow, or f32).
  ScalarType type() const;

  // How a literal or value is kept; for the implementation.
  enum class Kind : uint8_t { none, integer, floating, value };
  struct Payload {
    Kind kind = Kind::none;
    ScalarType type;
    bool aboveInt64 = false; // an unsigned literal beyond the signed range
    int64_t integer = 0;
    double floating = 0;
    const void *value = nullptr;
    uint64_t program = 0;
    uint64_t scope = 0; // where the value is computed
    At where = {};      // the line that writes or computes it
  };
  const Payload &payload() const { return data; }
  explicit Expr(const Payload &payload);

protected:
  Payload data;

private:
  uint64_t home; // the scope that this object was declared in

  void setBool(bool value, const At &at);
  void setInteger(int64_t value, bool positive, const At &at);
  void setFloating(double value, const At &at);
};

/// A loop variable or block index.
using Var = Expr;

/// A scalar argument together with the source line it is written on. Made by the compiler from any scalar.
class Operand : public Expr {
public:
  template <class T>
    requires(!std::derived_from<std::remove_cvref_t<T>, Operand> && std::constructible_from<Expr, T &&>)
  Operand(T &&value, const At &at = At::current()) : Expr(std::forward<T>(value)) {
    data.where = at;
  }

  const At &where() const { return data.where; }
};

Expr operator+(const Operand &a, const Operand &b);
Expr operator-(const Operand &a, const Operand &b);
Expr operator*(const Operand &a, const Operand &b);
Expr operator/(const Operand &a, const Operand &b);
Expr operator%(const Operand &a, const Operand &b);
Expr operator-(const Operand &a);

/// Bitwise, on integers of one type and on bool.
Expr operator&(const Operand &a, const Operand &b);
Expr operator|(const Operand &a, const Operand &b);
Expr operator^(const Operand &a, const Operand &b);
Expr operator~(const Operand &a);
/// The result has the type of `a`; `>>` keeps the sign of signed integers.
Expr operator<<(const Operand &a, const Operand &b);
Expr operator>>(const Operand &a, const Operand &b);

Expr operator<(const Operand &a, const Operand &b);
Expr operator<=(const Operand &a, const Operand &b);
Expr operator>(const Operand &a, const Operand &b);
Expr operator>=(const Operand &a, const Operand &b);
Expr operator==(const Operand &a, const Operand &b);
Expr operator!=(const Operand &a, const Operand &b);

/// Logical, on bool.
Expr operator&&(const Operand &a, const Operand &b);
Expr operator||(const Operand &a, const Operand &b);
Expr operator!(const Operand &a);

} // namespace tessera::tl
