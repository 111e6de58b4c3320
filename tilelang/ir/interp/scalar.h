// Scalars at run time: the bits of a value, kept in the low bits of a word with zeros above.
#pragma once

#include "core/dtype.h"

#include "mlir/IR/BuiltinTypes.h"

#include <cstdint>
#include <optional>

namespace tessera::tile {

/// An integer with its width.
struct Word {
  uint64_t bits;
  unsigned width; // 1 to 64

  int64_t value() const { return static_cast<int64_t>(bits << (64 - width)) >> (64 - width); }
  int64_t least() const { return Word{uint64_t{1} << (width - 1), width}.value(); }
};

inline uint64_t maskTo(uint64_t bits, unsigned width) {
  return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
}

/// Bits of a scalar type, 64 for index; nothing for types that tile programs do not compute with.
std::optional<unsigned> scalarWidth(mlir::Type type);

/// The format of a floating type that buffers may hold; nothing for other types.
std::optional<DType> floatDType(mlir::Type type);

/// The element type of a buffer; nothing for types that buffers cannot hold.
std::optional<DType> elementDType(mlir::Type element);

/// Whether scalars of this format are computed with; narrower formats are only converted.
bool isArithmetic(DType type);

/// `decode` and `encode` of core/numbers.h with short cuts for f32 and f64.
double decodeReal(DType type, uint64_t bits);
uint64_t encodeReal(DType type, double value);

/// IEEE 754-2019 maximum and minimum: a NaN operand gives NaN, -0 is less than +0.
double maximum(double a, double b);
double minimum(double a, double b);

/// maximumNumber and minimumNumber: the other operand where one is NaN, -0 is less than +0.
double maximumNumber(double a, double b);
double minimumNumber(double a, double b);

/// a + b rounded to odd: a further rounding to fewer bits gives the result of a single one.
double addToOdd(double a, double b);

/// The saturation of conversions that state none: those of at most 8 bits saturate.
bool saturatesByDefault(DType type);

} // namespace tessera::tile
