// The array conversions for AVX2.
#include "core/array_codec.h"
#include "core/fast_float.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#include "core/array_codec_loops.h"
#pragma clang attribute pop

const tessera::ArrayCodec tessera::kAvx2Codec{"avx2", tessera::encoder, tessera::decoder};
#endif
