// Scalars: literals, what they are, and assignment.
#include "tilelang/dsl/tracer.h"

#include <limits>

namespace tessera::tl {
namespace {

uint64_t openScope() { return Tracer::active() ? Tracer::active()->currentScope() : 0; }

} // namespace

std::string ScalarType::text() const { return index ? "index" : std::string(name(dtype)); }

Expr::Expr() : home(openScope()) {}
Expr::Expr(const Payload &payload) : data(payload), home(openScope()) {}
Expr::Expr(const Expr &other) : data(other.data), home(openScope()) {}

Expr &Expr::operator=(const Expr &other) {
  Tracer *tracer = Tracer::active();
  if (tracer && tracer->innermostLoop() > home)
    fail(other.data.where,
         "a value is assigned inside a loop or condition of the kernel that does not hold its declaration",
         "declare it with var(type, initial), which changes when the kernel runs");
  data = other.data;
  return *this;
}

void Expr::setBool(bool value, const At &at) {
  data.kind = Kind::value; // of no program: a literal that does not adapt
  data.type = {DType::boolean};
  data.integer = value ? 1 : 0;
  data.where = at;
}

void Expr::setInteger(int64_t value, bool positive, const At &at) {
  data.kind = Kind::integer;
  data.integer = value;
  data.aboveInt64 = positive && value < 0;
  data.where = at;
}

void Expr::setFloating(double value, const At &at) {
  data.kind = Kind::floating;
  data.floating = value;
  data.where = at;
}

ScalarType Expr::type() const {
  if (data.kind == Kind::floating) return {DType::f32};
  if (data.kind != Kind::integer) return data.type;
  if (data.aboveInt64) return {DType::u64};
  using Narrow = std::numeric_limits<int32_t>;
  return {data.integer >= Narrow::min() && data.integer <= Narrow::max() ? DType::i32 : DType::i64};
}

Expr::Expr(const Dim &dim) : Expr() {
  if (dim.isStatic()) {
    setInteger(dim.value(), dim.value() > 0, {});
    return;
  }
  Tracer &tracer = Tracer::require("a run-time size", {});
  *this = tracer.wrap(tracer.extent(dim, {}), {DType::i64, true}, {});
}

} // namespace tessera::tl
