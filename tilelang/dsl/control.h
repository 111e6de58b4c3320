// Statements about the program: facts, checks, printing, and the order of blocks.
#pragma once

#include "tilelang/dsl/buffer.h"

namespace tessera::tl {

/// A fact the compiler may rely on; a false one has no defined result.
void assume(const Operand &condition);
/// Fails the call with `message` and the kernel's line if the condition is false.
void deviceAssert(const Operand &condition, const char *message);

/// A C format and the line it stands on.
struct Format {
  Format(const char *text, const At &at = At::current()) : text(text), where(at) {}
  const char *text;
  At where;
};
namespace detail {
void print(const Format &format, const std::vector<Expr> &values);
} // namespace detail
/// Prints scalars when the kernel runs, with one conversion of `format` for each: %d %i %u %x for integers, %f %e %g
/// for floating point. (Named print because C's printf would take a call without values for itself.)
template <class... Values> void print(const Format &format, Values &&...values) {
  detail::print(format, {Expr(std::forward<Values>(values))...});
}

/// Visits blocks that are neighbours in the first grid dimension in panels of that many (in the second dimension with
/// `columns`), so that they share cached data. An ordering hint for the kernel it stands in.
void swizzle(int64_t panel, bool columns = false, const At &at = At::current());

} // namespace tessera::tl
