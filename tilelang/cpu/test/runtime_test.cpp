// Grids, ordered sections, failures and output, with hand-written blocks in the place of generated code.
#include "tilelang/cpu/runtime/arena.h"
#include "tilelang/cpu/runtime/block_order.h"
#include "tilelang/cpu/runtime/call_context.h"

#include "core/dtype.h"
#include "core/test/expect_error.h"

#include <atomic>
#include <bit>
#include <cstdio>
#include <fmt/format.h>
#include <set>
#include <thread>
#include <vector>

namespace tessera::cpu {
namespace {

/// What the blocks of a test see: one grid, and where they leave their results.
struct Grid {
  int64_t x = 1, y = 1, z = 1, arenaBytes = 0, flags = 0;
  BlockFunction block = nullptr;
  void *results = nullptr;
};

const Grid &gridOf(const int64_t *slots) { return *std::bit_cast<const Grid *>(slots[0]); }
template <class T> T &resultsOf(const int64_t *slots) { return *static_cast<T *>(gridOf(slots).results); }

void launchGrid(const int64_t *slots, CallContext *context) {
  const Grid &g = gridOf(slots);
  tsr_launch(context, g.x, g.y, g.z, g.block, slots, g.arenaBytes, g.flags);
}

void runGrid(const Grid &grid, CallContext &context) {
  int64_t slots[] = {std::bit_cast<int64_t>(&grid)};
  runEntry(launchGrid, slots, context);
}

using Counts = std::vector<std::atomic<int>>;

void countBlock(const int64_t *slots, int64_t x, int64_t y, int64_t z, char *, CallContext *, int64_t) {
  const Grid &g = gridOf(slots);
  ++resultsOf<Counts>(slots)[static_cast<size_t>(x + g.x * (y + g.y * z))];
}

TEST(Launch, RunsEveryBlockOnce) {
  for (int threads : {1, 2, 5})
    for (int64_t panel : {0, 1, 2, 3, 64})
      for (int64_t columns : {int64_t{0}, int64_t{kPanelColumns}}) {
        Counts counts(7 * 5 * 3);
        CallContext context{threads};
        runGrid({7, 5, 3, 0, panel << kPanelShift | columns, countBlock, &counts}, context);
        for (auto &count : counts) EXPECT_EQ(count, 1);
      }
}

TEST(Launch, RunsManySmallBlocks) {
  Counts counts(10007);
  CallContext context{3};
  runGrid({10007, 1, 1, 0, 0, countBlock, &counts}, context);
  for (auto &count : counts) ASSERT_EQ(count, 1);
}

TEST(Launch, RunsNothingOnAnEmptyGrid) {
  Counts counts(1);
  CallContext context;
  runGrid({0, 4, 1, 0, 0, countBlock, &counts}, context);
  runGrid({4, -1, 1, 0, 0, countBlock, &counts}, context);
  EXPECT_EQ(counts[0], 0);
}

TEST(Launch, RefusesAGridThatCannotBeCounted) {
  CallContext context;
  EXPECT_ERROR(runGrid({int64_t{1} << 40, int64_t{1} << 40, 1, 0, 0, countBlock}, context), "is too large");
}

TEST(BlockOrder, WalksPanelsBackAndForth) {
  BlockOrder order(4, 2, 2);
  BlockOrder::Block walk[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0}, {3, 1, 0}, {2, 0, 0}, {3, 0, 0}};
  for (int64_t i = 0; i < 8; ++i) EXPECT_EQ(order.at(i), walk[i]) << i;
  EXPECT_EQ(BlockOrder(2, 4, 2, true).at(4), (BlockOrder::Block{1, 2, 0}));
}

void fillArena(const int64_t *slots, int64_t x, int64_t, int64_t, char *arena, CallContext *, int64_t) {
  int64_t bytes = gridOf(slots).arenaBytes;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(arena) % kArenaAlignment, 0u);
  std::fill_n(arena, bytes, static_cast<char>(x));
  for (int64_t i = 0; i < bytes; i += 97) ASSERT_EQ(arena[i], static_cast<char>(x));
}

TEST(Launch, GivesEveryThreadAnArenaOfItsOwn) {
  for (int64_t bytes : {1, 4096, 5000, 3 << 20, 100}) {
    CallContext context{4};
    runGrid({40, 1, 1, bytes, 0, fillArena}, context);
  }
}

TEST(Launch, FailsWhereThereIsNoMemoryForTheArena) {
  for (int64_t bytes : {int64_t{1} << 60, int64_t{1} << 50}) {
    CallContext context{1};
    EXPECT_ERROR(runGrid({1, 1, 1, bytes, 0, fillArena}, context), "no memory for the on-chip buffers of a block");
  }
}

TEST(Arena, IsKeptByItsThreadAndNotSharedBetweenLeases) {
  const char *first = ArenaLease(1000).data();
  ArenaLease again(800);
  EXPECT_EQ(again.data(), first);
  ArenaLease inside(800);
  EXPECT_NE(inside.data(), again.data());
  EXPECT_EQ(ArenaLease(0).data(), nullptr);
}

/// Appends its index inside the ordered section; later blocks get there first.
void appendOrdered(const int64_t *slots, int64_t x, int64_t, int64_t, char *, CallContext *context, int64_t index) {
  if (x % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
  tsr_ordered_enter(context, index);
  tsr_ordered_enter(context, index);
  resultsOf<std::vector<int64_t>>(slots).push_back(x);
}

TEST(Launch, OrderedSectionsFollowTheBlockIndex) {
  for (int threads : {1, 4}) {
    std::vector<int64_t> seen;
    CallContext context{threads};
    runGrid({100, 1, 1, 0, kOrdered | int64_t{8} << kPanelShift, appendOrdered, &seen}, context);
    ASSERT_EQ(seen.size(), 100u);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
  }
}

void failFrom20(const int64_t *slots, int64_t x, int64_t, int64_t, char *, CallContext *context, int64_t index) {
  if (gridOf(slots).flags & kOrdered) tsr_ordered_enter(context, index);
  if (x < 20) return;
  char message[32]; // a string would not be freed
  std::snprintf(message, sizeof message, "block %d", static_cast<int>(x));
  tsr_assert_failed(context, message, "kernel.cpp", 12);
}

TEST(Launch, ReportsTheLowestBlockThatFailed) {
  for (int threads : {1, 2, 8})
    for (int64_t flags : {int64_t{0}, int64_t{kOrdered}})
      for (int64_t blocks : {50, 5000}) {
        CallContext context{threads};
        EXPECT_ERROR(runGrid({blocks, 1, 1, 64, flags, failFrom20}, context),
                     "kernel.cpp:12: error: assertion failed: block 20");
      }
}

void leaveBounds(const int64_t *, int64_t, int64_t, int64_t, char *, CallContext *context, int64_t) {
  tsr_out_of_bounds(context, "`A`", "kernel.cpp", 7, 1, 70, 64);
}

TEST(Launch, NamesTheBufferThatWasLeft) {
  CallContext context;
  EXPECT_ERROR(runGrid({3, 1, 1, 0, 0, leaveBounds}, context),
               "kernel.cpp:7: error: index 70 of dimension 1 of `A` is outside extent 64");
}

void launchTwice(const int64_t *slots, CallContext *context) {
  int64_t counting[] = {slots[1]};
  EXPECT_EQ(tsr_launch(context, 3, 1, 1, leaveBounds, slots, 0, 0), 1);
  EXPECT_EQ(tsr_launch(context, 1, 1, 1, countBlock, counting, 0, 0), 1);
}

TEST(Launch, StartsNothingAfterAFailure) {
  Counts counts(1);
  Grid grid{1, 1, 1, 0, 0, countBlock, &counts};
  int64_t slots[] = {0, std::bit_cast<int64_t>(&grid)};
  CallContext context{2};
  EXPECT_THROW(runEntry(launchTwice, slots, context), Error);
  EXPECT_EQ(counts[0], 0);
}

TEST(Launch, ReportsAFailureOutsideOfAGrid) {
  CallContext context;
  auto entry = [](const int64_t *, CallContext *c) { tsr_assert_failed(c, "n is positive", nullptr, 0); };
  EXPECT_ERROR(runEntry(entry, nullptr, context), "error: assertion failed: n is positive");
}

void printBlock(const int64_t *, int64_t x, int64_t, int64_t, char *, CallContext *context, int64_t) {
  int64_t values[] = {x, std::bit_cast<int64_t>(0.5)}, size = 2, stride = 1;
  float tile[] = {1, static_cast<float>(x)};
  tsr_printf(context, "%d %g\n", "if", values);
  tsr_dump(context, "t", static_cast<int32_t>(DType::f32), tile, 1, &size, &stride);
}

TEST(Launch, PrintsInTheOrderOfTheBlocks) {
  std::string expected;
  for (int i = 0; i < 60; ++i) expected += fmt::format("{0} 0.5\nt: f32[2]\n1 {0}\n", i);
  for (int threads : {1, 4}) {
    std::string text;
    CallContext context{threads, [&](std::string_view s) { text += s; }};
    runGrid({60, 1, 1, 0, 0, printBlock}, context);
    EXPECT_EQ(text, expected);
  }
}

TEST(Launch, FailsWhereTheSinkThrows) {
  for (int threads : {1, 2}) {
    CallContext context{threads, [](std::string_view) { throw Error(Diagnostic{"no space left", {}, {}}); }};
    EXPECT_ERROR(runGrid({4, 1, 1, 0, 0, printBlock}, context), "no space left");
  }
}

TEST(Launch, RunsFromManyThreadsAtOnce) {
  std::vector<std::thread> callers(6);
  for (std::thread &caller : callers)
    caller = std::thread([] {
      for (int round = 0; round < 20; ++round) {
        CallContext context{3};
        runGrid({30, 1, 1, 5000, 0, fillArena}, context);
        EXPECT_ERROR(runGrid({300, 1, 1, 64, 0, failFrom20}, context), "block 20");
      }
    });
  for (std::thread &caller : callers) caller.join();
}

TEST(Workspace, ATileIsPackedOnceAndNobodyWaits) {
  std::unique_ptr<Workspace> workspace = Workspace::make(3, 128);
  ASSERT_TRUE(workspace);
  int64_t first = workspace->claim(2);
  EXPECT_EQ(first % 64, 1);              // to be packed by the caller
  EXPECT_EQ(workspace->claim(2), 0);     // somebody is at it
  EXPECT_EQ(workspace->claim(0) % 2, 1); // another tile
  workspace->done(2);
  EXPECT_EQ(workspace->claim(2), first - 1);
  EXPECT_EQ(workspace->claim(0), 0);
}

TEST(Workspace, EachOneStartsEmpty) {
  for (int round = 0; round < 3; ++round) { // in the same memory
    std::unique_ptr<Workspace> workspace = Workspace::make(8, 64);
    for (int64_t tile = 0; tile < 8; ++tile) {
      EXPECT_EQ(workspace->claim(tile) % 2, 1);
      workspace->done(tile);
    }
  }
}

TEST(Workspace, IsRefusedBeyondItsSize) {
  EXPECT_FALSE(Workspace::make(0, 64));
  EXPECT_FALSE(Workspace::make(-1, 64));
  EXPECT_FALSE(Workspace::make(int64_t(1) << 40, 64));
  EXPECT_FALSE(Workspace::make(1024, int64_t(1) << 40));
}

TEST(Workspace, ThreadsPackEachTileOnce) {
  constexpr int64_t kTiles = 1000;
  std::unique_ptr<Workspace> workspace = Workspace::make(kTiles, 64);
  Counts packed(kTiles);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int64_t tile = 0; tile < kTiles; ++tile)
        if (int64_t claim = workspace->claim(tile); claim & 1) {
          ++packed[static_cast<size_t>(tile)];
          *reinterpret_cast<int64_t *>(claim - 1) = tile;
          workspace->done(tile);
        } else if (claim != 0) {
          EXPECT_EQ(*reinterpret_cast<int64_t *>(claim), tile);
        }
    });
  for (std::thread &thread : threads) thread.join();
  for (auto &count : packed) EXPECT_EQ(count, 1);
}

TEST(RuntimeSymbols, AreNamedOnce) {
  std::set<std::string> names;
  for (const RuntimeSymbol &symbol : runtimeSymbols()) EXPECT_TRUE(names.insert(symbol.name).second) << symbol.name;
  EXPECT_TRUE(names.contains("tsr_launch"));
}

} // namespace
} // namespace tessera::cpu
