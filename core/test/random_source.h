// Random numbers for tests, from a seed that is printed: TESSERA_TEST_SEED=<seed> repeats a run.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>

namespace tessera {

inline uint64_t testSeed() {
  static const uint64_t seed = [] {
    const char *text = std::getenv("TESSERA_TEST_SEED");
    uint64_t value = text ? std::strtoull(text, nullptr, 10) : std::random_device{}();
    std::cout << "TESSERA_TEST_SEED=" << value << std::endl;
    return value;
  }();
  return seed;
}

/// A generator of its own for each test.
inline std::mt19937_64 randomSource() { return std::mt19937_64(testSeed()); }

} // namespace tessera
