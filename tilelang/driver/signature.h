// What a kernel takes: its parameters, their types and the shapes that a call must bring.
#pragma once

#include "core/dtype.h"
#include "core/error.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera {

/// One extent of a tensor parameter: a number, a run-time size, an expression of sizes, or anything.
class Extent {
public:
  enum class Op : uint8_t { constant, size, add, mul, floordiv, ceildiv, mod };
  /// A step in postfix order; `value` is the constant or the position of the size.
  struct Step {
    Op op;
    int64_t value = 0;
  };

  /// Any extent.
  Extent() = default;
  /// `text` is how messages show it.
  Extent(std::vector<Step> steps, std::string text) : steps(std::move(steps)), shown(std::move(text)) {}
  static Extent constant(int64_t value) { return {{{Op::constant, value}}, std::to_string(value)}; }

  bool isAny() const { return steps.empty(); }
  std::optional<int64_t> asConstant() const;
  /// The position of the size, if the extent is just that.
  std::optional<size_t> asSize() const;

  /// The positions of the sizes in it, each once.
  std::vector<size_t> sizes() const;

  /// The value for these sizes; nothing for any extent, where a size is unknown, or a result out of range.
  std::optional<int64_t> value(std::span<const std::optional<int64_t>> sizes) const;

  /// "64", "M", "ceildiv(N, 128)"; "?" for any.
  const std::string &text() const { return shown; }

private:
  std::vector<Step> steps;
  std::string shown = "?";
};

struct Parameter {
  enum class Access : uint8_t { read, write, readWrite };

  std::string name;
  bool isTensor = false;
  /// Of the elements or of the scalar. A scalar integer may be meant with or without sign.
  DType type = DType::f32;

  // Of tensors only.
  Access access = Access::read;
  std::vector<Extent> shape;
  /// The stride that each dimension must have; nothing for any. Not used where `contiguous`.
  std::vector<std::optional<int64_t>> strides;
  /// Row-major without gaps.
  bool contiguous = true;

  /// Of a scalar: the type index, which is an i64 that always has a sign.
  bool isIndex = false;

  bool isWritten() const { return access != Access::read; }
  /// "A: bf16[M, 64]", "scale: f32".
  std::string text() const;
};

struct Signature {
  std::string kernel;
  /// Names of the run-time sizes.
  std::vector<std::string> sizes;
  std::vector<Parameter> parameters;
  /// Where the kernel was written.
  SourceLine where;

  /// "gemm(A: bf16[M, K], B: bf16[K, N], out C: f32[M, N])".
  std::string text() const;
};

} // namespace tessera
