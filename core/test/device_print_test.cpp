// Text of printf and dump statements.
#include "core/device_print.h"

#include <bit>
#include <gtest/gtest.h>
#include <limits>

namespace tessera {
namespace {

int64_t bits(double value) { return std::bit_cast<int64_t>(value); }

TEST(DevicePrint, ConvertsByTheFormat) {
  int64_t values[] = {-3, 5, bits(0.5), 255};
  EXPECT_EQ(printfText("%d|%4u|%.2f|%#x\n", "iufu", values), "-3|   5|0.50|0xff\n");
  EXPECT_EQ(printfText("%-6d|%+d|%06.2f|%%", "iif", values), "-3    |+5|000.50|%");
}

TEST(DevicePrint, CutsUnsignedConversionsToTheWidth) {
  int64_t values[] = {-1, -2, -1, -1};
  EXPECT_EQ(printfText("%u %x %u %X", "1248", values), "255 fffe 4294967295 FFFFFFFFFFFFFFFF");
  EXPECT_EQ(printfText("%d %i %d %d", "1248", values), "-1 -2 -1 -1");
}

TEST(DevicePrint, IgnoresLengthModifiers) {
  int64_t values[] = {int64_t{1} << 40, bits(1e300)};
  EXPECT_EQ(printfText("%hhd %Lg %lf", "if", values),
            "1099511627776 %Lg 1" + std::string(printfText("%f", "f", &values[1])).substr(1));
}

TEST(DevicePrint, PrintsAnArgumentThatDoesNotFitInItsOwnWay) {
  int64_t values[] = {bits(1.5), 7, -1};
  EXPECT_EQ(printfText("%d %f %u", "fii", values), "1.5 7 18446744073709551615");
}

TEST(DevicePrint, KeepsWhatIsNoConversionOrHasNoArgument) {
  int64_t values[] = {1};
  EXPECT_EQ(printfText("%d %d %f", "i", values), "1 %d %f");
  EXPECT_EQ(printfText("%n %s %p", "i", values), "%n %s %p");
  EXPECT_EQ(printfText("100%", "", nullptr), "100%");
  EXPECT_EQ(printfText("%*d", "i", values), "%*d");
  EXPECT_EQ(printfText("%123456789012345678901234567890d", "i", values), "%123456789012345678901234567890d");
}

TEST(DevicePrint, TakesLongOutput) {
  int64_t values[] = {1};
  EXPECT_EQ(printfText("%5000d", "i", values).size(), 5000u);
}

TEST(DevicePrint, DumpsRows) {
  Tensor tile = Tensor::fromVector<float>({1, 2.5, -3, 4, 5, 6}, {2, 3});
  EXPECT_EQ(dumpText("acc", tile), "acc: f32[2, 3]\n[0, :] 1 2.5 -3\n[1, :] 4 5 6\n");
  EXPECT_EQ(dumpText("t", tile.transpose(0, 1)), "t: f32[3, 2]\n[0, :] 1 4\n[1, :] 2.5 5\n[2, :] -3 6\n");
}

TEST(DevicePrint, DumpsEveryRank) {
  EXPECT_EQ(dumpText("v", Tensor::fromVector<int32_t>({1, 2})), "v: i32[2]\n1 2\n");
  EXPECT_EQ(dumpText("s", Tensor::fromVector<int32_t>({9}, {})), "s: i32[]\n9\n");
  EXPECT_EQ(dumpText("c", Tensor::fromVector<int32_t>({1, 2, 3, 4}, {2, 1, 2})),
            "c: i32[2, 1, 2]\n[0, 0, :] 1 2\n[1, 0, :] 3 4\n");
  EXPECT_EQ(dumpText("z", Tensor::zeros(DType::f32, {3, 0})), "z: f32[3, 0]\n");
}

} // namespace
} // namespace tessera
