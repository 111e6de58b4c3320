// Samples of the number formats.
#include "tilelang/cpu/test/number_samples.h"

#include "core/numbers.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace tessera::cpu {
namespace {

uint64_t codeMask(DType type) { return ~uint64_t{0} >> (64 - bitWidth(type)); }

class Samples {
public:
  explicit Samples(DType type) : type(type) {}
  std::vector<uint64_t> codes;

  void add(uint64_t code) { codes.push_back(code & codeMask(type)); }
  void addWithNeighbours(uint64_t code) {
    for (uint64_t step : {-1, 0, 1}) add(code + step);
  }
  void addWithNeighbours(double value) {
    for (double x : {value, -value}) addWithNeighbours(encode(type, x));
  }

  void addRandom(int count) {
    for (int i = 0; i < count; ++i) add(random());
  }

  /// Codes with one or two bits set or missing: in integers powers of two, in floats the ends of binades.
  void addFewBits() {
    for (int i = 0; i < bitWidth(type); ++i)
      for (int j = 0; j <= i; ++j) {
        uint64_t high = uint64_t{1} << i, low = i == j ? 0 : uint64_t{1} << j;
        for (uint64_t code : {high + low, high - low, -high + low, -high - low}) addWithNeighbours(code);
      }
  }

  /// The values of a format, the points halfway between two neighbours, and their neighbours.
  void addValuesOf(DType target) {
    uint64_t count = codeMask(target) + 1, step = bitWidth(target) > 8 ? 61 : 1;
    for (uint64_t code = 0; code + 1 < count; code += step) {
      double low = decode(target, code), high = decode(target, code + 1);
      if (!std::isfinite(low) || !std::isfinite(high)) continue;
      addWithNeighbours(low);
      addWithNeighbours(low + (high - low) / 2);
    }
  }

  /// Integers with and without a half, up to beyond 64 bits, and values spread over the exponents.
  void addReals(int count) {
    for (int e = 0; e < 67; ++e)
      for (double offset : {-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5}) addWithNeighbours(std::ldexp(1.0, e) + offset);
    for (int i = 0; i < count; ++i) {
      int exponent = static_cast<int>(random() % 60) - 40;
      addWithNeighbours(std::ldexp(1 + static_cast<double>(random() % 4096) / 4096, exponent));
    }
  }

  void addSmallReals(int count) {
    for (int i = 0; i < count; ++i)
      add(encode(
          type, std::ldexp(static_cast<double>(static_cast<int64_t>(random())), static_cast<int>(random() % 24) - 75)));
  }

private:
  DType type;
  std::mt19937_64 random{20240607};
};

} // namespace

std::vector<uint64_t> sampleCodes(DType type, DType target) {
  Samples samples(type);
  if (type == DType::boolean) return std::vector<uint64_t>{0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0};
  if (bitWidth(type) <= 16) {
    for (uint64_t code = 0; code <= codeMask(type); ++code) samples.add(code);
    return samples.codes;
  }
  samples.addRandom(4000);
  samples.addFewBits();
  if (!isFloat(type)) return samples.codes;
  samples.addReals(1000);
  if (bitWidth(target) <= 16 && target != DType::boolean) samples.addValuesOf(target);
  return samples.codes;
}

std::vector<uint64_t> edgeCodes(DType type) {
  Samples samples(type);
  if (isFloat(type)) {
    double infinity = std::numeric_limits<double>::infinity();
    for (double x : {0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 7.75, 254.5, 65504.0, 0x1p23, 0x1p24, 1e30, infinity})
      for (double y : {x, -x}) samples.add(encode(type, y));
    samples.add(encode(type, std::nan("")));
    uint64_t largest = encode(type, infinity, Saturate::yes),
             leastNormal = encode(type, bitWidth(type) == 64 ? 0x1p-1022 : 0x1p-126);
    for (uint64_t code : {largest, leastNormal, leastNormal - 1, uint64_t{1}, uint64_t{3}})
      for (uint64_t sign : {uint64_t{0}, uint64_t{1} << (bitWidth(type) - 1)}) samples.add(code | sign);
    return samples.codes;
  }
  for (int64_t x = -5; x <= 9; ++x) samples.add(static_cast<uint64_t>(x));
  uint64_t least = uint64_t{1} << (bitWidth(type) - 1);
  for (uint64_t limit : {least, least / 2, least / 16 * 11, uint64_t{31}, uint64_t{64}})
    samples.addWithNeighbours(limit);
  return samples.codes;
}

std::vector<uint64_t> randomCodes(DType type, int count) {
  Samples samples(type);
  samples.addRandom(isFloat(type) ? count / 2 : count);
  if (isFloat(type)) samples.addSmallReals(count - count / 2);
  return samples.codes;
}

bool sameNumber(DType type, uint64_t a, uint64_t b) {
  return a == b || (isFloat(type) && std::isnan(decode(type, a)) && std::isnan(decode(type, b)));
}

Tensor tensorOfCodes(DType type, const std::vector<uint64_t> &codes) {
  Tensor tensor = Tensor::zeros(type, {static_cast<int64_t>(codes.size())});
  auto *to = static_cast<std::byte *>(tensor.mutableData());
  if (type == DType::e2m1) {
    for (size_t i = 0; i < codes.size(); ++i) to[i / 2] |= static_cast<std::byte>(codes[i] << i % 2 * 4);
    return tensor;
  }
  auto bytes = static_cast<size_t>(byteWidth(type));
  for (uint64_t code : codes) {
    std::memcpy(to, &code, bytes);
    to += bytes;
  }
  return tensor;
}

std::vector<uint64_t> codesOf(const Tensor &tensor) {
  Tensor dense = tensor.clone();
  const auto *from = static_cast<const std::byte *>(dense.data());
  std::vector<uint64_t> codes(static_cast<size_t>(tensor.numel()), 0);
  if (tensor.dtype() == DType::e2m1) {
    for (size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<uint64_t>(from[i / 2] >> i % 2 * 4) & 0xf;
    return codes;
  }
  auto bytes = static_cast<size_t>(byteWidth(tensor.dtype()));
  for (uint64_t &code : codes) {
    std::memcpy(&code, from, bytes);
    from += bytes;
  }
  return codes;
}

} // namespace tessera::cpu
