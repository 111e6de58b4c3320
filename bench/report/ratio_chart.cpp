// Horizontal bars, from 0 to 1 or as far as the longest goes.
#include "bench/report/charts.h"
#include "bench/report/format.h"
#include "bench/report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tessera::bench {
namespace {

constexpr double kLeft = 250, kRight = 70, kWidth = 860, kRow = 26, kTop = 8, kBottom = 24;
/// Where bars end: longer ones are cut and say so by their number.
constexpr double kMost = 3;

double scaleOf(const RatioChart &chart, const std::vector<const Result *> &results) {
  double most = 1;
  for (const Result *result : results) most = std::max({most, *chart.value(*result), chart.peer(*result).value_or(0)});
  return std::min(most, kMost);
}

void drawAxis(Svg &svg, double scale, double bottom) {
  double step = scale > 1.5 ? 0.5 : 0.25;
  for (int t = 0; t * step <= scale + 1e-9; ++t) {
    double x = kLeft + (kWidth - kLeft - kRight) * t * step / scale;
    svg.line(x, kTop, x, bottom, t * step == 1 ? "one" : "grid");
    svg.text(x, bottom + 16, "middle", "tick", fmt::format("{:g}", t * step));
  }
}

void drawRow(Svg &svg, const RatioChart &chart, const Result &result, double scale, double y) {
  auto length = [&](double ratio) { return (kWidth - kLeft - kRight) * std::min(ratio, scale) / scale; };
  double value = *chart.value(result);
  std::optional<double> peer = chart.peer(result), asked = chart.asked(result);
  svg.text(kLeft - 8, y + 16, "end", "name", result.name);
  svg.rectangle(kLeft, y + 4, length(value), 10, "ours",
                fmt::format("{}: {} ({})", result.name, ratioText(value), speedText(result, result.ours)));
  if (peer)
    svg.rectangle(
        kLeft, y + 15, length(*peer), 5, "peer",
        fmt::format("{}: {} ({})", result.bestPeer()->name, ratioText(peer), speedText(result, *result.bestPeer())));
  if (asked) svg.line(kLeft + length(*asked), y + 1, kLeft + length(*asked), y + 22, "asked");
  svg.text(kWidth - kRight + 14, y + 14, "start", "value", ratioText(value));
}

} // namespace

std::string ratioChart(const RatioChart &chart, const std::vector<const Result *> &results) {
  std::vector<const Result *> drawn;
  for (const Result *result : results)
    if (chart.value(*result)) drawn.push_back(result);
  if (drawn.empty()) return "";
  double bottom = kTop + kRow * static_cast<double>(drawn.size()), scale = scaleOf(chart, drawn);
  Svg svg(kWidth, bottom + kBottom, chart.label);
  drawAxis(svg, scale, bottom);
  for (size_t r = 0; r < drawn.size(); ++r) drawRow(svg, chart, *drawn[r], scale, kTop + kRow * static_cast<double>(r));
  return svg.finish();
}

} // namespace tessera::bench
