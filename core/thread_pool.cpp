// The pool: a list of launches that want helpers, and workers that look there, spin briefly, then sleep.
//
// One mutex guards the list and every launch's bookkeeping; blocks are claimed without it. A launch lives on its
// caller's stack: a worker leaves it under the mutex, and the caller takes the mutex once more before it returns.
#include "core/thread_pool.h"

#include "core/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <system_error>
#include <thread>
#include <vector>

namespace tessera {
namespace {

/// How long an idle thread spins before it sleeps: longer than the gap between the launches of a busy program, short
/// enough to cost nothing otherwise.
constexpr auto kSpin = std::chrono::microseconds(30);

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Spins until `done()`, at most kSpin; the clock is read every few rounds only.
template <class Done> bool spinUntil(Done done) {
  auto deadline = std::chrono::steady_clock::now() + kSpin;
  do
    for (int round = 0; round < 16; ++round) {
      if (done()) return true;
      relax();
    }
  while (std::chrono::steady_clock::now() < deadline);
  return done();
}

/// One parallelFor.
struct Launch {
  const FunctionRef<void(int64_t, int)> &body;
  const int64_t count;
  const int threads;
  alignas(64) std::atomic<int64_t> next{0}; // apart from what only the mutex's holder touches
  alignas(64) std::atomic<int> helpers{0};  // running now; changes under the pool's mutex
  int joined = 1;                           // ever taken part, the caller included; under the mutex
  std::mutex errorMutex;
  std::exception_ptr error;
  int64_t errorBlock = 0;

  bool wantsHelper() const { return joined < threads && next.load(std::memory_order_relaxed) < count; }

  void run(int worker) {
    for (;;) {
      int64_t block = next.fetch_add(1, std::memory_order_relaxed);
      if (block >= count) return;
      try {
        body(block, worker);
      } catch (...) {
        fail(block);
      }
    }
  }

  void fail(int64_t block) {
    next.store(count, std::memory_order_relaxed);
    std::lock_guard lock(errorMutex);
    if (error && errorBlock < block) return;
    error = std::current_exception();
    errorBlock = block;
  }
};

class Pool {
public:
  static Pool &get();

  void run(Launch &launch) {
    publish(launch);
    launch.run(0);
    retire(launch);
  }

private:
  std::mutex mutex;
  std::vector<Launch *> open; // may want helpers; oldest first
  int workers = 0;            // threads of this pool
  std::atomic<int> sleepers{0};
  std::atomic<int> published{0}; // counts launches; workers wait for it to change

  void publish(Launch &launch) {
    {
      std::lock_guard lock(mutex);
      open.push_back(&launch);
      grow(launch.threads - 1);
    }
    published.fetch_add(1);
    int wake = std::min(sleepers.load(), static_cast<int>(std::min<int64_t>(launch.threads, launch.count)) - 1);
    for (; wake > 0; --wake) published.notify_one();
  }

  /// Starts threads up to `wanted`; where the system has no more, launches have fewer than they asked for.
  void grow(int wanted) {
    try {
      for (; workers < wanted; ++workers) std::thread([this] { work(); }).detach();
    } catch (const std::system_error &) {
      return;
    }
  }

  void retire(Launch &launch) {
    {
      std::lock_guard lock(mutex);
      std::erase(open, &launch);
      if (launch.helpers.load(std::memory_order_relaxed) == 0) return;
    }
    spinUntil([&] { return launch.helpers.load(std::memory_order_relaxed) == 0; });
    for (int running; (running = launch.helpers.load()) != 0;) launch.helpers.wait(running);
    std::lock_guard lock(mutex); // the last helper has let go of the launch
  }

  [[noreturn]] void work() {
    for (;;) {
      int seen = published.load();
      if (helpOne()) continue;
      if (spinUntil([&] { return published.load(std::memory_order_relaxed) != seen; })) continue;
      ++sleepers;
      published.wait(seen);
      --sleepers;
    }
  }

  bool helpOne() {
    Launch *launch;
    int worker;
    {
      std::lock_guard lock(mutex);
      auto found = std::ranges::find_if(open, [](const Launch *l) { return l->wantsHelper(); });
      if (found == open.end()) return false;
      launch = *found;
      worker = launch->joined++;
      ++launch->helpers;
    }
    launch->run(worker);
    std::lock_guard lock(mutex);
    if (--launch->helpers == 0) launch->helpers.notify_one();
    return true;
  }
};

// Never destroyed: workers may still sleep in it when the process ends. A forked child, which has none of the
// workers, starts afresh.
std::atomic<Pool *> currentPool{nullptr};

Pool &Pool::get() {
  static const bool ready = [] {
    currentPool = new Pool;
    pthread_atfork(nullptr, nullptr, [] { currentPool = new Pool; });
    return true;
  }();
  (void)ready;
  return *currentPool.load(std::memory_order_acquire);
}

int allowedCpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(CPU_COUNT(&set), 1);
  // More CPUs than a fixed set holds.
  return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

} // namespace

int readDefaultThreads() {
  const char *text = std::getenv("TESSERA_NUM_THREADS");
  if (!text || !*text) return std::min(allowedCpus(), kMaxThreads);
  int value = 0;
  const char *end = text + std::strlen(text);
  auto [stop, status] = std::from_chars(text, end, value);
  if (status != std::errc() || stop != end || value < 1 || value > kMaxThreads)
    throw Error(Diagnostic{fmt::format("TESSERA_NUM_THREADS is '{}', not an integer from 1 to {}", text, kMaxThreads),
                           {},
                           "unset it to use every CPU of the process"});
  return value;
}

int defaultThreads() {
  static const int threads = readDefaultThreads(); // if it throws, the next call reads again
  return threads;
}

void parallelFor(int64_t count, FunctionRef<void(int64_t, int)> body, int threads) {
  if (count < 0) throw Error(Diagnostic{fmt::format("block count {} is negative", count), {}, {}});
  if (threads < 0 || threads > kMaxThreads)
    throw Error(Diagnostic{fmt::format("thread count {} is not from 0 to {}", threads, kMaxThreads), {}, {}});
  if (threads == 0) threads = defaultThreads();
  if (threads == 1 || count <= 1) {
    for (int64_t block = 0; block < count; ++block) body(block, 0);
    return;
  }
  Launch launch{body, count, threads};
  Pool::get().run(launch);
  if (launch.error) std::rethrow_exception(launch.error);
}

} // namespace tessera
