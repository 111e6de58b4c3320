// Mutates a program by lines, tokens and numbers, so that more of the inputs get past the lexer and into the verifiers.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

using Random = std::minstd_rand;

size_t below(Random &random, size_t n) { return random() % n; }

/// Half-open range of a text.
struct Span {
  size_t begin, end;
  size_t size() const { return end - begin; }
};

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '%' || c == '#';
}

std::vector<Span> linesOf(const std::string &text) {
  std::vector<Span> lines;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    lines.push_back({begin, end});
    begin = end;
  }
  return lines;
}

/// Maximal runs of word characters; each other visible character by itself.
std::vector<Span> tokensOf(const std::string &text) {
  std::vector<Span> tokens;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    while (isWord(text[i]) && end < text.size() && isWord(text[end])) ++end;
    if (!std::isspace(static_cast<unsigned char>(text[i]))) tokens.push_back({i, end});
    i = end;
  }
  return tokens;
}

std::vector<Span> numbersOf(const std::string &text) {
  std::vector<Span> numbers;
  for (size_t i = 0; i < text.size();) {
    size_t end = text.find_first_not_of("0123456789", i);
    end = end == text.npos ? text.size() : end;
    if (end > i) numbers.push_back({i, end});
    i = end + 1;
  }
  return numbers;
}

void removeLine(std::string &text, Random &random) {
  std::vector<Span> lines = linesOf(text);
  Span line = lines[below(random, lines.size())];
  text.erase(line.begin, line.size());
}

void copyLine(std::string &text, Random &random) {
  std::vector<Span> lines = linesOf(text);
  Span line = lines[below(random, lines.size())];
  text.insert(lines[below(random, lines.size())].begin, text.substr(line.begin, line.size()));
}

void copyToken(std::string &text, Random &random) {
  std::vector<Span> tokens = tokensOf(text);
  if (tokens.empty()) return;
  Span from = tokens[below(random, tokens.size())], to = tokens[below(random, tokens.size())];
  text.replace(to.begin, to.size(), text.substr(from.begin, from.size()));
}

void changeNumber(std::string &text, Random &random) {
  static const std::vector<std::string> kNumbers = {"0",
                                                    "1",
                                                    "2",
                                                    "3",
                                                    "7",
                                                    "16",
                                                    "63",
                                                    "64",
                                                    "65",
                                                    "-1",
                                                    "4096",
                                                    "2147483647",
                                                    "2147483648",
                                                    "9223372036854775807",
                                                    "-9223372036854775808",
                                                    "18446744073709551616",
                                                    "?",
                                                    "0.0"};
  std::vector<Span> numbers = numbersOf(text);
  if (numbers.empty()) return;
  Span number = numbers[below(random, numbers.size())];
  text.replace(number.begin, number.size(), kNumbers[below(random, kNumbers.size())]);
}

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  constexpr void (*kMutations[])(std::string &, Random &) = {removeLine, copyLine, copyToken, changeNumber};
  Random random(seed + 1);
  size_t choice = below(random, std::size(kMutations) + 1);
  if (size == 0 || choice == std::size(kMutations)) return LLVMFuzzerMutate(data, size, maxSize);
  std::string text(reinterpret_cast<const char *>(data), size);
  kMutations[choice](text, random);
  size = std::min(text.size(), maxSize);
  std::memcpy(data, text.data(), size);
  return size;
}
