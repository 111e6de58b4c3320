// The element types of tensors and tiles.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera {

/// An element type. `e8m0` is the scale type ue8m0; `hif8` exists as a storage format for conversion.
enum class DType : uint8_t {
  boolean,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f16,
  bf16,
  f32,
  f64,
  e4m3,
  e5m2,
  e8m0,
  hif8,
  e2m1,
};

/// Bits of one stored element; `e2m1` has 4 (two codes per byte, low nibble first), `boolean` 8.
int bitWidth(DType type);

/// The short name used in messages, in the tile language and on the command line: "bf16", "e4m3", "i32", "bool".
std::string_view name(DType type);

/// The inverse of `name`; also accepts the usual long names ("float32", "bfloat16", "float8_e4m3fn", "int8").
std::optional<DType> parseDType(std::string_view text);

bool isFloat(DType type);
bool isSignedInteger(DType type);
bool isUnsignedInteger(DType type);
inline bool isInteger(DType type) { return isSignedInteger(type) || isUnsignedInteger(type); }

/// Bytes of one element; requires a type of at least eight bits.
inline int byteWidth(DType type) { return bitWidth(type) / 8; }

} // namespace tessera
