// Fuzz target of the number formats: a random bit pattern and a random double through every conversion, checked by
// properties that do not know how the conversions are written.
// Input: from type, to type, rounding and saturation (one byte each), two little-endian 64-bit words.
#include "core/numbers.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using namespace tessera;

constexpr int kTypes = static_cast<int>(DType::e2m1) + 1, kRoundings = static_cast<int>(Rounding::odd) + 1;

struct Case {
  DType from, to;
  Rounding rounding;
  Saturate saturate;
  uint64_t words[2];
};

void require(bool holds, const char *property, const Case &c) {
  if (holds) return;
  std::fprintf(stderr, "%s: %s -> %s, rounding %d, saturate %d, words %#llx %#llx\n", property, name(c.from).data(),
               name(c.to).data(), static_cast<int>(c.rounding), static_cast<int>(c.saturate),
               static_cast<unsigned long long>(c.words[0]), static_cast<unsigned long long>(c.words[1]));
  std::abort();
}

uint64_t widthMask(DType type) { return ~uint64_t{0} >> (64 - bitWidth(type)); }

// Doubles do not hold every value of these.
bool isWide(DType type) { return type == DType::i64 || type == DType::u64; }

/// Codes fit their width, and the value of a code has that code.
void checkCode(const Case &c, uint64_t code) {
  require((code & ~widthMask(c.to)) == 0, "code wider than its type", c);
  double value = decode(c.to, code);
  // A boolean is true for every pattern but zero, and a conversion to itself keeps the pattern.
  if (std::isnan(value) || isWide(c.to) || c.to == DType::boolean) return;
  require(encode(c.to, value, c.rounding, c.saturate) == code || std::isinf(value),
          "an exact value changes when encoded", c);
}

/// Directed roundings stay on their side wherever the value is in range.
void checkDirection(const Case &c, double value, double result) {
  if (std::isnan(value) || std::isnan(result) || std::isinf(result) || c.to == DType::boolean || isWide(c.to)) return;
  double largest = decode(c.to, encode(c.to, HUGE_VAL, c.rounding, Saturate::yes));
  double smallest = decode(c.to, encode(c.to, -HUGE_VAL, c.rounding, Saturate::yes));
  if (c.to == DType::e8m0) smallest = std::ldexp(1.0, -127);
  if (value > largest || value < smallest) return;
  if (c.rounding == Rounding::floor) require(result <= value, "floor rounds up", c);
  if (c.rounding == Rounding::ceil) require(result >= value, "ceil rounds down", c);
  if (c.rounding == Rounding::trunc) require(std::fabs(result) <= std::fabs(value), "trunc grows", c);
}

/// A larger value never has a smaller code's value.
void checkMonotone(const Case &c, double a, double b) {
  double low = std::fmin(a, b), high = std::fmax(a, b);
  if (std::isnan(a) || std::isnan(b)) return;
  double lowResult = roundTo(c.to, low, c.rounding, c.saturate),
         highResult = roundTo(c.to, high, c.rounding, c.saturate);
  if (std::isnan(lowResult) || std::isnan(highResult) || c.to == DType::boolean) return;
  require(lowResult <= highResult, "not monotone", c);
}

/// No neighbouring code is nearer than the one chosen, and between two equally near ones the even one is chosen.
void checkNearest(const Case &c, double value, uint64_t code) {
  double result = decode(c.to, code);
  bool nearest = c.rounding == Rounding::rint || c.rounding == Rounding::round;
  if (!nearest || !isFloat(c.to) || c.to == DType::f64 || !std::isfinite(value) || !std::isfinite(result)) return;
  for (uint64_t other : {code - 1, code + 1}) {
    double neighbour = decode(c.to, other & widthMask(c.to));
    if (!std::isfinite(neighbour) || (neighbour < 0) != (result < 0)) continue;
    if (c.to == DType::e8m0 && value <= 0) continue;
    double error = std::fabs(result - value), otherError = std::fabs(neighbour - value);
    require(error <= otherError, "a neighbour is nearer", c);
    bool between = (result < value) != (neighbour < value);
    // In hif8 the next code up need not be the next value up; in e8m0 every significand is one, which is odd.
    bool evenExists = c.to != DType::hif8 && c.to != DType::e8m0;
    bool tie = between && error == otherError && c.rounding == Rounding::rint && evenExists;
    require(!tie || code % 2 == 0, "a tie went to the odd code", c);
  }
}

void checkValue(const Case &c, double value) {
  uint64_t code = encode(c.to, value, c.rounding, c.saturate);
  checkCode(c, code);
  checkDirection(c, value, decode(c.to, code));
  checkNearest(c, value, code);
}

/// Arrays convert as their elements do; their memory ends where the last element does.
void checkArray(const Case &c) {
  float words[4];
  std::memcpy(words, c.words, sizeof(words));
  std::vector<float> values(1 + c.words[0] % 37);
  for (size_t i = 0; i < values.size(); ++i) values[i] = words[(i + i / 4) % 4];
  size_t bits = static_cast<size_t>(bitWidth(c.to));
  std::vector<uint8_t> packed((values.size() * bits + 7) / 8);
  encode(values, c.to, packed.data(), c.saturate);
  for (size_t i = 0; i < values.size(); ++i) {
    uint64_t code = 0;
    std::memcpy(&code, &packed[i * bits / 8], (bits + 7) / 8);
    code = code >> i * bits % 8 & widthMask(c.to);
    require(code == encode(c.to, static_cast<double>(values[i]), c.saturate), "array differs from scalar", c);
  }
}

void check(const Case &c) {
  double values[2];
  std::memcpy(values, c.words, sizeof(values));
  for (double value : values) checkValue(c, value);
  checkMonotone(c, values[0], values[1]);
  checkArray(c);

  uint64_t bits = c.words[0] & widthMask(c.from);
  uint64_t code = convert(c.from, bits, c.to, c.rounding, c.saturate);
  checkCode(c, code);
  double value = decode(c.from, bits);
  // Between equal types the pattern stays as it is.
  if (isFloat(c.from) && !std::isnan(value) && c.from != c.to)
    require(code == encode(c.to, value, c.rounding, c.saturate), "convert differs from decode and encode", c);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Case c{};
  if (size < 3 + sizeof(c.words)) return 0;
  c.from = static_cast<DType>(data[0] % kTypes);
  c.to = static_cast<DType>(data[1] % kTypes);
  c.rounding = static_cast<Rounding>(data[2] % kRoundings);
  c.saturate = data[2] & 0x80 ? Saturate::yes : Saturate::no;
  std::memcpy(c.words, data + 3, sizeof(c.words));
  check(c);
  return 0;
}
