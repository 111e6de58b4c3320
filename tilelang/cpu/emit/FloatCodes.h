// Conversion between floating formats, bit for bit as core/numbers.h: in integer arithmetic, or by instructions of the
// machine that give the same bits. All functions take one value or lanes of it.
#pragma once

#include "core/dtype.h"
#include "tilelang/cpu/CpuIsa.h"
#include "tilelang/cpu/emit/LaneBuilder.h"
#include "tilelang/ir/Tile.h"

namespace tessera::cpu {

/// The f32 of emitted f16, bf16, e4m3, e5m2, e8m0 or e2m1 values; exact. A signalling NaN is made quiet, or with
/// `anyNaN` perhaps not: arithmetic does it anyway.
mlir::Value widenToF32(LaneBuilder &l, const CpuIsa &isa, mlir::Value value, DType from, bool anyNaN = false);

/// The bits of bf16 of lanes of e2m1 codes where the machine looks them up at once, else null.
mlir::Value lookUpBF16(LaneBuilder &l, const CpuIsa &isa, mlir::Value codes);

/// The code, an integer of the format's width (at least 8), of f32 or f64 values in a narrower format, rounded once.
mlir::Value roundToCode(LaneBuilder &l, mlir::Value real, DType to, tile::Rounding rounding, bool saturate);

/// (significand + bias) / 2^shift rounded to an integer, for magnitudes of values whose sign is in `negative` (all ones
/// or zero). `bias` is a multiple of 2^(shift + 1).
mlir::Value roundShift(LaneBuilder &l, mlir::Value significand, mlir::Value shift, tile::Rounding rounding,
                       mlir::Value negative, uint64_t bias = 0);

/// Infinities become the largest value of the type; an infinity's code is the one after it.
mlir::Value withoutInfinity(LaneBuilder &l, mlir::Value real, DType type);

} // namespace tessera::cpu
