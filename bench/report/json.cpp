// The report as JSON: times in seconds, rates in operations or bytes per second.
#include "bench/report/report.h"
#include "bench/statistics.h"

#include <nlohmann/json.hpp>

namespace tessera::bench {
namespace {

using Json = nlohmann::ordered_json;

Json orNull(std::optional<double> value) { return value ? Json(*value) : Json(); }

const char *text(Bar::Kind kind) {
  switch (kind) {
  case Bar::Kind::ofLimit: return "part of limit";
  case Bar::Kind::rateAtLeast: return "rate at least";
  case Bar::Kind::secondsAtMost: return "seconds at most";
  }
  __builtin_unreachable();
}

Json timingJson(const Timing &timing, const Result &result) {
  Json json = {{"name", timing.name}, {"error_of_bound", timing.ofBound}};
  if (!timing.failure.empty()) json["failure"] = timing.failure;
  if (!timing.ran()) return json;
  json["median_seconds"] = timing.medianSeconds();
  json["spread"] = spread(timing.seconds);
  json["rate"] = result.rate(timing);
  json["seconds"] = timing.seconds;
  return json;
}

Json resultJson(const Result &result) {
  Json peers = Json::array();
  for (const Timing &peer : result.peers) peers.push_back(timingJson(peer, result));
  return {{"name", result.name},
          {"sizes", result.sizes},
          {"threads", result.threads},
          {"operations", result.work.flops},
          {"bytes", result.work.bytes},
          {"limit", name(result.limit)},
          {"limit_rate", orNull(result.limitRate())},
          {"limit_rates", result.limitRates},
          {"bar", {{"kind", text(result.bar.kind)}, {"value", result.bar.value}, {"of_peer", result.bar.ofPeer}}},
          {"ours", timingJson(result.ours, result)},
          {"peers", peers},
          {"of_limit", orNull(result.ofLimit())},
          {"of_peer", orNull(result.ofPeer())},
          {"of_bar", orNull(result.ofBar())},
          {"verdict", name(result.verdict())}};
}

} // namespace

std::string jsonText(const Report &report) {
  Json limits = Json::array(), results = Json::array();
  for (const Report::MeasuredLimit &limit : report.limits)
    limits.push_back({{"name", name(limit.limit)},
                      {"threads", limit.threads},
                      {"median", median(limit.rates)},
                      {"rates", limit.rates}});
  for (const Result &result : report.results) results.push_back(resultJson(result));
  Json json = {{"cpu", report.cpu},
               {"started", report.started},
               {"threads", report.threads},
               {"samples", report.samples},
               {"load", report.load},
               {"peers", report.peers},
               {"absent_peers", report.absentPeers},
               {"limits", limits},
               {"results", results}};
  return json.dump(2) + "\n";
}

} // namespace tessera::bench
