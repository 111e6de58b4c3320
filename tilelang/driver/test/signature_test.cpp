// Signatures of programs, and extents in terms of sizes.
#include "tilelang/driver/compile.h"

#include "core/test/expect_error.h"

namespace tessera {
namespace {

Signature signatureOf(const std::string &head) {
  Program program = Program::parse("#g = #tile.space<global>\nfunc.func @k" + head + " { return }", "k.mlir");
  return compile(program, "interpreter").signature();
}

constexpr const char *kGemm = R"((
  %A: memref<?x?xbf16, #g> {tile.name = "A", tile.access = "read", tile.shape = affine_map<()[M, N, K] -> (M, K)>},
  %S: memref<?x?xf32, #g> {tile.name = "S", tile.access = "read",
                           tile.shape = affine_map<()[M, N, K] -> (M * 2 + 1, K ceildiv 128)>},
  %n: i32 {tile.name = "n"}, %x: f32,
  %C: memref<?x64xf32, strided<[?, 1]>, #g> {tile.name = "C", tile.access = "write",
                                             tile.shape = affine_map<()[M, N, K] -> (M, 64)>})
  attributes {tile.symbols = ["M", "N", "K"]})";

TEST(Signature, ReadsNamesTypesAndShapes) {
  Signature s = signatureOf(kGemm);
  EXPECT_EQ(s.text(), "k(A: bf16[M, K], S: f32[M * 2 + 1, ceildiv(K, 128)], n: i32, arg3: f32, "
                      "out C: f32[M, 64] strided)");
  EXPECT_EQ(s.sizes, (std::vector<std::string>{"M", "N", "K"}));
  EXPECT_EQ(s.where.file, "k.mlir");
  EXPECT_EQ(s.where.line, 2);
  EXPECT_TRUE(s.parameters[0].contiguous);
  EXPECT_FALSE(s.parameters[4].contiguous);
  EXPECT_EQ(s.parameters[4].strides, (std::vector<std::optional<int64_t>>{std::nullopt, 1}));
  EXPECT_EQ(s.parameters[2].type, DType::i32);
  EXPECT_FALSE(s.parameters[2].isTensor);
}

TEST(Signature, CountsAnUnstatedAccessAsBoth) {
  Signature s = signatureOf("(%x: memref<?xui8, #g>, %y: memref<4xi1>, %i: index)");
  EXPECT_EQ(s.text(), "k(inout arg0: u8[?], inout arg1: bool[4], arg2: i64)");
}

TEST(Signature, EvaluatesExtents) {
  Signature s = signatureOf(kGemm);
  std::optional<int64_t> sizes[] = {5, std::nullopt, 257};
  EXPECT_EQ(s.parameters[0].shape[1].value(sizes), 257);
  EXPECT_EQ(s.parameters[1].shape[0].value(sizes), 11);
  EXPECT_EQ(s.parameters[1].shape[1].value(sizes), 3);
  EXPECT_EQ(s.parameters[4].shape[1].asConstant(), 64);
  EXPECT_EQ(s.parameters[0].shape[0].asSize(), 0u);
  EXPECT_EQ(s.parameters[1].shape[0].asSize(), std::nullopt);
}

TEST(Signature, GivesNoValueWithoutTheSizesOrBeyondTheRange) {
  using Op = Extent::Op;
  std::optional<int64_t> sizes[] = {7, std::nullopt, INT64_MAX, 0};
  auto value = [&](std::vector<Extent::Step> steps) { return Extent(std::move(steps), "e").value(sizes); };
  EXPECT_EQ(value({{Op::size, 1}}), std::nullopt);
  EXPECT_EQ(value({{Op::size, 2}, {Op::constant, 2}, {Op::mul}}), std::nullopt);
  EXPECT_EQ(value({{Op::size, 0}, {Op::size, 3}, {Op::floordiv}}), std::nullopt);
  EXPECT_EQ(value({{Op::constant, -7}, {Op::constant, 2}, {Op::floordiv}}), -4);
  EXPECT_EQ(value({{Op::constant, -7}, {Op::constant, 2}, {Op::ceildiv}}), -3);
  EXPECT_EQ(value({{Op::size, 0}, {Op::constant, 2}, {Op::ceildiv}}), 4);
  EXPECT_EQ(value({{Op::constant, -7}, {Op::constant, 3}, {Op::mod}}), 2);
  EXPECT_EQ(Extent().value(sizes), std::nullopt);
}

TEST(Signature, IsReadOfCheckedProgramsOnly) {
  EXPECT_ERROR(signatureOf("(%x: vector<4xf32>)"), "k.mlir:2: error: argument 0 of `k` has the type vector<4xf32>");
  EXPECT_ERROR(signatureOf("(%x: memref<4x4xf32, affine_map<(a, b) -> (b, a)>, #g>)"), "has no unit stride");
}

} // namespace
} // namespace tessera
