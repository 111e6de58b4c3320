// Small programs for tests: one block writes one vector, which the reference interpreter computes.
#pragma once

#include "core/test/expect_error.h"
#include "tilelang/dsl/tl.h"
#include "tilelang/ir/interp/interpret.h"

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace tessera::tl {

inline const double kNaN = std::numeric_limits<double>::quiet_NaN();
inline const double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kUntouched = 77;

/// Runs a kernel of one block on the tensor `out`.
inline void runOn(Tensor &out, const std::function<void(Buffer)> &body) {
  ProgramBuilder p("test");
  Buffer result = p.inout("out", out.dtype(), Shape(out.shape().begin(), out.shape().end()));
  p.kernel({1}, [&](Var) { body(result); });
  std::vector<Argument> arguments = {out};
  interpret(p.build(), arguments);
}

/// The elements of a tensor as doubles, row-major.
inline std::vector<double> doubles(const Tensor &tensor) {
  Tensor copy = tensor.to(DType::f64);
  const double *data = copy.data<const double>();
  return {data, data + copy.numel()};
}

/// What the body leaves in a tensor of this shape that holds 77 before.
inline std::vector<double> run(DType type, std::vector<int64_t> shape, const std::function<void(Buffer)> &body) {
  Tensor out = Tensor::empty(type, std::move(shape));
  out.fill(kUntouched);
  runOn(out, body);
  return doubles(out);
}

/// The value of an expression, computed in its own type and stored as f64 (bool and integers exactly).
inline double valueOf(const std::function<Expr()> &compute) {
  return run(f64, {1}, [&](Buffer out) { out(0) = compute(); })[0];
}

/// The type of an expression.
inline std::string typeOf(const std::function<Expr()> &compute) {
  std::string text;
  run(f64, {1}, [&](Buffer) { text = compute().type().text(); });
  return text;
}

/// A value that the program cannot fold: read from a buffer of the type.
inline Expr loaded(DType type, Number value) {
  Buffer place = allocLocal({1}, type);
  if (value.isInteger)
    place(0) = Expr(value.integer);
  else
    place(0) = Expr(value.floating);
  return place(0);
}

/// Records `body` as a kernel; for mistakes.
inline void record(const std::function<void()> &body) {
  ProgramBuilder p("test");
  p.kernel({1}, [&](Var) { body(); });
  p.build();
}

} // namespace tessera::tl
