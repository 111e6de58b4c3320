// A function that can be left in the middle and taken up again. It runs on a thread of its own, but never at the same
// time as the one that resumes it.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace tessera::tile {

class Coroutine {
public:
  explicit Coroutine(std::function<void()> body) : body(std::move(body)) {}
  /// Unwinds a body that is left in the middle.
  ~Coroutine();
  Coroutine(const Coroutine &) = delete;
  Coroutine &operator=(const Coroutine &) = delete;

  /// Runs the body until it suspends or ends; throws what the body throws, and std::system_error if there is no thread
  /// to be had. Requires that it has not ended.
  void resume();
  bool finished() const { return state == State::finished; }

  /// Whether the caller runs inside a coroutine.
  static bool inside();
  /// Goes back to `resume`. Requires `inside`.
  static void suspend();

private:
  enum class State { created, running, suspended, finished };
  struct Cancelled {};

  std::function<void()> body;
  std::thread thread;
  std::mutex mutex;
  std::condition_variable changed;
  State state = State::created;
  bool cancelled = false;
  std::exception_ptr failure;

  void run();
  void waitUntilStopped(std::unique_lock<std::mutex> &lock);
};

} // namespace tessera::tile
