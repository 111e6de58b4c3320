// Which cases to run, by their names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera::bench {

/// Whether any pattern occurs in the name, or there is no pattern. A `*` in a pattern stands for any characters;
/// `^` at its start and `$` at its end stand for the ends of the name.
bool selected(std::string_view name, const std::vector<std::string> &patterns);

} // namespace tessera::bench
