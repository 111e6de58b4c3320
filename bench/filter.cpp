// Patterns are matched by trying every place for each piece between two stars; names are short.
#include "bench/filter.h"

#include <algorithm>

namespace tessera::bench {
namespace {

/// Whether the whole text matches a pattern of characters and stars.
bool matches(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() != '*')
    return !text.empty() && text.front() == pattern.front() && matches(text.substr(1), pattern.substr(1));
  for (size_t skipped = 0; skipped <= text.size(); ++skipped)
    if (matches(text.substr(skipped), pattern.substr(1))) return true;
  return false;
}

bool occurs(std::string_view name, std::string_view pattern) {
  bool fromStart = pattern.starts_with('^'), toEnd = pattern.ends_with('$');
  if (fromStart) pattern.remove_prefix(1);
  if (toEnd) pattern.remove_suffix(1);
  return matches(name, (fromStart ? "" : "*") + std::string(pattern) + (toEnd ? "" : "*"));
}

} // namespace

bool selected(std::string_view name, const std::vector<std::string> &patterns) {
  auto fits = [&](const std::string &pattern) { return occurs(name, pattern); };
  return patterns.empty() || std::ranges::any_of(patterns, fits);
}

} // namespace tessera::bench
