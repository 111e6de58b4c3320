// The array forms of encode and decode, once per instruction set.
#pragma once

#include "core/numbers.h"

#include <cstddef>

namespace tessera {

using EncodeArray = void (*)(const float *src, void *dst, size_t count);
using DecodeArray = void (*)(const void *src, float *dst, size_t count);

/// The loops of one instruction set; null for types that have none.
struct ArrayCodec {
  const char *name;
  EncodeArray (*encoder)(DType type, Saturate saturate);
  DecodeArray (*decoder)(DType type);
};

extern const ArrayCodec kBaselineCodec;
#if defined(__x86_64__)
extern const ArrayCodec kAvx2Codec, kAvx512Codec;
#endif

/// Those this CPU can run, slowest first.
std::span<const ArrayCodec *const> runnableCodecs();

} // namespace tessera
