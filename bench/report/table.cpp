// The report on a terminal.
#include "bench/report/format.h"
#include "bench/report/report.h"
#include "bench/statistics.h"

#include <fmt/format.h>

#include <map>

namespace tessera::bench {
namespace {

constexpr const char *kRow = "{:<30} {:>3} {:>14} {:>14} {:<15} {:>14} {:>8} {:>8} {:>11}  {}\n";

std::string peerName(const Timing *peer) { return peer ? peer->name : "-"; }

} // namespace

std::string tableHead() {
  return fmt::format(kRow, "case", "thr", "ours", "best peer", "which", "limit", "of limit", "of peer", "bar",
                     "verdict");
}

std::string tableRow(const Result &result) {
  const Timing *peer = result.bestPeer();
  std::string limit = result.limitRate() ? rateText(*result.limitRate(), isBandwidth(result.limit)) : "-";
  std::string row =
      fmt::format(kRow, result.name, result.threads, speedText(result, result.ours),
                  peer ? speedText(result, *peer) : "-", peerName(peer), limit, ratioText(result.ofLimit()),
                  ratioText(result.ofPeer()), barText(result.bar), name(result.verdict()));
  if (!result.ours.failure.empty()) row += fmt::format("  {}\n", result.ours.failure);
  for (const Timing &timing : result.peers)
    if (!timing.failure.empty()) row += fmt::format("  {} left out: {}\n", timing.name, timing.failure);
  return row;
}

std::string limitsTable(const Report &report) {
  std::string text = fmt::format("{:<14} {:>7} {:>16} {:>8}\n", "limit", "threads", "median", "spread");
  for (const Report::MeasuredLimit &limit : report.limits)
    text += fmt::format("{:<14} {:>7} {:>16} {:>7.1f}%\n", name(limit.limit), limit.threads,
                        rateText(median(limit.rates), isBandwidth(limit.limit)), 100 * spread(limit.rates));
  return text;
}

std::string summary(const Report &report) {
  std::map<Verdict, int> counts;
  for (const Result &result : report.results) ++counts[result.verdict()];
  std::string text = fmt::format("{} cases:", report.results.size());
  for (auto [verdict, count] : counts)
    text += fmt::format(" {} {}", count, verdict == Verdict::unjudged ? "without a limit here" : name(verdict));
  return text + "\n";
}

} // namespace tessera::bench
