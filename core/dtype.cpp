// Names and sizes of the element types.
#include "core/dtype.h"

#include <array>

namespace tessera {
namespace {

enum class Kind : uint8_t { boolean, signedInteger, unsignedInteger, floating };

struct Entry {
  DType type;
  std::string_view name, longName;
  int bits;
  Kind kind;
};

constexpr std::array<Entry, 18> kTypes{{
    {DType::boolean, "bool", "boolean", 8, Kind::boolean},
    {DType::i8, "i8", "int8", 8, Kind::signedInteger},
    {DType::i16, "i16", "int16", 16, Kind::signedInteger},
    {DType::i32, "i32", "int32", 32, Kind::signedInteger},
    {DType::i64, "i64", "int64", 64, Kind::signedInteger},
    {DType::u8, "u8", "uint8", 8, Kind::unsignedInteger},
    {DType::u16, "u16", "uint16", 16, Kind::unsignedInteger},
    {DType::u32, "u32", "uint32", 32, Kind::unsignedInteger},
    {DType::u64, "u64", "uint64", 64, Kind::unsignedInteger},
    {DType::f16, "f16", "float16", 16, Kind::floating},
    {DType::bf16, "bf16", "bfloat16", 16, Kind::floating},
    {DType::f32, "f32", "float32", 32, Kind::floating},
    {DType::f64, "f64", "float64", 64, Kind::floating},
    {DType::e4m3, "e4m3", "float8_e4m3fn", 8, Kind::floating},
    {DType::e5m2, "e5m2", "float8_e5m2", 8, Kind::floating},
    {DType::e8m0, "e8m0", "float8_e8m0fnu", 8, Kind::floating},
    {DType::hif8, "hif8", "hifloat8", 8, Kind::floating},
    {DType::e2m1, "e2m1", "float4_e2m1fn", 4, Kind::floating},
}};

constexpr bool inEnumOrder() {
  for (size_t i = 0; i < kTypes.size(); ++i)
    if (kTypes[i].type != static_cast<DType>(i)) return false;
  return true;
}
static_assert(inEnumOrder(), "kTypes is indexed by DType");

const Entry &entry(DType type) { return kTypes[static_cast<size_t>(type)]; }

} // namespace

int bitWidth(DType type) { return entry(type).bits; }

std::string_view name(DType type) { return entry(type).name; }

std::optional<DType> parseDType(std::string_view text) {
  for (const Entry &e : kTypes)
    if (text == e.name || text == e.longName) return e.type;
  return std::nullopt;
}

bool isFloat(DType type) { return entry(type).kind == Kind::floating; }
bool isSignedInteger(DType type) { return entry(type).kind == Kind::signedInteger; }
bool isUnsignedInteger(DType type) { return entry(type).kind == Kind::unsignedInteger; }

} // namespace tessera
