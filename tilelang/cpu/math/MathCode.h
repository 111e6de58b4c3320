// What inline functions of f32 are made of, in lanes and one by one, with the same bits on every instruction set that
// has fused multiply-add.
#pragma once

#include "tilelang/cpu/CpuIsa.h"
#include "tilelang/cpu/emit/LaneBuilder.h"

#include <array>

namespace tessera::cpu {

/// Sixteen numbers that lanes choose from. The name is that of the global constant where they lie in memory.
struct MathTable {
  const char *name;
  std::array<float, 16> values;
};

/// `isa` must have fused multiply-add; all values are f32 or i32 in one shape.
class MathCode : public LaneBuilder {
public:
  MathCode(mlir::ImplicitLocOpBuilder &b, const CpuIsa &isa) : LaneBuilder(b), isa(isa) {}

  /// x * y + z, rounded once.
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z);
  mlir::Value fma(mlir::Value x, double y, mlir::Value z) { return fma(x, real(x.getType(), y), z); }
  mlir::Value fma(mlir::Value x, mlir::Value y, double z) { return fma(x, y, real(x.getType(), z)); }
  mlir::Value fma(mlir::Value x, double y, double z) { return fma(x, y, real(x.getType(), z)); }
  mlir::Value addf(mlir::Value x, double y) { return LaneBuilder::addf(x, real(x.getType(), y)); }
  using LaneBuilder::addf;

  /// x between the bounds; NaN stays.
  mlir::Value clamp(mlir::Value x, double low, double high);
  /// 2^n for integers n from -126 to 127.
  mlir::Value powerOfTwo(mlir::Value n);
  /// The values at the low four bits of `index`.
  mlir::Value lookup(const MathTable &table, mlir::Value index);

  /// Whether values of this type are whole registers of AVX-512, for which the instructions below exist.
  bool hasAvx512(mlir::Type type) const;
  /// x * 2^floor(n), rounded once. An infinite n wins over a NaN x.
  mlir::Value scaleAvx512(mlir::Value x, mlir::Value n);
  /// The smaller of abs(x) and a positive limit, which also replaces NaN.
  mlir::Value limitAvx512(mlir::Value x, double limit);
  /// x rounded to quarters, ties to even.
  mlir::Value quartersAvx512(mlir::Value x);
  /// x is m 2^e with m in [3/4, 3/2). Of negative x, m is NaN; of zero and infinity m is 1 or -1, and e is infinite.
  mlir::Value mantissaAvx512(mlir::Value x);
  mlir::Value exponentAvx512(mlir::Value x, mlir::Value mantissa);

private:
  const CpuIsa &isa;

  mlir::Value lookupAvx2(const MathTable &table, mlir::Value index);
  mlir::Value lookupInMemory(const MathTable &table, mlir::Value index);
};

} // namespace tessera::cpu
