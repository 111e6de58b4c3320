// Mistakes that users make, each as the code that makes it. errors_test.cpp runs them and holds docs/errors.md to what
// they say: the code blocks of that page are the bodies below, the messages are theirs.
#pragma once

#include "tilelang/driver/compile.h"
#include "tilelang/dsl/tl.h"

#include <ostream>
#include <string>
#include <vector>

namespace tessera {

/// A piece of code that the page shows.
struct Snippet {
  const char *group, *title;
  const char *file;
  int line;       ///< of the macro; the body starts on the next one and ends at the first line that is a closing brace
  void (*make)(); ///< null if the snippet is shown only
  const char *signature = nullptr; ///< shown around the body
};

/// What GoogleTest calls it.
void PrintTo(const Snippet &snippet, std::ostream *os); // NOLINT(readability-identifier-naming)

/// All snippets, in no particular order.
std::vector<Snippet> &snippets();

inline bool addSnippet(const Snippet &snippet) {
  snippets().push_back(snippet);
  return true;
}

/// Records `body` in a program of one kernel and compiles that. The inputs of the page's kernels:
/// A: f32[M, N] and I: i32[N] are read, C: f32[M, N] is written.
void inKernel(void (*body)(tl::Buffer A, tl::Buffer I, tl::Buffer C, tl::Var b));

} // namespace tessera

#define SNIPPET_JOIN2(a, b) a##b
#define SNIPPET_JOIN(a, b) SNIPPET_JOIN2(a, b)
#define SNIPPET_BODY SNIPPET_JOIN(snippet, __LINE__)
#define SNIPPET_ADD(...) [[maybe_unused]] static const bool SNIPPET_JOIN(added, __LINE__) = addSnippet({__VA_ARGS__})

/// MISTAKE(group, title) { statements that throw }
#define MISTAKE(group, title)                                                                                          \
  static void SNIPPET_BODY();                                                                                          \
  SNIPPET_ADD(group, title, __FILE__, __LINE__, SNIPPET_BODY);                                                         \
  static void SNIPPET_BODY()

/// The same for statements inside a kernel.
#define KERNEL_MISTAKE(group, title)                                                                                   \
  static void SNIPPET_BODY(tl::Buffer A, tl::Buffer I, tl::Buffer C, tl::Var b);                                       \
  SNIPPET_ADD(group, title, __FILE__, __LINE__, [] { inKernel(SNIPPET_BODY); });                                       \
  static void SNIPPET_BODY([[maybe_unused]] tl::Buffer A, [[maybe_unused]] tl::Buffer I,                               \
                           [[maybe_unused]] tl::Buffer C, [[maybe_unused]] tl::Var b)

/// A function that other snippets of the file call: shown at the start of its group.
#define SHOWN(group, text, signature)                                                                                  \
  SNIPPET_ADD(group, text, __FILE__, __LINE__, nullptr, #signature);                                                   \
  static signature
