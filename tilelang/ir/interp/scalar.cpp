// Types and exact arithmetic of scalars.
#include "tilelang/ir/interp/scalar.h"

#include "core/numbers.h"
#include "tilelang/ir/TileInfo.h"

#include "llvm/ADT/TypeSwitch.h"

#include <bit>
#include <cmath>

using namespace mlir;

namespace tessera::tile {
namespace {

std::optional<DType> integerDType(IntegerType type) {
  bool isUnsignedType = type.isUnsigned();
  switch (type.getWidth()) {
  case 1: return DType::boolean;
  case 8: return isUnsignedType ? DType::u8 : DType::i8;
  case 16: return isUnsignedType ? DType::u16 : DType::i16;
  case 32: return isUnsignedType ? DType::u32 : DType::i32;
  case 64: return isUnsignedType ? DType::u64 : DType::i64;
  default: return std::nullopt;
  }
}

} // namespace

std::optional<unsigned> scalarWidth(Type type) {
  if (type.isIndex()) return 64;
  if (std::optional<DType> format = floatDType(type)) return static_cast<unsigned>(bitWidth(*format));
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() == 0 || integer.getWidth() > 64) return std::nullopt;
  return integer.getWidth();
}

std::optional<DType> floatDType(Type type) {
  return llvm::TypeSwitch<Type, std::optional<DType>>(type)
      .Case<Float64Type>([](auto) { return DType::f64; })
      .Case<Float32Type>([](auto) { return DType::f32; })
      .Case<Float16Type>([](auto) { return DType::f16; })
      .Case<BFloat16Type>([](auto) { return DType::bf16; })
      .Case<Float8E4M3FNType>([](auto) { return DType::e4m3; })
      .Case<Float8E5M2Type>([](auto) { return DType::e5m2; })
      .Case<Float8E8M0FNUType>([](auto) { return DType::e8m0; })
      .Case<Float4E2M1FNType>([](auto) { return DType::e2m1; })
      .Default([](auto) { return std::nullopt; });
}

std::optional<DType> elementDType(Type element) {
  if (!isElementType(element)) return std::nullopt;
  if (auto integer = dyn_cast<IntegerType>(element)) return integerDType(integer);
  return floatDType(element);
}

bool isArithmetic(DType type) {
  return type == DType::f64 || type == DType::f32 || type == DType::f16 || type == DType::bf16;
}

double decodeReal(DType type, uint64_t bits) {
  if (type == DType::f32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return decode(type, bits);
}

uint64_t encodeReal(DType type, double value) {
  if (type == DType::f32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  if (type == DType::f64) return std::bit_cast<uint64_t>(value);
  return encode(type, value, saturatesByDefault(type) ? Saturate::yes : Saturate::no);
}

double maximumNumber(double a, double b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

double minimumNumber(double a, double b) { return -maximumNumber(-a, -b); }

double maximum(double a, double b) { return std::isnan(a) ? a : std::isnan(b) ? b : maximumNumber(a, b); }

double minimum(double a, double b) { return -maximum(-a, -b); }

double addToOdd(double a, double b) {
  double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  // Knuth's two-sum: `error` is exactly a + b - sum.
  double bPart = sum - a, aPart = sum - bPart;
  double error = (a - aPart) + (b - bPart);
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  if (error == 0 || (bits & 1)) return sum;
  bool awayFromZero = (error > 0) == (sum > 0);
  return std::bit_cast<double>(awayFromZero ? bits + 1 : bits - 1);
}

bool saturatesByDefault(DType type) { return isFloat(type) && bitWidth(type) <= 8; }

} // namespace tessera::tile
