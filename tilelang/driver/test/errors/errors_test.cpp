// Holds docs/errors.md to the truth: every mistake is made, and the page must show its code and its message.
// With TESSERA_UPDATE_DOCS set the page is written instead of compared.
#include "tilelang/driver/test/errors/mistakes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>

namespace tessera {

std::vector<Snippet> &snippets() {
  static std::vector<Snippet> list;
  return list;
}

void inKernel(void (*body)(tl::Buffer A, tl::Buffer I, tl::Buffer C, tl::Var b)) {
  using namespace tl;
  ProgramBuilder p("kernel");
  Dim M = p.dim("M"), N = p.dim("N");
  Buffer A = p.input("A", f32, {M, N}), I = p.input("I", i32, {N}), C = p.inout("C", f32, {M, N});
  p.kernel({M}, [&](Var b) { body(A, I, C, b); });
  compile(p.build(), "interpreter");
}

void PrintTo(const Snippet &snippet, std::ostream *os) { *os << snippet.title; }

namespace {

constexpr const char *kPage = TESSERA_SOURCE_DIR "/docs/errors.md";
const std::string kSources = TESSERA_SOURCE_DIR "/tilelang/driver/test/errors/";

/// The order of the page.
const std::vector<std::string> kGroups = {
    "The language",
    "Buffers and windows",
    "Tile operations",
    "Reads before writes",
    "Parallel loops",
    "Loops and pipelines",
    "Synchronisation",
    "Compiling",
    "Calls",
    "Running",
    "Text",
};

std::vector<std::string> linesOf(const std::string &path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::string fileName(const std::string &path) { return path.substr(path.rfind('/') + 1); }

/// A snippet as it is in the source: the body less its indentation, or with its signature.
struct Code {
  std::vector<std::string> lines;
  int firstLine = 0; ///< where in the file the first line is
};

Code codeOf(const Snippet &snippet) {
  std::vector<std::string> file = linesOf(kSources + fileName(snippet.file));
  const std::string &head = file.at(static_cast<size_t>(snippet.line) - 1);
  if (head.ends_with(" }")) { // all on one line
    size_t start = head.find(") { ") + 4;
    return {{head.substr(start, head.size() - 2 - start)}, snippet.line};
  }
  Code code{{}, snippet.line + 1};
  size_t indent = snippet.signature ? 0 : 2;
  for (size_t i = static_cast<size_t>(snippet.line); i < file.size() && file[i] != "}"; ++i)
    code.lines.push_back(file[i].size() > indent ? file[i].substr(indent) : "");
  if (!snippet.signature) return code;
  code.lines.insert(code.lines.begin(), std::string(snippet.signature) + " {");
  code.lines.emplace_back("}");
  return {code.lines, snippet.line};
}

std::vector<Snippet> inOrder() {
  std::vector<Snippet> list = snippets();
  auto place = [](const Snippet &s) {
    return std::tuple(std::ranges::find(kGroups, s.group) - kGroups.begin(), std::string(s.file), s.line);
  };
  std::ranges::sort(list, {}, place);
  return list;
}

/// Line `line` of `file` as the page counts: from the start of the block that shows it.
std::string pageLine(const std::string &file, int line) {
  for (const Snippet &snippet : snippets()) {
    if (file != snippet.file) continue;
    Code code = codeOf(snippet);
    int count = line - code.firstLine + 1;
    if (count >= 1 && count <= static_cast<int>(code.lines.size())) return fmt::format("kernel.cpp:{}", count);
  }
  return fmt::format("{}:{}", file, line);
}

/// The text without addresses, which differ from run to run.
std::string withoutAddresses(std::string text) {
  for (size_t at = text.find("0x"); at != std::string::npos; at = text.find("0x", at + 5))
    text.replace(at, text.find_first_not_of("0123456789abcdefx", at) - at, "0x...");
  return text;
}

/// The text with all source lines in the page's own counting.
std::string withPageLines(std::string text, const std::string &file) {
  for (size_t at = text.find(file + ":"); at != std::string::npos; at = text.find(file + ":", at + 1)) {
    size_t start = at + file.size() + 1, end = text.find_first_not_of("0123456789", start);
    text.replace(at, end - at, pageLine(file, std::stoi(text.substr(start, end - start))));
  }
  return text;
}

std::string messageOf(const Snippet &snippet) {
  try {
    snippet.make();
  } catch (const Error &error) {
    return withoutAddresses(withPageLines(error.what(), snippet.file));
  }
  return "";
}

std::string anchor(const std::string &title) {
  std::string result;
  for (char c : title) {
    if (std::isalnum(static_cast<unsigned char>(c))) result += static_cast<char>(std::tolower(c));
    if (c == ' ' || c == '-') result += '-';
  }
  return result;
}

/// What was wrong, without the place and the advice.
std::string headline(const std::string &message) {
  if (message.empty()) return "";
  size_t start = message.find("error: ") + 7;
  return message.substr(start, message.find('\n') - start);
}

std::string block(const char *language, const std::string &text) {
  return fmt::format("```{}\n{}\n```\n", language, text);
}

std::string block(const char *language, const std::vector<std::string> &lines) {
  return block(language, fmt::format("{}", fmt::join(lines, "\n")));
}

/// All of the page below its hand-written introduction.
std::string generatedPart() {
  std::string table = "| mistake | message | test |\n|---|---|---|\n", sections, group;
  for (const Snippet &snippet : inOrder()) {
    if (group != snippet.group) sections += fmt::format("\n## {}\n", group = snippet.group);
    if (!snippet.make) {
      sections += fmt::format("\n{}\n\n{}", snippet.title, block("cpp", codeOf(snippet).lines));
      continue;
    }
    std::string message = messageOf(snippet);
    std::string escaped = headline(message);
    for (size_t at = 0; (at = escaped.find('|', at)) != std::string::npos; at += 2) escaped.insert(at, "\\");
    table += fmt::format("| [{0}](#{1}) | {2} | {3} |\n", snippet.title, anchor(snippet.title), escaped,
                         fileName(snippet.file));
    sections +=
        fmt::format("\n### {}\n\n{}\n{}", snippet.title, block("cpp", codeOf(snippet).lines), block("text", message));
  }
  return table + sections;
}

std::string read(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

constexpr std::string_view kStart = "| mistake |";

class EveryMistake : public testing::TestWithParam<Snippet> {};

TEST_P(EveryMistake, NamesItsLineAndSaysWhatToDo) {
  std::string message = messageOf(GetParam());
  ASSERT_NE(message, "") << "nothing was refused";
  std::string group = GetParam().group, title = GetParam().title;
  // The author's own words need no advice of ours, and the parser of MLIR has none.
  if (title != "Failed assertion" && title != "Text that cannot be parsed")
    EXPECT_THAT(message, testing::HasSubstr("\n  help: "));
  // Only what no line of a program is to blame for has none.
  if (group != "Compiling" && group != "Text") EXPECT_THAT(message, testing::StartsWith("kernel.cpp:"));
  EXPECT_THAT(message, testing::Not(testing::HasSubstr("errors/mistakes_"))) << "a line that no block shows";
}

std::vector<Snippet> made() {
  std::vector<Snippet> list = inOrder();
  std::erase_if(list, [](const Snippet &s) { return !s.make; });
  return list;
}

INSTANTIATE_TEST_SUITE_P(Errors, EveryMistake, testing::ValuesIn(made()), [](const auto &info) {
  std::string name;
  for (char c : std::string(info.param.title)) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

TEST(ErrorsPage, ShowsEveryMistakeAsItIs) {
  std::string page = read(kPage), expected = generatedPart();
  size_t start = page.find(kStart);
  ASSERT_NE(start, std::string::npos) << "no table in " << kPage;
  if (getenv("TESSERA_UPDATE_DOCS")) {
    std::ofstream(kPage) << page.substr(0, start) << expected;
    return;
  }
  EXPECT_EQ(page.substr(start), expected) << "run this test with TESSERA_UPDATE_DOCS=1 to write the page anew";
}

TEST(ErrorsPage, HasGroupsAndTitlesOfItsOwn) {
  std::map<std::string, int> titles;
  for (const Snippet &snippet : snippets()) {
    EXPECT_THAT(kGroups, testing::Contains(snippet.group));
    EXPECT_EQ(++titles[snippet.title], 1) << snippet.title;
  }
  EXPECT_GE(titles.size(), 40U);
}

} // namespace
} // namespace tessera
