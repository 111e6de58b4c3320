// Timing by a monotonic clock, sample by sample.
#include "tilelang/driver/profiler.h"

#include "core/error.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

namespace tessera {
namespace {

constexpr int64_t kMostCalls = 1 << 20;

double timeCalls(FunctionRef<void()> call, int64_t calls) {
  auto start = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < calls; ++i) call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Calls for one sample, so that it lasts long enough.
int64_t callsPerSample(FunctionRef<void()> call, double shortest) {
  for (int64_t calls = 1;; calls *= 2)
    if (timeCalls(call, calls) >= shortest || calls >= kMostCalls) return calls;
}

std::string secondsText(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.4g} ms", seconds * 1e3) : fmt::format("{:.4g} s", seconds);
}

void check(const ProfileOptions &options) {
  if (options.samples < 5)
    throw Error(Diagnostic{fmt::format("{} samples are too few", options.samples), {}, "take 5 or more"});
  if (options.warmUp < 0)
    throw Error(Diagnostic{fmt::format("warm-up of {} samples", options.warmUp), {}, "take 0 or more"});
}

} // namespace

double argumentBytes(const Signature &signature, std::span<const Argument> arguments) {
  double bytes = 0;
  for (size_t i = 0; i < arguments.size() && i < signature.parameters.size(); ++i)
    if (const auto *tensor = std::get_if<Tensor>(&arguments[i])) {
      bool twice = signature.parameters[i].access == Parameter::Access::readWrite;
      bytes += static_cast<double>(tensor->bytes()) * (twice ? 2 : 1);
    }
  return bytes;
}

double Profile::quantile(double part) const {
  double at = part * static_cast<double>(seconds.size() - 1);
  auto below = static_cast<size_t>(at);
  size_t above = std::min(below + 1, seconds.size() - 1);
  return std::lerp(seconds[below], seconds[above], at - static_cast<double>(below));
}

std::string Profile::text() const {
  std::string text = fmt::format("median {}, p95 {}", secondsText(median()), secondsText(p95()));
  if (work.flops > 0) text += fmt::format(", {:.4g} GFLOP/s", gflops());
  if (work.bytes > 0) text += fmt::format(", {:.4g} GB/s", gigabytes());
  return text;
}

Profile profile(FunctionRef<void()> call, const Work &work, const ProfileOptions &options) {
  check(options);
  int64_t calls = callsPerSample(call, options.shortestSample);
  for (int i = 0; i < options.warmUp; ++i) timeCalls(call, calls);
  Profile result{{}, work};
  for (int i = 0; i < options.samples; ++i)
    result.seconds.push_back(timeCalls(call, calls) / static_cast<double>(calls));
  std::ranges::sort(result.seconds);
  return result;
}

Profile profile(const Kernel &kernel, std::span<const Argument> arguments, Work work, const ProfileOptions &options) {
  if (work.bytes == 0) work.bytes = argumentBytes(kernel.signature(), arguments);
  return profile([&] { kernel.run(arguments); }, work, options);
}

} // namespace tessera
