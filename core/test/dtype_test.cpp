// Element types: names both ways, widths, kinds.
#include "core/dtype.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

TEST(DType, NamesParseBack) {
  for (int i = 0; i <= static_cast<int>(DType::e2m1); ++i) {
    auto type = static_cast<DType>(i);
    EXPECT_EQ(parseDType(name(type)), type) << name(type);
  }
  EXPECT_EQ(parseDType("float32"), DType::f32);
  EXPECT_EQ(parseDType("bfloat16"), DType::bf16);
  EXPECT_EQ(parseDType("float8_e4m3fn"), DType::e4m3);
  EXPECT_EQ(parseDType("int8"), DType::i8);
  EXPECT_EQ(parseDType("f33"), std::nullopt);
  EXPECT_EQ(parseDType(""), std::nullopt);
}

TEST(DType, WidthsAndKinds) {
  EXPECT_EQ(bitWidth(DType::e2m1), 4);
  EXPECT_EQ(bitWidth(DType::boolean), 8);
  EXPECT_EQ(byteWidth(DType::hif8), 1);
  EXPECT_EQ(byteWidth(DType::f64), 8);
  for (int i = 0; i <= static_cast<int>(DType::e2m1); ++i) {
    auto type = static_cast<DType>(i);
    int kinds = isFloat(type) + isSignedInteger(type) + isUnsignedInteger(type) + (type == DType::boolean);
    EXPECT_EQ(kinds, 1) << name(type);
    EXPECT_EQ(isInteger(type), isSignedInteger(type) || isUnsignedInteger(type));
  }
  EXPECT_TRUE(isSignedInteger(DType::i16));
  EXPECT_TRUE(isUnsignedInteger(DType::u16));
  EXPECT_TRUE(isFloat(DType::e8m0));
}

} // namespace
