// The first compilation of a process.
#pragma once

namespace tessera::bench {

/// Compiles one kernel in this process, which must not have compiled any, and prints the seconds that it took.
int printFirstCompile();
/// The same in a new process of this program.
double secondsOfFirstCompile();

} // namespace tessera::bench
