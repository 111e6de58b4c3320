// Formats one conversion at a time, never trusting the format to match its arguments.
#include "core/device_print.h"

#include <fmt/format.h>

#include <bit>
#include <cstdio>
#include <vector>

namespace tessera {
namespace {

constexpr std::string_view kIntegers = "diuxXoc", kFloats = "fFeEgGaA", kFlags = "-+ #0", kLengths = "hlqjzt";
constexpr size_t kLongestSpec = 24; // "%-+ #0" and seven digits each of width and precision

/// "%-8.3" and the conversion letter; length modifiers are dropped.
struct Conversion {
  std::string spec;
  char letter = 0;
};

bool has(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

/// Reads the conversion that starts at format[at] == '%' and moves `at` behind it; no letter if there is none.
Conversion readConversion(std::string_view format, size_t &at) {
  Conversion found{"%"};
  size_t from = at++;
  while (at < format.size() && (has(kFlags, format[at]) || has("0123456789.", format[at]))) found.spec += format[at++];
  while (at < format.size() && has(kLengths, format[at])) ++at;
  if (at < format.size() && (has(kIntegers, format[at]) || has(kFloats, format[at]) || format[at] == '%'))
    found.letter = format[at++];
  if (found.letter == 0 || found.spec.size() > kLongestSpec) found = {std::string(format.substr(from, at - from)), 0};
  return found;
}

template <class T> std::string formatted(const std::string &spec, T value) {
  // The format has one conversion, made by the caller for this type.
  int length = std::snprintf(nullptr, 0, spec.c_str(), value);
  if (length < 0) return "?";
  std::vector<char> text(static_cast<size_t>(length) + 1);
  std::snprintf(text.data(), text.size(), spec.c_str(), value);
  return {text.data(), static_cast<size_t>(length)};
}

/// The integer that an unsigned conversion shows.
int64_t cutToBytes(int64_t bits, char kind) {
  if (kind < '1' || kind > '7') return bits;
  return bits & ((int64_t{1} << (8 * (kind - '0'))) - 1);
}

std::string convert(const Conversion &to, char kind, int64_t bits) {
  if (kind == 'f') {
    char letter = has(kFloats, to.letter) ? to.letter : 'g';
    return formatted(to.spec + letter, std::bit_cast<double>(bits));
  }
  if (to.letter == 'c') return formatted(to.spec + 'c', static_cast<int>(bits));
  char letter = has(kIntegers, to.letter) ? to.letter : kind == 'u' ? 'u' : 'd';
  return formatted(to.spec + "ll" + letter,
                   static_cast<long long>(has("uxXo", letter) ? cutToBytes(bits, kind) : bits));
}

void appendRow(std::string &text, const Tensor &tile, std::vector<int64_t> &index) {
  if (index.size() > 1) text += fmt::format("[{}, :] ", fmt::join(index.begin(), index.end() - 1, ", "));
  for (index.back() = 0; index.back() < tile.shape().back(); ++index.back())
    text += fmt::format("{}{}", index.back() ? " " : "", tile.at(index));
  text += '\n';
}

/// Steps all but the last index; false behind the last row.
bool nextRow(const Tensor &tile, std::vector<int64_t> &index) {
  for (size_t dim = index.size() - 1; dim-- > 0;) {
    if (++index[dim] < tile.shape()[dim]) return true;
    index[dim] = 0;
  }
  return false;
}

} // namespace

std::string printfText(std::string_view format, std::string_view kinds, const int64_t *bits) {
  std::string text;
  size_t argument = 0;
  for (size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      text += format[at++];
      continue;
    }
    Conversion conversion = readConversion(format, at);
    if (conversion.letter == '%') {
      text += '%';
    } else if (conversion.letter == 0) {
      text += conversion.spec;
    } else if (argument >= kinds.size()) {
      text += conversion.spec + conversion.letter;
    } else {
      text += convert(conversion, kinds[argument], bits[argument]);
      ++argument;
    }
  }
  return text;
}

std::string dumpText(std::string_view label, const Tensor &tile) {
  std::string text = fmt::format("{}: {}{}\n", label, name(tile.dtype()), shapeText(tile.shape()));
  if (tile.numel() == 0) return text;
  if (tile.rank() == 0) return text + fmt::format("{}\n", tile.at({}));
  std::vector<int64_t> index(tile.shape().size(), 0);
  do appendRow(text, tile, index);
  while (nextRow(tile, index));
  return text;
}

} // namespace tessera
