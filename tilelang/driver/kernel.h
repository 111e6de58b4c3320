// A compiled program that can be called.
#pragma once

#include "core/argument.h"
#include "tilelang/driver/signature.h"

#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tessera {

/// A stage of compilation as text: the program, LLVM IR after optimisation, the target's assembly.
enum class Stage : uint8_t { tile, llvm, assembly };

/// Cheap to copy; copies share the code. Any number of threads may call one kernel at once.
class Kernel {
public:
  struct State;
  explicit Kernel(std::shared_ptr<const State> state) : state(std::move(state)) {}

  /// Runs the kernel on tensors and numbers, in the order of its parameters, and returns when it has finished:
  ///
  ///     kernel(a, b, out, 0.5);
  ///
  /// Everything is checked first: number and kind of the arguments, element types, ranks, extents against each other,
  /// strides, alignment, device, read-only outputs, outputs that share memory with another argument (being the same
  /// tensor as an input is allowed). Tensors without elements are legal. Throws Error for what does not fit, and for a
  /// failed assertion or bounds check of the kernel itself.
  ///
  /// Integer parameters have no sign of their own: one of 8 bits takes -128 to 255, one of 64 bits -2^63 to 2^64 - 1.
  /// An index takes what int64_t holds, a floating-point parameter any number, rounded to double and then to its type.
  template <class... Args> void operator()(const Args &...args) const {
    if constexpr (sizeof...(args) == 0) {
      runRefs({});
    } else {
      const Ref list[] = {ref(args)...};
      runRefs(list);
    }
  }

  /// The same with a list.
  void run(std::span<const Argument> arguments) const;

  /// The same kernel for calls that all bring `tensor` as this parameter, such as the weights of a layer. The tiles
  /// that its products take of the tensor are packed once, by the first call that needs them, and kept as long as this
  /// kernel or a copy of it lives:
  ///
  ///     Kernel layer = gemm.withPacked("B", weights);
  ///     layer(x, weights, y);
  ///
  /// The packed tiles take about as much memory as the tensor, in the type in which the machine multiplies. The tensor
  /// itself stays in use (the kernel holds on to it) and must not change any more. Results are the same as without.
  /// Where the system has no memory for the tiles, or they are more than 2^20, each call packs for itself as ever.
  /// Throws Error for a parameter that the kernel lacks, writes, or never packs as a whole tile of a product. A call
  /// with another tensor in its place throws Error.
  Kernel withPacked(std::string_view parameter, const Tensor &tensor) const;

  /// The name of the program's function.
  const std::string &name() const { return signature().kernel; }
  const Signature &signature() const;
  /// The name of the target.
  const std::string &target() const;

  /// Compiles again as far as the stage. Throws Error where the target has no such stage.
  std::string emit(Stage stage) const;

  /// The program after each run of a compiler pass, by the name that `tl-opt` gives it. Throws Error with the names of
  /// the target's passes for an unknown one.
  std::string irAfter(std::string_view pass) const;

private:
  using Ref = std::variant<const Tensor *, int64_t, uint64_t, double>;
  struct Packed;
  std::shared_ptr<const State> state;
  std::vector<std::shared_ptr<const Packed>> packed; ///< for the cpu, at most one for each parameter

  void runRefs(std::span<const Ref> arguments) const;
  static Ref ref(const Tensor &tensor) { return &tensor; }
  static Ref ref(std::integral auto number) {
    if constexpr (std::unsigned_integral<decltype(number)>)
      if (auto large = static_cast<uint64_t>(number); large > uint64_t{std::numeric_limits<int64_t>::max()})
        return large;
    return static_cast<int64_t>(number);
  }
  static Ref ref(std::floating_point auto number) { return static_cast<double>(number); }
};

} // namespace tessera
