// The array conversions equal the scalar ones bit for bit, in every instruction set this machine has.
#include "core/array_codec.h"

#include "core/test/reference_format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>

using namespace tessera;

namespace {

uint64_t element(DType type, const std::vector<uint8_t> &packed, size_t i) {
  if (type == DType::e2m1) return packed[i / 2] >> i % 2 * 4 & 0xf;
  size_t bytes = static_cast<size_t>(byteWidth(type));
  uint64_t bits = 0;
  std::memcpy(&bits, &packed[i * bytes], bytes);
  return bits;
}

size_t packedBytes(DType type, size_t count) { return (count * static_cast<size_t>(bitWidth(type)) + 7) / 8; }

/// Every sign, exponent and leading mantissa bit, with endings that sit on, below and above every possible tie.
std::vector<float> floats() {
  std::vector<float> out;
  for (uint32_t high = 0; high < 0x10000; ++high)
    for (uint32_t low : {0x0000u, 0x0001u, 0x0fffu, 0x1000u, 0x1001u, 0x3000u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu})
      out.push_back(std::bit_cast<float>(high << 16 | low));
  return out;
}

class Array : public testing::TestWithParam<DType> {};

TEST_P(Array, EncodesAsTheScalarDoes) {
  DType type = GetParam();
  std::vector<float> in = floats();
  std::vector<uint8_t> out(packedBytes(type, in.size()));
  for (Saturate s : {Saturate::no, Saturate::yes}) {
    std::vector<uint64_t> want;
    want.reserve(in.size());
    for (float x : in) want.push_back(encode(type, static_cast<double>(x), s));
    for (const ArrayCodec *codec : runnableCodecs()) {
      codec->encoder(type, s)(in.data(), out.data(), in.size());
      for (size_t i = 0; i < in.size(); ++i)
        ASSERT_EQ(element(type, out, i), want[i]) << codec->name << ' ' << in[i] << " saturate " << int(s);
    }
  }
}

TEST_P(Array, DecodesAsTheScalarDoes) {
  DType type = GetParam();
  size_t count = size_t{1} << bitWidth(type);
  std::vector<uint8_t> in(packedBytes(type, count));
  for (size_t i = 0; i < count; ++i) {
    if (type == DType::e2m1)
      in[i / 2] = static_cast<uint8_t>(in[i / 2] | i << i % 2 * 4);
    else
      std::memcpy(&in[i * static_cast<size_t>(byteWidth(type))], &i, static_cast<size_t>(byteWidth(type)));
  }
  std::vector<float> out(count);
  for (const ArrayCodec *codec : runnableCodecs()) {
    codec->decoder(type)(in.data(), out.data(), count);
    for (size_t i = 0; i < count; ++i) {
      ASSERT_EQ(std::bit_cast<uint32_t>(out[i]), convert(type, i, DType::f32)) << codec->name << ' ' << i;
      double value = reference::value(type, i);
      if (!std::isnan(value)) ASSERT_EQ(static_cast<double>(out[i]), value) << codec->name << ' ' << i;
    }
  }
}

TEST_P(Array, WritesExactlyTheElements) {
  // Every length around the vector widths, between guard bytes.
  DType type = GetParam();
  std::vector<float> in(70);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i) - 30.25f;
  for (const ArrayCodec *codec : runnableCodecs())
    for (size_t count = 0; count <= in.size(); ++count) {
      size_t bytes = packedBytes(type, count);
      std::vector<uint8_t> out(bytes + 16, 0xa5);
      codec->encoder(type, Saturate::yes)(in.data(), out.data() + 8, count);
      for (size_t i = 0; i < 8; ++i) ASSERT_EQ(out[i] | out[bytes + 8 + i] << 8, 0xa5a5) << codec->name << ' ' << count;
      std::vector<uint8_t> body(out.begin() + 8, out.begin() + 8 + static_cast<std::ptrdiff_t>(bytes));
      for (size_t i = 0; i < count; ++i)
        ASSERT_EQ(element(type, body, i), encode(type, static_cast<double>(in[i]), Saturate::yes));
      if (type == DType::e2m1 && count % 2) ASSERT_EQ(body.back() >> 4, 0);
      std::vector<float> back(count + 2, 77.0f);
      codec->decoder(type)(body.data(), back.data() + 1, count);
      ASSERT_EQ(back.front() + back.back(), 154.0f);
      for (size_t i = 0; i < count; ++i)
        ASSERT_EQ(std::bit_cast<uint32_t>(back[i + 1]), convert(type, element(type, body, i), DType::f32));
    }
}

INSTANTIATE_TEST_SUITE_P(Types, Array, testing::ValuesIn(reference::kNarrowTypes),
                         [](const auto &info) { return std::string(name(info.param)); });

TEST(ArrayFunctions, PublicFunctionsTakeEveryType) {
  std::vector<float> in{0.0f, 1.0f, 2.5f, 3.0f, 100.0f};
  for (int t = 0; t <= static_cast<int>(DType::e2m1); ++t) {
    auto type = static_cast<DType>(t);
    std::vector<uint8_t> packed(packedBytes(type, in.size()));
    std::vector<float> out(in.size());
    encode(in, type, packed.data(), Saturate::yes);
    decode(type, packed.data(), out);
    for (size_t i = 0; i < in.size(); ++i) {
      ASSERT_EQ(element(type, packed, i), encode(type, static_cast<double>(in[i]), Saturate::yes)) << name(type);
      ASSERT_EQ(out[i], static_cast<float>(roundTo(type, static_cast<double>(in[i]), Saturate::yes))) << name(type);
    }
  }
}

} // namespace
