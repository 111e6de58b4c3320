// The form of chip descriptions, and what is said about files that do not have it.
#include "tilelang/chips/cpu_chip.h"

#include "core/test/expect_error.h"
#include "tilelang/chips/test/written_file.h"

namespace tessera::chips {
namespace {

/// Expects that the changed file is refused, with these words.
void expectRefused(const std::string &from, const std::string &to, const std::string &words) {
  SCOPED_TRACE(to);
  WrittenFile file(changedText(from, to));
  EXPECT_ERROR(readCpuChip(file.path), words);
}

TEST(ChipFile, IsReadAsWritten) {
  WrittenFile written(goodText());
  ChipFile file = readChipFile(written.path);
  EXPECT_EQ(file.chip, "avx2");
  EXPECT_EQ(file.family, "cpu");
  EXPECT_EQ(file.lists.at("levels").names, std::vector<std::string>{"avx2"});
  const Figure &rate = file.figures.at("fma.rate");
  EXPECT_EQ(rate.value, 2);
  EXPECT_EQ(rate.unit, "per cycle");
  EXPECT_EQ(rate.confidence, Confidence::documented);
  EXPECT_EQ(rate.source, "Agner Fog, Instruction tables");
  EXPECT_GT(rate.where.line, 10);
}

TEST(ChipFile, WhatDoesNotHaveTheFormIsRefusedWithItsLine) {
  expectRefused("chip: avx2", "chip: [avx2", ".yaml:");
  expectRefused("chip: avx2", "chip: ''", "`chip` is missing");
  expectRefused("family: cpu", "family: cpu\nfamily: cpu", ".yaml:4: error: `family` is given twice");
  expectRefused("family: cpu", "family: cpu\ncolour: red", "unknown key `colour`");
  expectRefused("family: cpu", "family: cpu\nnames: [a]", "unknown key `names`");
  expectRefused("family: cpu", "family: npu", ".yaml:3: error: a chip of the family 'npu' where a cpu is wanted");
  expectRefused("levels: [avx2]\n", "", "`levels` is missing");
  expectRefused("{ value: 2, unit", "{ unit", "vector.loads: `value` is missing");
  expectRefused("value: 2, unit", "value: two, unit", "vector.loads: 'two' is not a number");
  expectRefused("value: 2, unit", "value: nan, unit", "vector.loads: 'nan' is not a number");
  expectRefused("value: 2, unit", "amount: 2, unit", "vector.loads: unknown key `amount`");
  expectRefused("confidence: documented", "confidence: sure", "vector.width: unknown confidence 'sure'");
  expectRefused("confidence: documented", "confidence: detected", "vector.width: unknown confidence 'detected'");
  expectRefused("source: manual", "source: hearsay", "vector.width: unknown source 'hearsay'");
  expectRefused("figures:", "figures: 5\nmore:", "`figures` is not a list of `key: value`");
}

TEST(ChipFile, OtherFilesAreRefused) {
  for (const char *text : {"", "5", "[a, b]", "\xff\xfe\x00", "chip: x", ": :\n- {", "{a: {b: {c: d"}) {
    WrittenFile file(text);
    EXPECT_THROW(readCpuChip(file.path), Error) << text;
  }
  EXPECT_ERROR(readCpuChip("/no/such/file.yaml"), "cannot read the chip description /no/such/file.yaml: No such file");
  EXPECT_ERROR(readCpuChip("/"), "cannot read the chip description /: Is a directory");
}

TEST(ChipFile, EveryPrefixOfAGoodFileIsReadOrRefused) {
  std::string text = goodText();
  for (size_t length = 0; length + 2 < text.size(); length += 7) {
    WrittenFile file(text.substr(0, length));
    try {
      readCpuChip(file.path);
      ADD_FAILURE() << "accepted the first " << length << " bytes";
    } catch (const Error &) {
    }
  }
}

TEST(ChipFile, AllProblemsOfTheFiguresAreNamedTogether) {
  std::string text = changedText("width: { value: 32", "width: { value: 33");
  text.replace(text.find("registers: { value: 16"), 22, "registers: { value: 99");
  text.replace(text.find("    loads:"), 10, "    lodes:");
  WrittenFile file(text);
  try {
    readCpuChip(file.path);
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(error.diagnostics().size(), 3u) << error.what();
    EXPECT_NE(std::string(error.what()).find("unknown figure `vector.lodes`"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("vector.registers: 99 count is out of range"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("figure `vector.loads` is missing"), std::string::npos);
  }
}

} // namespace
} // namespace tessera::chips
