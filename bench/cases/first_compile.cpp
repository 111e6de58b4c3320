// Runs this program again with --first-compile and reads the seconds that it prints.
#include "bench/cases/first_compile.h"

#include "bench/kernels/kernels.h"
#include "core/error.h"
#include "tilelang/driver/compile.h"

#include <charconv>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tessera::bench {
namespace {

/// What this program prints when it runs with one argument; empty if it cannot be started.
std::string outputOfThisProgram(std::string argument) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string self = std::filesystem::read_symlink("/proc/self/exe");
  char *arguments[] = {self.data(), argument.data(), nullptr};
  pid_t child = -1;
  bool started = posix_spawn(&child, self.c_str(), &actions, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  char buffer[256];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, buffer + count);
  close(ends[0]);
  if (started) waitpid(child, nullptr, 0);
  return text;
}

} // namespace

int printFirstCompile() {
  auto begin = std::chrono::steady_clock::now();
  compile(scaleProgram(2), "cpu", {.useCache = false});
  fmt::print("{}\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return 0;
}

double secondsOfFirstCompile() {
  std::string text = outputOfThisProgram("--first-compile");
  double seconds = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), seconds).ec == std::errc()) return seconds;
  throw Error({"a new process of this program could not compile a kernel", {}, ""});
}

} // namespace tessera::bench
