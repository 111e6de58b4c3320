// Read from /proc/cpuinfo.
#include "bench/cpu_name.h"

#include <fstream>

namespace tessera::bench {

std::string cpuName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(": ") + 2);
  return "unknown CPU";
}

} // namespace tessera::bench
