// A shared library that is opened when the program runs.
#pragma once

#include <string>

namespace tessera::bench {

/// Stays loaded until the program ends. Its symbols are kept from other libraries, so that two that export the same
/// names can be used side by side.
class SharedLibrary {
public:
  explicit SharedLibrary(const char *file);

  /// Why it could not be opened, else empty.
  const std::string &error() const { return message; }
  /// A function by its name; null if there is none.
  template <class Function> Function *find(const char *symbol) const {
    return reinterpret_cast<Function *>(address(symbol));
  }

private:
  void *handle;
  std::string message;

  void *address(const char *symbol) const;
};

/// Tells the OpenMP run time, if one is loaded, how many threads to use in regions that the caller's thread starts.
void setOpenMpThreads(int threads);

} // namespace tessera::bench
