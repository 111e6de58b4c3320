// Three or four digits, and the unit that leaves them before the point.
#include "bench/report/format.h"

#include <fmt/format.h>

namespace tessera::bench {

std::string rateText(double rate, bool bytes) {
  return fmt::format("{:.1f} {}", rate * 1e-9, bytes ? "GB/s" : "Gop/s");
}

std::string secondsText(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.2f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string speedText(const Result &result, const Timing &timing) {
  if (!timing.ran()) return "-";
  if (result.amount == 0) return secondsText(timing.medianSeconds());
  return rateText(result.rate(timing), isBandwidth(result.limit));
}

std::string barText(const Bar &bar) {
  if (bar.value == 0) return "-";
  switch (bar.kind) {
  case Bar::Kind::ofLimit: return fmt::format(">= {:.2f}", bar.value);
  case Bar::Kind::rateAtLeast: return fmt::format(">= {:.0f} G/s", bar.value * 1e-9);
  case Bar::Kind::secondsAtMost: return fmt::format("<= {}", secondsText(bar.value));
  }
  __builtin_unreachable();
}

std::string ratioText(std::optional<double> ratio) { return ratio ? fmt::format("{:.2f}", *ratio) : "-"; }

} // namespace tessera::bench
