// Ratios and verdicts from medians.
#include "bench/result.h"

#include "bench/statistics.h"

#include <algorithm>

namespace tessera::bench {

double Timing::medianSeconds() const { return median(seconds); }

std::string name(Verdict verdict) {
  switch (verdict) {
  case Verdict::met: return "met";
  case Verdict::missed: return "missed";
  case Verdict::wrong: return "WRONG";
  case Verdict::failed: return "FAILED";
  case Verdict::unjudged: return "-";
  }
  __builtin_unreachable();
}

double Result::rate(const Timing &timing) const { return (amount > 0 ? amount : 1) / timing.medianSeconds(); }

std::optional<double> Result::limitRate() const {
  if (limitRates.empty()) return std::nullopt;
  return median(limitRates);
}

const Timing *Result::bestPeer() const {
  const Timing *best = nullptr;
  for (const Timing &peer : peers)
    if (peer.ran() && (!best || peer.medianSeconds() < best->medianSeconds())) best = &peer;
  return best;
}

std::optional<double> Result::ofLimit() const {
  if (!ours.ran() || limitRates.empty()) return std::nullopt;
  return rate(ours) / *limitRate();
}

std::optional<double> Result::ofPeer() const {
  const Timing *peer = bestPeer();
  if (!ours.ran() || !peer) return std::nullopt;
  return peer->medianSeconds() / ours.medianSeconds();
}

std::optional<double> Result::ofBar() const {
  if (!ours.ran() || bar.value == 0) return std::nullopt;
  switch (bar.kind) {
  case Bar::Kind::rateAtLeast: return rate(ours) / bar.value;
  case Bar::Kind::secondsAtMost: return bar.value / ours.medianSeconds();
  case Bar::Kind::ofLimit: return limitRates.empty() ? std::nullopt : std::optional(*ofLimit() / bar.value);
  }
  __builtin_unreachable();
}

Verdict Result::verdict() const {
  if (ours.ofBound > 1) return Verdict::wrong;
  if (!ours.ran()) return Verdict::failed;
  bool behindPeer = bar.ofPeer > 0 && ofPeer() && *ofPeer() < bar.ofPeer;
  if (!ofBar()) return behindPeer ? Verdict::missed : Verdict::unjudged;
  return *ofBar() >= 1 && !behindPeer ? Verdict::met : Verdict::missed;
}

} // namespace tessera::bench
