// Builds a tile program: its sizes, parameters and kernels.
#pragma once

#include "core/function_ref.h"
#include "tilelang/dsl/buffer.h"
#include "tilelang/dsl/program.h"

#include <initializer_list>
#include <memory>
#include <string_view>
#include <type_traits>

namespace tessera::tl {

/// How a tensor may lie in memory: row-major without gaps, or with any strides outside the last dimension.
enum class Layout : uint8_t { contiguous, strided };

struct KernelOptions {
  /// Threads inside a block, for targets that have them; 0 leaves it to the compiler.
  int64_t threads = 0;
};

/// One program under construction. A thread builds one program at a time, from construction to build(); every mistake
/// throws Error with the line it was made on. Programs of different threads are independent. An error that leaves the
/// body of a kernel, loop or condition leaves the program unfinished: build() refuses it.
class ProgramBuilder {
public:
  explicit ProgramBuilder(std::string_view name, const At &at = At::current());
  ~ProgramBuilder();
  ProgramBuilder(const ProgramBuilder &) = delete;
  ProgramBuilder &operator=(const ProgramBuilder &) = delete;

  /// A size that each call takes from its tensors. At least one tensor must have it as a plain extent.
  Dim dim(std::string_view name, const At &at = At::current());

  /// Tensor parameters in the order of the call: only read, only written, or both.
  Buffer input(std::string_view name, DType type, const Shape &shape, Layout layout = Layout::contiguous,
               const At &at = At::current());
  Buffer output(std::string_view name, DType type, const Shape &shape, Layout layout = Layout::contiguous,
                const At &at = At::current());
  Buffer inout(std::string_view name, DType type, const Shape &shape, Layout layout = Layout::contiguous,
               const At &at = At::current());
  /// A number given with each call.
  Expr scalar(std::string_view name, DType type, const At &at = At::current());

  /// Launches a grid of one to three dimensions. `body` takes one block index for each and is run once, to record what
  /// a block does. Kernels of a program run one after the other.
  template <class Body>
  void kernel(std::initializer_list<Operand> grid, Body &&body, const KernelOptions &options = {},
              const At &at = At::current()) {
    constexpr int kArity = arity<Body>();
    static_assert(kArity > 0,
                  "the body of a kernel takes one, two or three block indices: [&](Var bx, Var by) { ... }");
    recordKernel(
        std::vector<Operand>(grid), kArity,
        [&](const std::vector<Var> &i) {
          if constexpr (kArity == 1) body(i[0]);
          if constexpr (kArity == 2) body(i[0], i[1]);
          if constexpr (kArity == 3) body(i[0], i[1], i[2]);
        },
        options, at);
  }

  /// Checks the whole program and ends its construction.
  Program build(const At &at = At::current());

private:
  std::unique_ptr<Tracer> tracer;

  template <class Body> static constexpr int arity() {
    if constexpr (std::is_invocable_v<Body, Var>)
      return 1;
    else if constexpr (std::is_invocable_v<Body, Var, Var>)
      return 2;
    else
      return std::is_invocable_v<Body, Var, Var, Var> ? 3 : 0;
  }
  Tracer &current(const char *word, const At &at);
  Buffer addTensor(std::string_view name, DType type, const Shape &shape, Layout layout, const char *access,
                   const At &at);
  void recordKernel(const std::vector<Operand> &grid, int arity, FunctionRef<void(const std::vector<Var> &)> body,
                    const KernelOptions &options, const At &at);
};

} // namespace tessera::tl
