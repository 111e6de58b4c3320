// Small programs for tests, run on every target: one block writes one tensor.
#pragma once

#include "core/test/expect_error.h"
#include "tilelang/driver/compile.h"
#include "tilelang/dsl/tl.h"

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace tessera::tl {

inline const double kNaN = std::numeric_limits<double>::quiet_NaN();
inline const double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kUntouched = 77;

/// Where programs of these tests run; all must agree.
inline const std::vector<std::string> kTargets = {"interpreter", "cpu"};

/// The elements of a tensor as doubles, row-major.
inline std::vector<double> doubles(const Tensor &tensor) {
  Tensor copy = tensor.to(DType::f64);
  const double *data = copy.data<const double>();
  return {data, data + copy.numel()};
}
inline std::vector<double> doubles(const Argument &argument) { return doubles(std::get<Tensor>(argument)); }

/// Arguments with tensors of their own.
inline std::vector<Argument> cloned(const std::vector<Argument> &arguments) {
  std::vector<Argument> copies = arguments;
  for (Argument &argument : copies)
    if (auto *tensor = std::get_if<Tensor>(&argument)) argument = tensor->clone();
  return copies;
}

/// Runs the program on each target, each time on copies of the arguments, and hands these to `check`.
inline void onEveryTarget(const Program &program, const std::vector<Argument> &arguments,
                          const std::function<void(const std::vector<Argument> &)> &check) {
  for (const std::string &target : kTargets) {
    SCOPED_TRACE(target);
    std::vector<Argument> copies = cloned(arguments);
    compile(program, target, {.useCache = false}).run(copies);
    check(copies);
  }
}

/// How targets must agree: in every bit, or as functions of math.h do.
enum class Agreement { bitwise, nearly };

/// What the body leaves in a tensor of this shape that holds 77 before, on every target.
inline std::vector<double> run(DType type, std::vector<int64_t> shape, const std::function<void(Buffer)> &body,
                               Agreement agreement = Agreement::bitwise) {
  Tensor out = Tensor::empty(type, std::move(shape));
  out.fill(kUntouched);
  ProgramBuilder p("test");
  Buffer buffer = p.inout("out", type, Shape(out.shape().begin(), out.shape().end()));
  p.kernel({1}, [&](Var) { body(buffer); });
  std::vector<double> first;
  onEveryTarget(p.build(), {out}, [&](const std::vector<Argument> &arguments) {
    std::vector<double> result = doubles(arguments[0]);
    if (first.empty()) first = result;
    for (size_t i = 0; i < result.size(); ++i) {
      double near = agreement == Agreement::bitwise ? 0 : 2e-3 * std::max(1.0, std::abs(first[i]));
      bool same = result[i] == first[i] || (std::isnan(result[i]) && std::isnan(first[i]));
      EXPECT_TRUE(same || std::abs(result[i] - first[i]) <= near) << i << ": " << result[i] << " vs " << first[i];
    }
  });
  return first;
}

/// The value of an expression, computed in its own type and stored as f64 (bool and integers exactly).
inline double valueOf(const std::function<Expr()> &compute, Agreement agreement = Agreement::bitwise) {
  return run(f64, {1}, [&](Buffer out) { out(0) = compute(); }, agreement)[0];
}

/// The type of an expression.
inline std::string typeOf(const std::function<Expr()> &compute) {
  std::string text;
  ProgramBuilder p("test");
  p.kernel({1}, [&](Var) { text = compute().type().text(); });
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
