// Runs small programs on every target of this machine and compares exactly. Tensors lie between canaries, and elements
// that nobody should write hold a value of their own.
#pragma once

#include "tilelang/driver/compile.h"
#include "tilelang/dsl/tl.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace tessera::field {

inline const double kNaN = std::numeric_limits<double>::quiet_NaN();
inline const double kInf = std::numeric_limits<double>::infinity();
/// What elements hold that a program leaves alone.
inline constexpr double kUntouched = 77;

using Values = std::vector<double>;
using Shape = std::vector<int64_t>;

/// The values of a tensor, row-major, from their indices.
Values values(const Shape &shape, const std::function<double(const Shape &index)> &value);

/// Gemm operands that every type holds exactly.
inline double ga(int64_t i, int64_t k) { return static_cast<double>((i + k) % 5 - 2); }
inline double gb(int64_t k, int64_t j) { return static_cast<double>((2 * k + j) % 7 - 3); }

/// Runs on one target.
class Target {
public:
  explicit Target(std::string name, CompileOptions options = {}) : name(std::move(name)), options(std::move(options)) {}

  const std::string name;

  /// A tensor between canaries, with these elements (row-major) or with kUntouched in all of them.
  Tensor tensor(DType type, const Shape &shape, const Values &elements);
  Tensor untouched(DType type, const Shape &shape);

  /// Compiles the program, calls it, and checks that nothing around the tensors has changed.
  template <class... Args> void run(const Program &program, const Args &...args) {
    compile(program, name, options)(args...);
    checkCanaries();
  }
  void checkCanaries() const;

private:
  struct Guarded {
    std::shared_ptr<std::vector<std::byte>> memory;
    size_t start, end;
  };
  CompileOptions options;
  std::vector<Guarded> guarded;
};

/// The interpreter and every instruction set that runs here; with `few` the interpreter and the best one only, for
/// programs that are compiled many times over.
void onEveryTarget(const std::function<void(Target &)> &body, bool few = false);

/// Compares exactly: NaN with NaN, zeros with their sign.
void expectValues(const Tensor &tensor, const Values &expected);

} // namespace tessera::field
