// Opening a directory whose contents will be run as code.
#pragma once

#include <string>

namespace tessera {

/// Opens the directory, making it with mode 0700 and its parents if need be. Returns the descriptor, or -1 where it
/// cannot be made or written. Throws Error if it is a symbolic link or no directory, belongs to another user, or others
/// may write it.
int openCacheDirectory(const std::string &path);

} // namespace tessera
