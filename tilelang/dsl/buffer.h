// Buffers, places inside them, and mutable variables.
//
//   A(i, j)                      one element, or, as an argument of a tile operation, the corner of a window whose
//                                extents come from the other operand
//   A(i, range(j, j + 8), all)   a window: index i of the first dimension, 8 elements, a whole dimension
//
// Elements of a global tensor outside its shape read as 0 (copies: as the pad value) and are never written.
#pragma once

#include "tilelang/dsl/expr.h"

#include <array>
#include <optional>

namespace tessera::tl {

/// Where a buffer lives: a parameter in global memory, a staging tile, a compute tile, a private array, a mutable
/// scalar, or one named memory of an Ascend core.
enum class Space : uint8_t { global, shared, fragment, local, var, l1, l0a, l0b, l0c, ub };

/// All of one dimension.
struct All {};
inline constexpr All all;

/// Elements start <= i < stop of one dimension. Below start means none.
struct Range {
  Operand start;
  Expr stop; // without a value where `size` is given
  Expr size;
};
Range range(const Operand &start, const Operand &stop);
/// `size` elements from `start`.
Range window(const Operand &start, const Operand &size);

/// One subscript: a scalar of integer type, a Range, or `all`.
class Index {
public:
  enum class Kind : uint8_t { none, scalar, range, all };

  Index() = default;
  template <class T>
    requires(!std::same_as<std::remove_cvref_t<T>, Index> && std::constructible_from<Expr, T &&>)
  Index(T &&scalar, const At &at = At::current()) : kind(Kind::scalar), start(std::forward<T>(scalar)), where(at) {}
  Index(const Range &range, const At &at = At::current())
      : kind(Kind::range), start(range.start), stop(range.stop), size(range.size), where(at) {}
  Index(All, const At &at = At::current()) : kind(Kind::all), where(at) {}

  Kind kind = Kind::none;
  Expr start, stop, size;
  At where;
};

/// A handle on a tensor parameter or on a buffer of the block; copies name the same storage.
class Buffer {
public:
  /// The element, corner or window at these subscripts, one for each dimension.
  Access operator()(const Index &i0, const Index &i1 = {}, const Index &i2 = {}, const Index &i3 = {},
                    const Index &i4 = {}, const Index &i5 = {}, const Index &i6 = {}, const Index &i7 = {}) const;

  DType dtype() const { return elementType; }
  Space space() const { return memory; }
  size_t rank() const { return extents.size(); }
  const Shape &shape() const { return extents; }
  /// One extent, checked.
  const Dim &extent(size_t dim, const At &at = At::current()) const;

  // For the implementation.
  Buffer(const void *value, uint64_t program, uint64_t scope, DType type, Space space, Shape shape)
      : handle(value), program(program), scope(scope), elementType(type), memory(space), extents(std::move(shape)) {}
  const void *value() const { return handle; }
  uint64_t programId() const { return program; }
  uint64_t scopeId() const { return scope; }

private:
  const void *handle;
  uint64_t program, scope;
  DType elementType;
  Space memory;
  Shape extents;
};

/// A place in a buffer: an element, the corner of a window, or a window. Assigning to an element stores the value,
/// converted to the buffer's element type; reading needs an Expr: `Expr t = A(i)`.
class Access {
public:
  static constexpr size_t kMostDims = 8;

  Access(const Access &) = default;
  Access &operator=(const Operand &value);
  Access &operator=(const Access &other);
  Access &operator+=(const Operand &value);
  Access &operator-=(const Operand &value);
  Access &operator*=(const Operand &value);
  Access &operator/=(const Operand &value);

  const Buffer &buffer() const { return owner; }
  size_t rank() const { return count; }
  const Index &index(size_t dim) const { return indices[dim]; }
  /// Whether every subscript is a scalar.
  bool isElement() const;
  const At &where() const { return indices[0].where; }

private:
  friend class Buffer;
  Access(const Buffer &buffer, const std::array<Index, kMostDims> &subscripts);

  Buffer owner;
  std::array<Index, kMostDims> indices;
  size_t count = 0;
};

/// A mutable scalar. Assignment stores when the kernel runs; reading gives the value at that moment.
class Variable {
public:
  explicit Variable(Buffer storage) : place(std::move(storage)) {}
  /// A copy could mean the value or the place: write `Expr t = v` or `Variable &w = v`.
  Variable(const Variable &) = delete;
  Variable(Variable &&) = default;
  Variable &operator=(const Operand &value);
  Variable &operator=(const Variable &other);
  Variable &operator+=(const Operand &value);
  Variable &operator-=(const Operand &value);
  Variable &operator*=(const Operand &value);
  Variable &operator/=(const Operand &value);

  const Buffer &buffer() const { return place; }

private:
  Buffer place;
};

/// A number given while the program is built.
struct Number {
  template <std::integral T> Number(T value) : isInteger(true), integer(static_cast<int64_t>(value)) {}
  template <std::floating_point T> Number(T value) : floating(static_cast<double>(value)) {}
  bool isInteger = false;
  int64_t integer = 0;
  double floating = 0;
};

struct AllocOptions {
  /// What messages and reports call the buffer.
  std::string name = {};
  /// What a copy gives to elements from outside its source; 0 otherwise.
  std::optional<Number> pad = {};
  /// Fixed byte address; only in l1, l0a, l0b, l0c and ub.
  std::optional<int64_t> address = {};
};

/// Buffers of the block that runs, row-major, uninitialised. All extents must be known while the program is built.
Buffer allocShared(const Shape &shape, DType type, const char *name = "", const At &at = At::current());
Buffer allocFragment(const Shape &shape, DType type, const char *name = "", const At &at = At::current());
Buffer allocLocal(const Shape &shape, DType type, const char *name = "", const At &at = At::current());
Buffer allocShared(const Shape &shape, DType type, const AllocOptions &options, const At &at = At::current());
Buffer allocFragment(const Shape &shape, DType type, const AllocOptions &options, const At &at = At::current());
Buffer allocLocal(const Shape &shape, DType type, const AllocOptions &options, const At &at = At::current());
/// Any space by name, the Ascend memories included.
Buffer alloc(Space space, const Shape &shape, DType type, const AllocOptions &options = {},
             const At &at = At::current());
Buffer allocL1(const Shape &shape, DType type, const AllocOptions &options = {}, const At &at = At::current());
Buffer allocL0A(const Shape &shape, DType type, const AllocOptions &options = {}, const At &at = At::current());
Buffer allocL0B(const Shape &shape, DType type, const AllocOptions &options = {}, const At &at = At::current());
Buffer allocL0C(const Shape &shape, DType type, const AllocOptions &options = {}, const At &at = At::current());
Buffer allocUb(const Shape &shape, DType type, const AllocOptions &options = {}, const At &at = At::current());

/// A mutable scalar; without `initial` its value is undefined until stored.
Variable var(DType type, const At &at = At::current());
Variable var(DType type, const Operand &initial, const char *name = "");

/// The same storage under another shape and element type; the number of bytes must be equal.
Buffer view(const Buffer &buffer, const Shape &shape, DType type, const At &at = At::current());
Buffer reshape(const Buffer &buffer, const Shape &shape, const At &at = At::current());

/// An argument of a tile operation: a whole buffer, a window or a variable.
class Tile {
public:
  Tile(const Buffer &whole) : buffer(whole) {}
  Tile(const Access &part) : buffer(part.buffer()), access(part) {}
  Tile(const Variable &variable) : buffer(variable.buffer()) {}

  Buffer buffer;
  std::optional<Access> access;
};

} // namespace tessera::tl
