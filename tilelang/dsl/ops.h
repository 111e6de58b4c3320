// Operations on whole tiles. Each takes whole buffers or windows; docs/language.md has the exact results.
#pragma once

#include "tilelang/dsl/buffer.h"

namespace tessera::tl {

struct CopyOptions {
  /// The value of elements from outside the source; otherwise the pad value of the destination, or 0.
  std::optional<Number> pad = {};
  /// Replaces negative values by 0 after the conversion.
  bool relu = false;
};
/// dst = src, converted to the element type of dst. Shapes agree once extents of 1 are dropped; a corner on one side
/// takes its extents from the other, last dimensions first. Two corners copy one element.
void copy(const Tile &src, const Tile &dst, const CopyOptions &options = {}, const At &at = At::current());

/// Every element = value, converted to the element type of dst.
void fill(const Tile &dst, const Operand &value);
/// Every element = 0.
void clear(const Tile &dst, const At &at = At::current());

struct GemmOptions {
  /// a is stored k x m; b is stored n x k.
  bool transposeA = false;
  bool transposeB = false;
  /// Whether the old c is ignored; a bool, or a condition such as `ko == 0`.
  Expr clear = false;
};
/// c += a . b with a m x k, b k x n, c m x n. Types: both f32, both f16, both bf16, or any two of e4m3 and e5m2, into
/// f32, f16 or bf16, summed in f32; both f64 into f64; any two of i8 and u8 into i32.
void gemm(const Tile &a, const Tile &b, const Tile &c, const GemmOptions &options = {}, const At &at = At::current());

struct ReduceOptions {
  /// Counted from the end if negative.
  int64_t dim = -1;
  /// Whether the old dst is ignored; if not it is one more operand.
  bool clear = true;
  /// Whether max, min and absMax give NaN if any element is NaN; otherwise they ignore NaN.
  bool nanPropagate = false;
};
/// Reduce src along a dimension into dst, which lacks that dimension or has extent 1 there. The sum of an empty
/// dimension is 0, its maximum the least value of the type. reduceAny and reduceAll write bool.
void reduceSum(const Tile &src, const Tile &dst, const ReduceOptions &options = {}, const At &at = At::current());
void reduceMax(const Tile &src, const Tile &dst, const ReduceOptions &options = {}, const At &at = At::current());
void reduceMin(const Tile &src, const Tile &dst, const ReduceOptions &options = {}, const At &at = At::current());
void reduceAbsSum(const Tile &src, const Tile &dst, const ReduceOptions &options = {}, const At &at = At::current());
void reduceAbsMax(const Tile &src, const Tile &dst, const ReduceOptions &options = {}, const At &at = At::current());
void reduceBitAnd(const Tile &src, const Tile &dst, const ReduceOptions &options = {}, const At &at = At::current());
void reduceBitOr(const Tile &src, const Tile &dst, const ReduceOptions &options = {}, const At &at = At::current());
void reduceBitXor(const Tile &src, const Tile &dst, const ReduceOptions &options = {}, const At &at = At::current());
void reduceAny(const Tile &src, const Tile &dst, const ReduceOptions &options = {}, const At &at = At::current());
void reduceAll(const Tile &src, const Tile &dst, const ReduceOptions &options = {}, const At &at = At::current());

struct ScanOptions {
  int64_t dim = 0;
  /// Runs from the end.
  bool reverse = false;
};
/// dst[i] = src[0] + ... + src[i] along a dimension, or the maximum of these; in place without dst.
void cumsum(const Tile &src, const Tile &dst, const ScanOptions &options = {}, const At &at = At::current());
void cumsum(const Tile &tile, const ScanOptions &options = {}, const At &at = At::current());
void cummax(const Tile &src, const Tile &dst, const ScanOptions &options = {}, const At &at = At::current());
void cummax(const Tile &tile, const ScanOptions &options = {}, const At &at = At::current());

/// dst = src with its last two dimensions swapped.
void transpose(const Tile &src, const Tile &dst, const At &at = At::current());

/// element = element + value (max, min), indivisible among blocks; returns the old element. With a window as the second
/// argument, or a buffer, every element of the tile: then nothing is returned.
Expr atomicAdd(Access &&element, const Operand &value);
Expr atomicMax(Access &&element, const Operand &value);
Expr atomicMin(Access &&element, const Operand &value);
Expr atomicAdd(Access &&dst, Access &&src);
Expr atomicMax(Access &&dst, Access &&src);
Expr atomicMin(Access &&dst, Access &&src);
void atomicAdd(const Tile &dst, const Buffer &src, const At &at = At::current());
void atomicMax(const Tile &dst, const Buffer &src, const At &at = At::current());
void atomicMin(const Tile &dst, const Buffer &src, const At &at = At::current());

/// Prints shape, type and elements after a label when the kernel runs.
void dump(const char *label, const Tile &tile, const At &at = At::current());

} // namespace tessera::tl
