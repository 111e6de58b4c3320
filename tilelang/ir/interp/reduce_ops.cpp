// Reductions and scans, in the order and the type that their descriptions state.
#include "tilelang/ir/interp/frame.h"

#include "core/float_format.h"
#include "core/numbers.h"
#include "tilelang/ir/Tile.h"

#include <array>
#include <cmath>
#include <limits>

using namespace mlir;

namespace tessera::tile {
namespace {

/// The elements of one line along the axis, with their format.
struct Line {
  DType type;
  std::vector<uint64_t> bits;
};

bool isNonZero(DType type, uint64_t bits) { return isFloat(type) ? decodeReal(type, bits) != 0 : bits != 0; }

/// An integer element, extended to 64 bits by its sign or with zeros.
uint64_t extended(DType type, uint64_t bits) {
  return isSignedInteger(type) ? static_cast<uint64_t>(Word{bits, static_cast<unsigned>(bitWidth(type))}.value())
                               : bits;
}
uint64_t magnitude(DType type, uint64_t bits) {
  uint64_t value = extended(type, bits);
  return isSignedInteger(type) && static_cast<int64_t>(value) < 0 ? -value : value;
}

// Floating point. T is float or double.

/// The sum along the last axis: 16 partial sums, combined by halving.
template <class T> T sumInLanes(ArrayRef<T> values) {
  constexpr size_t kLanes = 16;
  std::array<T, kLanes> lanes{};
  for (size_t i = 0; i < values.size(); ++i) lanes[i % kLanes] += values[i];
  for (size_t half = kLanes / 2; half; half /= 2)
    for (size_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
  return lanes[0];
}
template <class T> T sumInOrder(ArrayRef<T> values) {
  T sum = 0;
  for (T value : values) sum += value;
  return sum;
}

/// The larger, ignoring NaN in `value` unless it shall spread; `best` is NaN only where one has spread.
template <class T> T larger(T best, T value, bool spreadNaN) {
  return value > best || (spreadNaN && std::isnan(value)) ? value : best;
}

/// A value that is an element of the type, or the identity: the largest value where the type has no infinity.
uint64_t encodeExtreme(DType type, double value) {
  return encode(type, value, floatFormat(type).hasInfinity ? Saturate::no : Saturate::yes);
}

bool isSum(ReduceKind kind) { return kind == ReduceKind::sum || kind == ReduceKind::abssum; }

template <class T> T reduceFloats(ReduceOp op, bool lastAxis, ArrayRef<T> values, std::optional<T> old) {
  ReduceKind kind = op.getKind();
  if (isSum(kind)) return (lastAxis ? sumInLanes(values) : sumInOrder(values)) + old.value_or(T(0));
  // The minimum is the negated maximum of the negated values.
  T sign = kind == ReduceKind::min ? T(-1) : T(1);
  T best = kind == ReduceKind::absmax ? T(0) : -std::numeric_limits<T>::infinity();
  for (T value : values) best = larger(best, sign * value, op.getNanPropagate());
  if (old) best = larger(best, sign * (kind == ReduceKind::absmax ? std::abs(*old) : *old), op.getNanPropagate());
  return sign * best + T(0); // zero is +0 whatever the order
}

template <class T>
uint64_t reduceFloatLine(ReduceOp op, bool lastAxis, const Line &line, DType to, std::optional<uint64_t> old) {
  bool absolute = op.getKind() == ReduceKind::absmax || op.getKind() == ReduceKind::abssum;
  std::vector<T> values;
  for (uint64_t bits : line.bits) {
    T value = static_cast<T>(decodeReal(line.type, bits));
    values.push_back(absolute ? std::abs(value) : value);
  }
  std::optional<T> before;
  if (old) before = static_cast<T>(decodeReal(to, *old));
  T result = reduceFloats<T>(op, lastAxis, values, before);
  return isSum(op.getKind()) ? encodeReal(to, result) : encodeExtreme(to, result);
}

// Integers, as 64-bit words whose low bits are the result.

uint64_t identity(ReduceKind kind, DType type) {
  auto width = static_cast<unsigned>(bitWidth(type));
  uint64_t most = maskTo(~uint64_t{0}, isSignedInteger(type) ? width - 1 : width);
  switch (kind) {
  case ReduceKind::max: return isSignedInteger(type) ? ~most : 0;
  case ReduceKind::min: return most;
  case ReduceKind::bitAnd:
  case ReduceKind::all: return ~uint64_t{0};
  default: return 0;
  }
}

/// One more operand, prepared by `operandOf`.
uint64_t foldInteger(ReduceKind kind, bool isSigned, uint64_t sum, uint64_t value) {
  bool isLess = isSigned ? static_cast<int64_t>(value) < static_cast<int64_t>(sum) : value < sum;
  switch (kind) {
  case ReduceKind::sum:
  case ReduceKind::abssum: return sum + value;
  case ReduceKind::max: return isLess ? sum : value;
  case ReduceKind::min: return isLess ? value : sum;
  case ReduceKind::absmax: return std::max(sum, value);
  case ReduceKind::bitAnd:
  case ReduceKind::all: return sum & value;
  case ReduceKind::bitOr:
  case ReduceKind::any: return sum | value;
  case ReduceKind::bitXor: return sum ^ value;
  }
  return sum;
}

uint64_t operandOf(ReduceKind kind, DType type, uint64_t bits) {
  bool logical = kind == ReduceKind::any || kind == ReduceKind::all;
  if (logical) return isNonZero(type, bits) ? ~uint64_t{0} : 0;
  bool absolute = kind == ReduceKind::absmax || kind == ReduceKind::abssum;
  return absolute ? magnitude(type, bits) : extended(type, bits);
}

uint64_t reduceIntegerLine(ReduceOp op, const Line &line, DType to, std::optional<uint64_t> old) {
  ReduceKind kind = op.getKind();
  bool isSigned = isSignedInteger(line.type);
  uint64_t sum = identity(kind, line.type);
  for (uint64_t bits : line.bits) sum = foldInteger(kind, isSigned, sum, operandOf(kind, line.type, bits));
  // Old contents of an abssum are a sum already.
  ReduceKind oldKind = kind == ReduceKind::abssum ? ReduceKind::sum : kind;
  if (old) sum = foldInteger(kind, isSigned, sum, operandOf(oldKind, to, *old));
  return to == DType::boolean ? sum & 1 : sum;
}

uint64_t reduceLine(ReduceOp op, bool lastAxis, const Line &line, DType to, std::optional<uint64_t> old) {
  bool logical = op.getKind() == ReduceKind::any || op.getKind() == ReduceKind::all;
  if (logical || !isFloat(line.type)) return reduceIntegerLine(op, line, to, old);
  if (line.type == DType::f64 || to == DType::f64) return reduceFloatLine<double>(op, lastAxis, line, to, old);
  return reduceFloatLine<float>(op, lastAxis, line, to, old);
}

Line lineAt(const RuntimeTile &src, Extents index, size_t axis) {
  Line line{src.dtype(), {}};
  for (index[axis] = 0; index[axis] < src.sizes[axis]; ++index[axis]) line.bits.push_back(src.read(index).value_or(0));
  return line;
}

void runReduce(ReduceOp op, Frame &frame) {
  const RuntimeTile &src = frame.tile(op.getSrc()), &dst = frame.tile(op.getDst());
  requireWritable(op, dst);
  frame.run.charge(op, elementCount(src.sizes));
  auto axis = static_cast<size_t>(op.getDim());
  bool keepsAxis = src.rank() == dst.rank();
  auto toDst = [&](Extents index) {
    if (!keepsAxis) index.erase(index.begin() + static_cast<ptrdiff_t>(axis));
    return index;
  };
  Extents outer = src.sizes;
  outer[axis] = 1;
  for (size_t d = 0; d < outer.size(); ++d)
    if (keepsAxis || d != axis) outer[d] = std::min(outer[d], dst.sizes[d > axis && !keepsAxis ? d - 1 : d]);
  forEachIndex(outer, [&](ArrayRef<int64_t> index) {
    Extents at = toDst(Extents(index));
    std::optional<uint64_t> old = op.getAccumulate() ? dst.read(at) : std::nullopt;
    bool lastAxis = axis + 1 == index.size();
    dst.write(at, reduceLine(op, lastAxis, lineAt(src, Extents(index), axis), dst.dtype(), old));
  });
}

/// Replaces the elements of a line by its running sum or maximum in T.
template <class T> void scanFloats(ScanKind kind, Line &line) {
  T running = kind == ScanKind::sum ? T(0) : -std::numeric_limits<T>::infinity();
  for (uint64_t &bits : line.bits) {
    T value = static_cast<T>(decodeReal(line.type, bits));
    running = kind == ScanKind::sum ? running + value : larger(running, value, false);
    bits = kind == ScanKind::sum ? encodeReal(line.type, running) : encodeExtreme(line.type, running + T(0));
  }
}

void scanIntegers(ScanKind kind, Line &line) {
  ReduceKind fold = kind == ScanKind::sum ? ReduceKind::sum : ReduceKind::max;
  uint64_t running = identity(fold, line.type);
  for (uint64_t &bits : line.bits)
    bits = running = foldInteger(fold, isSignedInteger(line.type), running, extended(line.type, bits));
}

void scanLine(ScanKind kind, Line &line) {
  if (!isFloat(line.type)) return scanIntegers(kind, line);
  line.type == DType::f64 ? scanFloats<double>(kind, line) : scanFloats<float>(kind, line);
}

void runScan(ScanOp op, Frame &frame) {
  RuntimeTile src = frame.tile(op.getSrc());
  const RuntimeTile &dst = frame.tile(op.getDst());
  requireWritable(op, dst);
  for (auto [size, other] : llvm::zip_equal(src.sizes, dst.sizes)) size = std::min(size, other);
  frame.run.charge(op, elementCount(src.sizes));
  auto axis = static_cast<size_t>(op.getDim());
  Extents outer = src.sizes;
  outer[axis] = 1;
  forEachIndex(outer, [&](ArrayRef<int64_t> index) {
    Line line = lineAt(src, Extents(index), axis);
    if (op.getReverse()) std::reverse(line.bits.begin(), line.bits.end());
    scanLine(op.getKind(), line);
    if (op.getReverse()) std::reverse(line.bits.begin(), line.bits.end());
    Extents at(index);
    for (uint64_t bits : line.bits) {
      dst.write(at, bits);
      ++at[axis];
    }
  });
}

} // namespace

void addReduceHandlers(Handlers &h) {
  h.add<ReduceOp>(runReduce);
  h.add<ScanOp>(runScan);
}

} // namespace tessera::tile
