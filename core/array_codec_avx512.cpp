// The array conversions for AVX-512.
#include "core/array_codec.h"
#include "core/fast_float.h"

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#include "core/array_codec_loops.h"
#pragma clang attribute pop

const tessera::ArrayCodec tessera::kAvx512Codec{"avx512", tessera::encoder, tessera::decoder};
#endif
