// A description in a file of its own, made from a good one.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace tessera::chips {

inline std::string goodText() {
  std::ifstream file(TESSERA_CHIPS "/cpu-avx2.yaml");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The good text with one part replaced, which must be in it.
inline std::string changedText(const std::string &from, const std::string &to) {
  std::string text = goodText();
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

class WrittenFile {
public:
  explicit WrittenFile(const std::string &text) {
    path = testing::TempDir() + "chip" + std::to_string(getpid()) + ".yaml";
    std::ofstream(path) << text;
  }
  ~WrittenFile() { std::remove(path.c_str()); }
  std::string path;
};

} // namespace tessera::chips
