// Diagnostics: their text with and without place and advice, several in one error.
#include "core/error.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

TEST(Diagnostic, TextHasTheKnownParts) {
  EXPECT_EQ((Diagnostic{"K extents differ: 32 vs 64", {}, {}}.text()), "error: K extents differ: 32 vs 64");
  EXPECT_EQ((Diagnostic{"rank is 3", {"gemm.cpp", 12, 7}, "give a matrix"}.text()),
            "gemm.cpp:12: error: rank is 3\n  help: give a matrix");
}

TEST(SourceLine, ComesFromTheCompiler) {
  SourceLine here = std::source_location::current();
  EXPECT_TRUE(here.known());
  EXPECT_EQ(here.line, __LINE__ - 2);
  EXPECT_NE(here.file.find("error_test.cpp"), std::string::npos);
  EXPECT_FALSE(SourceLine().known());
}

TEST(Error, KeepsTheDiagnosticsAndJoinsTheirText) {
  Error one(Diagnostic{"first", {}, {}});
  EXPECT_STREQ(one.what(), "error: first");
  Error two(std::vector<Diagnostic>{{"first", {"a.cpp", 1}, {}}, {"second", {"a.cpp", 2}, {}}});
  EXPECT_STREQ(two.what(), "a.cpp:1: error: first\na.cpp:2: error: second");
  ASSERT_EQ(two.diagnostics().size(), 2u);
  EXPECT_EQ(two.diagnostics()[1].where.line, 2);
  try {
    throw Error(two);
  } catch (const std::exception &e) {
    EXPECT_STREQ(e.what(), two.what());
  }
}

} // namespace
