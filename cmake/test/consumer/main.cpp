// Uses the installed library: prints what the test expects.
#include "core/dtype.h"
#include "core/error.h"

#include <cstdio>

int main() {
  try {
    throw tessera::Error({"K extents differ: 32 vs 64", {}, ""});
  } catch (const tessera::Error &error) {
    std::printf("%s has %d bits\n%s\n", tessera::name(tessera::DType::bf16).data(),
                tessera::bitWidth(tessera::DType::bf16), error.what());
  }
}
