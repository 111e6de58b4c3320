// Random tile programs on the CPU, at every instruction set the machine can run, against the reference interpreter.
//
//   TESSERA_RANDOM_SEED=N      the first seed; without it every run takes another one, and prints it
//   TESSERA_RANDOM_PROGRAMS=N  how many programs, 2000 unless set
#include "random_program.h"

#include "tilelang/cpu/CpuIsa.h"
#include "tilelang/driver/compile.h"
#include "tilelang/ir/interp/interpret.h"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <random>
#include <unistd.h>

namespace tessera::test {
namespace {

uint64_t fromEnvironment(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 0) : otherwise;
}

std::vector<Argument> cloneOf(const std::vector<Argument> &arguments) {
  std::vector<Argument> copies;
  for (const Argument &argument : arguments) copies.emplace_back(std::get<Tensor>(argument).clone());
  return copies;
}

/// Equal bits, or NaN on both sides: which NaN an operation gives is not part of any contract.
std::string difference(const Tensor &expected, const Tensor &actual) {
  if (std::memcmp(expected.data(), actual.data(), static_cast<size_t>(expected.bytes())) == 0) return "";
  Tensor flat = expected.reshape({expected.numel()}), other = actual.reshape({actual.numel()});
  for (int64_t i = 0; i < flat.numel(); ++i) {
    double x = flat.at({i}), y = other.at({i});
    bool same = std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y);
    if (!same)
      return std::string(name(expected.dtype())) + " element " + std::to_string(i) + " of " +
             std::to_string(flat.numel()) + ": the interpreter gives " + std::to_string(x) + ", the cpu " +
             std::to_string(y);
  }
  return "";
}

std::vector<std::string> runnableTargets() {
  std::vector<std::string> targets;
  for (std::string_view isa : cpu::isaNames())
    if (cpu::cpuIsa(isa).runsHere) targets.push_back("cpu:" + std::string(isa));
  return targets;
}

volatile uint64_t runningSeed = 0;

/// A program that crashes takes the whole test with it: say at least which one it was.
void nameCrashedProgram(int number) {
  char text[64] = "crashed at seed ", *at = text + std::strlen(text), digits[24];
  int count = 0;
  for (uint64_t rest = runningSeed; count == 0 || rest > 0; rest /= 10)
    digits[count++] = static_cast<char>('0' + rest % 10);
  while (count > 0) *at++ = digits[--count];
  *at++ = '\n';
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, text, static_cast<size_t>(at - text));
  std::signal(number, SIG_DFL);
  std::raise(number);
}

TEST(RandomPrograms, CpuEqualsInterpreter) {
  uint64_t first = fromEnvironment("TESSERA_RANDOM_SEED", std::random_device{}());
  uint64_t count = fromEnvironment("TESSERA_RANDOM_PROGRAMS", 2000);
  std::printf("%lu programs from TESSERA_RANDOM_SEED=%lu\n", count, first);
  std::fflush(stdout);
  for (int number : {SIGABRT, SIGFPE, SIGILL, SIGSEGV, SIGBUS}) std::signal(number, nameCrashedProgram);
  std::vector<std::string> targets = runnableTargets();
  int failures = 0;
  for (uint64_t seed = first; seed < first + count && failures < 5; ++seed) {
    runningSeed = seed;
    RandomProgram random = makeRandomProgram(seed);
    const std::string &target = targets[seed % targets.size()];
    std::vector<Argument> expected = cloneOf(random.arguments), actual = cloneOf(random.arguments);
    std::string found;
    try {
      interpret(random.program, expected);
      CompileOptions options;
      options.threads = static_cast<int>(1 + seed / 3 % 2);
      options.useCache = false;
      compile(random.program, target, options).run(actual);
      for (size_t i = 0; i < actual.size() && found.empty(); ++i) {
        found = difference(std::get<Tensor>(expected[i]), std::get<Tensor>(actual[i]));
        if (!found.empty()) found.insert(0, "argument " + std::to_string(i) + ", ");
      }
    } catch (const std::exception &error) {
      found = error.what();
    }
    if (found.empty()) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << " on " << target << ": " << found << "\n" << random.program.text();
  }
}

} // namespace
} // namespace tessera::test
