// Rounding floating-point values to integral ones.
#pragma once

#include "tilelang/cpu/CpuIsa.h"
#include "tilelang/cpu/emit/LaneBuilder.h"
#include "tilelang/ir/Tile.h"

namespace tessera::cpu {

/// f32 or f64 values rounded to integral ones. Zeros keep the sign of the value, NaN and infinity stay.
mlir::Value roundToIntegral(LaneBuilder &l, const CpuIsa &isa, mlir::Value real, tile::Rounding rounding);

} // namespace tessera::cpu
