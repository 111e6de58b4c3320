// What the processor calls itself.
#pragma once

#include <string>

namespace tessera::bench {

/// The model of the first CPU, "unknown CPU" where the system does not say.
std::string cpuName();

} // namespace tessera::bench
