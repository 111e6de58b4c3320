// Each measurement starts a team of threads, lets them run the same loop from a common start, and counts the time from
// the first start to the last end.
#include "bench/limits/machine_limits.h"

#include "bench/limits/limit_loops.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <thread>
#include <unistd.h>

namespace tessera::bench {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Seconds from the first start to the last end of body(thread) on so many threads.
double teamSeconds(int threads, const std::function<void(int)> &body) {
  std::barrier start(threads);
  std::vector<double> begins(static_cast<size_t>(threads)), ends(begins);
  auto work = [&](int thread) {
    start.arrive_and_wait();
    begins[static_cast<size_t>(thread)] = now();
    body(thread);
    ends[static_cast<size_t>(thread)] = now();
  };
  {
    std::vector<std::jthread> others;
    for (int thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
    work(0);
  }
  return *std::ranges::max_element(ends) - *std::ranges::min_element(begins);
}

size_t cacheBytes(int name, size_t otherwise) {
  long bytes = sysconf(name);
  return bytes > 0 ? static_cast<size_t>(bytes) : otherwise;
}

/// What one thread walks over: half of its second-level cache, or its share of far more than the last-level cache.
size_t workingSet(Limit limit, int threads) {
  constexpr size_t kMegabyte = size_t{1} << 20;
  size_t bytes = cacheBytes(_SC_LEVEL2_CACHE_SIZE, kMegabyte) / 2;
  if (limit == Limit::dramRead || limit == Limit::streamCopy)
    bytes =
        std::max(512 * kMegabyte, 8 * cacheBytes(_SC_LEVEL3_CACHE_SIZE, 32 * kMegabyte)) / static_cast<size_t>(threads);
  return bytes / 4096 * 4096;
}

} // namespace

const std::vector<Limit> &allLimits() {
  static const std::vector<Limit> list = {Limit::fp32Fma, Limit::bf16Dot,  Limit::int8Dot,   Limit::l2Read,
                                          Limit::l2Copy,  Limit::dramRead, Limit::streamCopy};
  return list;
}

std::string name(Limit limit) {
  switch (limit) {
  case Limit::none: return "none";
  case Limit::fp32Fma: return "fp32 FMA";
  case Limit::bf16Dot: return "bf16 dot";
  case Limit::int8Dot: return "int8 dot";
  case Limit::l2Read: return "L2 read";
  case Limit::l2Copy: return "L2 copy";
  case Limit::dramRead: return "DRAM read";
  case Limit::streamCopy: return "stream copy";
  }
  __builtin_unreachable();
}

bool isBandwidth(Limit limit) { return limit >= Limit::l2Read; }

std::string whyAbsent(Limit limit) {
  const LimitLoops &loops = limitLoops();
  if (limit == Limit::fp32Fma && !loops.fp32Fma) return "no AVX2 with FMA";
  if (limit == Limit::bf16Dot && !loops.bf16Dot) return "no AVX-512 BF16";
  if (limit == Limit::int8Dot && !loops.int8Dot) return "no AVX-512 VNNI";
  return "";
}

double MachineLimits::measure(Limit limit, int threads) {
  const LimitLoops &loops = limitLoops();
  switch (limit) {
  case Limit::fp32Fma: return arithmetic(loops.fp32Fma, threads);
  case Limit::bf16Dot: return arithmetic(loops.bf16Dot, threads);
  case Limit::int8Dot: return arithmetic(loops.int8Dot, threads);
  default: return bandwidth(limit, threads);
  }
}

double MachineLimits::arithmetic(double (*loop)(int64_t), int threads) const {
  constexpr int64_t kTrial = 10000;
  double trial = now(), operations = loop(kTrial);
  trial = now() - trial;
  auto rounds = static_cast<int64_t>(std::ceil(seconds / trial * kTrial));
  double time = teamSeconds(threads, [&](int) { loop(rounds); });
  return operations / kTrial * static_cast<double>(rounds) * threads / time;
}

double MachineLimits::bandwidth(Limit limit, int threads) {
  const LimitLoops &loops = limitLoops();
  const size_t set = workingSet(limit, threads), half = set / 2;
  auto ownOf = [&](int thread) { return memory.data() + set * static_cast<size_t>(thread); };
  if (memory.size() < set * static_cast<size_t>(threads)) {
    memory = HugeMemory(set * static_cast<size_t>(threads));
    // Pages that were never written are one and the same page of zeros.
    teamSeconds(threads, [&](int thread) { std::memset(ownOf(thread), 1, set); });
  }
  auto walk = [&](int thread) {
    std::byte *own = ownOf(thread);
    switch (limit) {
    case Limit::l2Copy: return loops.copy(own, own + half, half);
    case Limit::streamCopy: return loops.streamCopy(own, own + half, half);
    default: return loops.read(own, set);
    }
  };
  // The first walk brings caches into their state and says how many more the time is enough for.
  double once = teamSeconds(threads, walk);
  auto walks = static_cast<int64_t>(std::ceil(seconds / once));
  double time = teamSeconds(threads, [&](int thread) {
    for (int64_t w = 0; w < walks; ++w) walk(thread);
  });
  return static_cast<double>(walks * threads) * static_cast<double>(set) / time;
}

} // namespace tessera::bench
