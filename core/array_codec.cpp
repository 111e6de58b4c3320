// The array conversions for any CPU, the choice among instruction sets, and the public functions.
#include "core/array_codec.h"

#include "core/fast_float.h"

#include "core/array_codec_loops.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tessera {

const ArrayCodec kBaselineCodec{"baseline", encoder, decoder};

namespace fast {
const HiF8Tables &hif8Tables() {
  static const HiF8Tables tables = [] {
    HiF8Tables t{};
    for (size_t i = 0; i < std::size(t.encode[0]); ++i) {
      double magnitude = std::bit_cast<float>(static_cast<uint32_t>(i) << kHiF8IndexShift);
      for (Saturate s : {Saturate::no, Saturate::yes})
        t.encode[s == Saturate::yes][i] = static_cast<uint8_t>(tessera::encode(DType::hif8, magnitude, s));
    }
    for (uint64_t code = 0; code < 256; ++code) t.decode[code] = static_cast<float>(tessera::decode(DType::hif8, code));
    return t;
  }();
  return tables;
}
} // namespace fast

std::span<const ArrayCodec *const> runnableCodecs() {
#if defined(__x86_64__)
  static const std::array<const ArrayCodec *, 3> all{&kBaselineCodec, &kAvx2Codec, &kAvx512Codec};
  static const size_t runnable = !__builtin_cpu_supports("avx2") ? 1 : !__builtin_cpu_supports("avx512bw") ? 2 : 3;
#else
  static const std::array<const ArrayCodec *, 1> all{&kBaselineCodec};
  static const size_t runnable = 1;
#endif
  return std::span(all).first(runnable);
}

namespace {

/// Types without loops, element by element.
void encodeEach(std::span<const float> src, DType type, void *dst, Saturate saturate) {
  size_t bytes = static_cast<size_t>(byteWidth(type));
  auto *out = static_cast<std::byte *>(dst);
  for (float value : src) {
    uint64_t bits = encode(type, static_cast<double>(value), saturate);
    std::memcpy(out, &bits, bytes); // little-endian
    out += bytes;
  }
}

void decodeEach(DType type, const void *src, std::span<float> dst) {
  size_t bytes = static_cast<size_t>(byteWidth(type));
  auto *in = static_cast<const std::byte *>(src);
  for (float &value : dst) {
    uint64_t bits = 0;
    std::memcpy(&bits, in, bytes);
    value = std::bit_cast<float>(static_cast<uint32_t>(convert(type, bits, DType::f32)));
    in += bytes;
  }
}

} // namespace

void encode(std::span<const float> src, DType type, void *dst, Saturate saturate) {
  if (EncodeArray loop = runnableCodecs().back()->encoder(type, saturate)) return loop(src.data(), dst, src.size());
  encodeEach(src, type, dst, saturate);
}

void decode(DType type, const void *src, std::span<float> dst) {
  if (DecodeArray loop = runnableCodecs().back()->decoder(type)) return loop(src, dst.data(), dst.size());
  decodeEach(type, src, dst);
}

} // namespace tessera
