// Parallel loops: every block once and in order, nested and concurrent launches, exceptions, thread counts.
#include "core/thread_pool.h"

#include "core/test/expect_error.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <latch>
#include <numeric>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tessera;

namespace {

#if __has_feature(thread_sanitizer)
constexpr int kScale = 1;
#else
constexpr int kScale = 10;
#endif

TEST(ParallelFor, RunsEveryBlockOnce) {
  for (int threads : {0, 1, 2, 3, 8})
    for (int64_t count : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> runs(static_cast<size_t>(count));
      parallelFor(count, [&](int64_t block, int) { ++runs[static_cast<size_t>(block)]; }, threads);
      for (auto &r : runs) EXPECT_EQ(r, 1) << threads << " threads, " << count << " blocks";
    }
}

TEST(ParallelFor, EffectsAreVisibleAfterwards) {
  std::vector<int64_t> out(10000);
  for (int round = 0; round < 20 * kScale; ++round) {
    parallelFor(
        100,
        [&](int64_t b, int) {
          for (int64_t i = b * 100; i < b * 100 + 100; ++i) out[static_cast<size_t>(i)] = i + round; // plain writes
        },
        4);
    int64_t sum = std::accumulate(out.begin(), out.end(), int64_t{0});
    ASSERT_EQ(sum, 10000 * 9999 / 2 + 10000 * round);
  }
}

TEST(ParallelFor, WorkersOfOneLaunchAreDistinct) {
  constexpr int kThreads = 4;
  std::array<std::atomic<int>, kThreads> inside{};
  std::atomic<bool> clash = false, outOfRange = false;
  std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> callerIsZero = true;
  parallelFor(
      2000,
      [&](int64_t, int worker) {
        if (worker < 0 || worker >= kThreads)
          outOfRange = true;
        else {
          if (++inside[static_cast<size_t>(worker)] != 1) clash = true;
          std::this_thread::yield();
          --inside[static_cast<size_t>(worker)];
        }
        if ((std::this_thread::get_id() == caller) != (worker == 0)) callerIsZero = false;
      },
      kThreads);
  EXPECT_FALSE(clash);
  EXPECT_FALSE(outOfRange);
  EXPECT_TRUE(callerIsZero);
}

TEST(ParallelFor, HelpersReallyJoin) {
  // Two blocks that wait for each other's start need two threads at once; the second is the pool's. This relies on an
  // idle pool, which no caller may.
  std::latch both(2);
  parallelFor(2, [&](int64_t, int) { both.arrive_and_wait(); }, 2);
}

TEST(ParallelFor, BlocksStartInOrder) {
  // Every block waits for the one before: any other order of claiming would hang.
  for (int round = 0; round < 10 * kScale; ++round) {
    std::atomic<int64_t> turn = 0;
    std::vector<int64_t> order;
    parallelFor(
        200,
        [&](int64_t block, int) {
          while (turn.load() != block) std::this_thread::yield();
          order.push_back(block); // ordered by `turn`
          turn = block + 1;
        },
        4);
    for (size_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], static_cast<int64_t>(i));
  }
}

TEST(ParallelFor, Nests) {
  std::atomic<int64_t> sum = 0;
  parallelFor(
      5,
      [&](int64_t a, int) {
        parallelFor(
            7, [&](int64_t b, int) { parallelFor(3, [&](int64_t c, int) { sum += a * 21 + b * 3 + c; }, 2); }, 3);
      },
      4);
  EXPECT_EQ(sum, 104 * 105 / 2);
}

TEST(ParallelFor, NestedLaunchRunsNoOuterBlock) {
  // While a block is inside a nested launch its thread must not start another outer block.
  std::atomic<bool> reentered = false;
  parallelFor(
      200,
      [&](int64_t, int) {
        thread_local int depth = 0;
        if (depth++ != 0) reentered = true;
        parallelFor(4, [](int64_t, int) { std::this_thread::yield(); }, 3);
        --depth;
      },
      3);
  EXPECT_FALSE(reentered);
}

TEST(ParallelFor, LaunchesFromSeveralThreads) {
  std::vector<std::thread> users;
  users.reserve(6);
  std::atomic<int64_t> total = 0;
  for (int u = 0; u < 6; ++u)
    users.emplace_back([&] {
      for (int round = 0; round < 50 * kScale; ++round) parallelFor(10, [&](int64_t, int) { ++total; }, 1 + round % 4);
    });
  for (auto &u : users) u.join();
  EXPECT_EQ(total, 6 * 50 * kScale * 10);
}

TEST(ParallelFor, RethrowsTheLowestThrowingBlock) {
  for (int threads : {1, 2, 5})
    for (int round = 0; round < 20; ++round) {
      std::atomic<int> started = 0;
      try {
        parallelFor(
            1000,
            [&](int64_t block, int) {
              ++started;
              if (block >= 40 && block % 3 == 1) throw block;
            },
            threads);
        ADD_FAILURE() << "nothing thrown";
      } catch (int64_t block) {
        EXPECT_EQ(block, 40);
      }
      EXPECT_LE(started, 41 + threads * 3) << "blocks go on after an exception";
    }
}

TEST(ParallelFor, UsableAfterAnException) {
  EXPECT_THROW(parallelFor(4, [](int64_t, int) { throw 1; }, 2), int);
  std::atomic<int> runs = 0;
  parallelFor(4, [&](int64_t, int) { ++runs; }, 2);
  EXPECT_EQ(runs, 4);
}

TEST(ParallelFor, WakesSleepingWorkers) {
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2)); // far beyond the spin
    std::latch both(2);
    parallelFor(2, [&](int64_t, int) { both.arrive_and_wait(); }, 2);
  }
}

TEST(ParallelFor, SurvivesFork) {
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "the sanitizer refuses threads after a fork";
#endif
  parallelFor(4, [](int64_t, int) {}, 2);
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    std::latch both(2);
    parallelFor(2, [&](int64_t, int) { both.arrive_and_wait(); }, 2);
    _exit(7);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST(ParallelFor, BadArguments) {
  EXPECT_ERROR(parallelFor(-1, [](int64_t, int) {}), "block count -1 is negative");
  EXPECT_ERROR(parallelFor(1, [](int64_t, int) {}, -2), "thread count -2 is not from 0 to 1024");
  EXPECT_ERROR(parallelFor(1, [](int64_t, int) {}, 1025), "thread count 1025 is not from 0 to 1024");
}

TEST(ThreadCount, FromTheEnvironment) {
  defaultThreads(); // now fixed, so that this test changes nothing for others
  setenv("TESSERA_NUM_THREADS", "3", 1);
  EXPECT_EQ(readDefaultThreads(), 3);
  for (const char *bad : {"0", "-1", "two", "3x", " 3", "1025", "99999999999", "+2", "1.5"}) {
    setenv("TESSERA_NUM_THREADS", bad, 1);
    EXPECT_ERROR(readDefaultThreads(),
                 "TESSERA_NUM_THREADS is '" + std::string(bad) + "', not an integer from 1 to 1024");
  }
  setenv("TESSERA_NUM_THREADS", "", 1);
  EXPECT_GE(readDefaultThreads(), 1);
  unsetenv("TESSERA_NUM_THREADS");
  EXPECT_GE(readDefaultThreads(), 1);
}

} // namespace
