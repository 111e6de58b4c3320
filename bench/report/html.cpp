// The report as one page without any other file.
#include "bench/report/charts.h"
#include "bench/report/format.h"
#include "bench/report/report.h"
#include "bench/report/svg.h"
#include "bench/statistics.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::bench {
namespace {

// Colours that tell ours, peers and what binds apart also without seeing red and green, on light and on dark ground.
constexpr const char *kStyle = R"css(
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1c1f24; --soft: #5d6570; --grid: #e3e6ea; --ours: #2f6fd0;
  --peer: #9aa3ae; --asked: #c2410c; --roof: #4b5563; --bf16: #2f6fd0; --fp32: #d97706; --int8: #0f8f7c;
  --memory: #8b5cf6; }
@media (prefers-color-scheme: dark) { :root { --ground: #15181c; --ink: #e6e8eb; --soft: #a0a8b3; --grid: #2c3138;
  --ours: #6ea8fe; --peer: #6b7480; --asked: #fb923c; --roof: #b0b8c2; --bf16: #6ea8fe; --fp32: #fbbf24;
  --int8: #2dd4bf; --memory: #b69bff; } }
body { background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; max-width: 1180px;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; } p, li { color: var(--soft); }
svg { width: 100%; max-width: 1000px; height: auto; display: block; } svg text { font: 12px system-ui, sans-serif; fill: var(--soft); }
svg .name, svg .value { fill: var(--ink); } svg line.grid { stroke: var(--grid); } svg line.one { stroke: var(--soft); }
svg line.asked { stroke: var(--asked); stroke-width: 2.5; } svg line.roof { stroke: var(--roof); stroke-width: 1.5; }
svg .ours { fill: var(--ours); } svg .peer { fill: var(--peer); }
svg .point { stroke: var(--ground); stroke-width: 1; } svg .bf16 { fill: var(--bf16); } svg .fp32 { fill: var(--fp32); }
svg .int8 { fill: var(--int8); } svg .memory { fill: var(--memory); }
.key { display: inline-block; width: 0.9em; height: 0.7em; margin: 0 0.3em 0 0.9em; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; white-space: nowrap; }
th, td { text-align: right; padding: 0.25rem 0.7rem; border-bottom: 1px solid var(--grid); }
th:first-child, td:first-child { text-align: left; } th { color: var(--soft); font-weight: 600; }
td.missed, td.wrong, td.failed { color: var(--asked); font-weight: 600; }
)css";

constexpr const char *kKeys = R"html(<p><span class="key" style="background:var(--ours)"></span>ours
<span class="key" style="background:var(--peer)"></span>best peer of the same run
<span class="key" style="background:var(--asked); width:0.25em"></span>what is asked</p>
)html";

std::string cell(const std::string &content, const std::string &cssClass = "") {
  return fmt::format("<td{}>{}</td>", cssClass.empty() ? "" : " class=\"" + cssClass + "\"", escaped(content));
}

std::string verdictClass(Verdict verdict) {
  switch (verdict) {
  case Verdict::missed: return "missed";
  case Verdict::wrong: return "wrong";
  case Verdict::failed: return "failed";
  default: return "";
  }
}

std::string resultRow(const Result &result) {
  const Timing *peer = result.bestPeer();
  std::string limit = result.limitRate() ? rateText(*result.limitRate(), isBandwidth(result.limit)) : "-";
  std::string row = cell(result.name) + cell(result.sizes) + cell(std::to_string(result.threads)) +
                    cell(speedText(result, result.ours)) + cell(peer ? speedText(result, *peer) : "-") +
                    cell(peer ? peer->name : "-") + cell(limit) + cell(ratioText(result.ofLimit())) +
                    cell(ratioText(result.ofPeer())) + cell(barText(result.bar)) +
                    cell(name(result.verdict()), verdictClass(result.verdict()));
  return "<tr>" + row + "</tr>\n";
}

std::string resultTable(const Report &report) {
  std::string text = "<div class=\"scroll\"><table>\n<tr><th>case</th><th>sizes</th><th>threads</th><th>ours</th>"
                     "<th>best peer</th><th>which</th><th>limit</th><th>of limit</th><th>of peer</th><th>asked</th>"
                     "<th>verdict</th></tr>\n";
  for (const Result &result : report.results) text += resultRow(result);
  return text + "</table></div>\n";
}

std::string limitRows(const Report &report) {
  if (report.limits.empty()) return "";
  std::string text =
      "<div class=\"scroll\"><table>\n<tr><th>limit</th><th>threads</th><th>median</th><th>spread</th></tr>\n";
  for (const Report::MeasuredLimit &limit : report.limits)
    text += "<tr>" + cell(name(limit.limit)) + cell(std::to_string(limit.threads)) +
            cell(rateText(median(limit.rates), isBandwidth(limit.limit))) +
            cell(fmt::format("{:.1f}%", 100 * spread(limit.rates))) + "</tr>\n";
  return text + "</table></div>\n";
}

/// One chart for each family of cases that a limit binds.
std::string limitCharts(const Report &report) {
  RatioChart chart{.label = "parts of the limit",
                   .value = [](const Result &r) { return r.ofLimit(); },
                   .peer = [](const Result &r) -> std::optional<double> {
                     if (!r.bestPeer() || !r.limitRate()) return std::nullopt;
                     return r.rate(*r.bestPeer()) / *r.limitRate();
                   },
                   .asked = [](const Result &r) -> std::optional<double> {
                     if (r.bar.kind != Bar::Kind::ofLimit) return std::nullopt;
                     return r.bar.value;
                   }};
  std::string text;
  for (Limit limit : allLimits()) {
    std::vector<const Result *> results;
    for (const Result &result : report.results)
      if (result.limit == limit) results.push_back(&result);
    std::string drawing = ratioChart(chart, results);
    if (!drawing.empty()) text += fmt::format("<h3>Bound by {}</h3>\n{}", name(limit), drawing);
  }
  return text;
}

/// Cases that are asked for a time or a rate, relative to it.
std::string barChart(const Report &report) {
  RatioChart chart{.label = "speed relative to what is asked",
                   .value = [](const Result &r) { return r.ofBar(); },
                   .peer = [](const Result &r) -> std::optional<double> {
                     if (!r.ofPeer()) return std::nullopt;
                     return *r.ofBar() / *r.ofPeer();
                   },
                   .asked = [](const Result &) -> std::optional<double> { return 1; }};
  std::vector<const Result *> results;
  for (const Result &result : report.results)
    if (result.bar.kind != Bar::Kind::ofLimit) results.push_back(&result);
  return ratioChart(chart, results);
}

std::string section(const std::string &title, const std::string &note, const std::string &content) {
  if (content.empty()) return "";
  return fmt::format("<h2>{}</h2>\n<p>{}</p>\n{}", title, note, content);
}

std::string head(const Report &report) {
  std::string text =
      fmt::format("<h1>Tessera benchmarks</h1>\n<p>{}, {} threads, {}; medians of {} samples; load at the "
                  "start {:.1f}.</p>\n",
                  escaped(report.cpu), report.threads, escaped(report.started), report.samples, report.load);
  text += fmt::format("<p>Peers: {}.", escaped(fmt::format("{}", fmt::join(report.peers, "; "))));
  if (!report.absentPeers.empty())
    text += fmt::format(" Left out: {}.", escaped(fmt::format("{}", fmt::join(report.absentPeers, "; "))));
  return text + fmt::format("</p>\n<p>{}</p>\n", escaped(summary(report)));
}

} // namespace

std::string htmlPage(const Report &report) {
  std::string body = head(report);
  body += section("Parts of the limit", "1 is what the machine can do, measured in turns with the kernel.",
                  limitCharts(report).empty() ? "" : kKeys + limitCharts(report));
  body += section("Times and rates", "Speed relative to what is asked for, which is 1; longer is faster.",
                  barChart(report).empty() ? "" : kKeys + barChart(report));
  body +=
      section("Roofline", "Each point is a kernel with all threads; point at it for its name.", rooflineChart(report));
  body += section("All cases", "The columns are explained in docs/benchmarks.md.", resultTable(report));
  body += section("Limits of the machine", "Spread is the distance between the quartiles.", limitRows(report));
  return fmt::format("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<title>Tessera benchmarks</title>\n<style>{}</style></head>\n<body>\n{}</body></html>\n",
                     kStyle, body);
}

} // namespace tessera::bench
