// Child processes for tests of what many processes share, and folders that vanish with the test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace tessera {

/// Starts a child that runs `body` and ends with what it returns; an exception ends it with 99.
inline pid_t startChild(const std::function<int()> &body) {
  pid_t child = fork();
  if (child != 0) return child;
  int status = 99;
  try {
    status = body();
  } catch (...) { // the status tells
  }
  _exit(status);
}

/// The exit status of a child; -1 if a signal ended it.
inline int waitForChild(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

/// Runs `body(i)` in `count` children at once and returns their exit statuses.
inline std::vector<int> runInChildren(int count, const std::function<int(int)> &body) {
  std::vector<pid_t> children;
  for (int i = 0; i < count; ++i) children.push_back(startChild([&] { return body(i); }));
  std::vector<int> results;
  for (pid_t child : children) results.push_back(waitForChild(child));
  return results;
}

class TemporaryFolder {
public:
  TemporaryFolder() {
    char pattern[] = "/tmp/tessera-test-XXXXXX";
    if (mkdtemp(pattern))
      folder = pattern;
    else
      ADD_FAILURE() << "no temporary folder";
  }
  ~TemporaryFolder() { std::filesystem::remove_all(folder); }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  std::string path(const std::string &name) const { return folder + "/" + name; }

private:
  std::string folder;
};

} // namespace tessera
