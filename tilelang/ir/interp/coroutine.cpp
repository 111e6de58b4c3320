// Hands control back and forth between threads.
#include "tilelang/ir/interp/coroutine.h"

#include <cassert>

namespace tessera::tile {
namespace {

thread_local Coroutine *current = nullptr;

} // namespace

bool Coroutine::inside() { return current != nullptr; }

void Coroutine::waitUntilStopped(std::unique_lock<std::mutex> &lock) {
  changed.wait(lock, [&] { return state == State::suspended || state == State::finished; });
}

void Coroutine::resume() {
  assert(state != State::finished && "the body has ended");
  std::unique_lock lock(mutex);
  bool first = state == State::created;
  if (first) thread = std::thread([this] { run(); });
  state = State::running;
  changed.notify_all();
  waitUntilStopped(lock);
  if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
}

void Coroutine::run() {
  current = this;
  try {
    {
      std::unique_lock lock(mutex); // until `resume` waits
      changed.wait(lock, [&] { return state == State::running; });
    }
    body();
  } catch (const Cancelled &) {
  } catch (...) {
    failure = std::current_exception();
  }
  std::lock_guard lock(mutex);
  state = State::finished;
  changed.notify_all();
}

void Coroutine::suspend() {
  Coroutine &self = *current;
  std::unique_lock lock(self.mutex);
  self.state = State::suspended;
  self.changed.notify_all();
  self.changed.wait(lock, [&] { return self.state == State::running; });
  if (self.cancelled) throw Cancelled{};
}

Coroutine::~Coroutine() {
  if (state == State::suspended) {
    std::unique_lock lock(mutex);
    cancelled = true;
    state = State::running;
    changed.notify_all();
    waitUntilStopped(lock);
  }
  if (thread.joinable()) thread.join();
}

} // namespace tessera::tile
