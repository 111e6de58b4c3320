// Our kernel with its arguments and what they must become: the part that all cases of kernels share.
#pragma once

#include "bench/case.h"
#include "examples/registry.h"
#include "tilelang/driver/compile.h"

namespace tessera::bench {

inline constexpr uint64_t kSeed = 20;

/// Compiles the program for so many threads and readies it on the arguments, without peers. The parameter `packed`, if
/// one is named, is a tensor that the kernel packs once, before the timing.
Prepared prepareKernel(const Program &program, std::vector<Argument> arguments,
                       std::vector<examples::Expected> expected, int threads, const std::string &packed = "");

/// An example at these sizes, its arguments on huge pages; `addPeers` gets the arguments.
Prepared prepareExample(const examples::Example &example, const std::vector<int64_t> &sizes, int threads,
                        const std::function<std::vector<Contestant>(const std::vector<Argument> &)> &addPeers = {});

} // namespace tessera::bench
