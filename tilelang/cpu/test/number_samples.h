// Values that show mistakes in arithmetic and conversions: all codes of small types, and of large ones what lies at and
// beside powers of two, ties and limits, with random values from a fixed seed.
#pragma once

#include "core/tensor.h"

#include <array>
#include <cstdint>
#include <vector>

namespace tessera::cpu {

/// The types of scalars and elements.
constexpr std::array kScalarTypes = {DType::boolean, DType::i8,   DType::i16,  DType::i32,  DType::i64,  DType::u8,
                                     DType::u16,     DType::u32,  DType::u64,  DType::f16,  DType::bf16, DType::f32,
                                     DType::f64,     DType::e4m3, DType::e5m2, DType::e8m0, DType::e2m1};

/// Codes of `type`; of the larger types also those at and beside the values of `target` and the ties between them.
std::vector<uint64_t> sampleCodes(DType type, DType target);

/// A few dozen codes: zeros, ones, limits, and what lies beside them.
std::vector<uint64_t> edgeCodes(DType type);
/// Random codes; of floating-point types half of them with exponents near 0.
std::vector<uint64_t> randomCodes(DType type, int count);

/// The same code, or both NaN.
bool sameNumber(DType type, uint64_t a, uint64_t b);

/// A vector of elements with these codes, and back, in row-major order.
Tensor tensorOfCodes(DType type, const std::vector<uint64_t> &codes);
std::vector<uint64_t> codesOf(const Tensor &tensor);

} // namespace tessera::cpu
