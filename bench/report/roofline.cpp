// The roofline plot: what memory allows grows with the operations per byte until arithmetic binds.
#include "bench/report/charts.h"
#include "bench/report/format.h"
#include "bench/report/svg.h"
#include "bench/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tessera::bench {
namespace {

constexpr double kWidth = 860, kHeight = 460, kLeft = 64, kRight = 130, kTop = 30, kBottom = 44;

/// Logarithmic axes: operations per byte to the right, operations per second up.
struct Axes {
  double x0, x1, y0, y1; // exponents of 2 and of 10 at the ends

  double x(double intensity) const {
    return kLeft + (kWidth - kLeft - kRight) * (std::log2(intensity) - x0) / (x1 - x0);
  }
  double y(double rate) const {
    return kHeight - kBottom - (kHeight - kTop - kBottom) * (std::log10(rate) - y0) / (y1 - y0);
  }
};

bool isPoint(const Result &result, int threads) {
  return result.ours.ran() && result.threads == threads && result.work.flops > 0 && result.work.bytes > 0;
}
double intensity(const Result &result) { return result.work.flops / result.work.bytes; }
double operations(const Result &result) { return result.work.flops / result.ours.medianSeconds(); }

double limitRate(const Report &report, Limit limit) {
  for (const Report::MeasuredLimit &measured : report.limits)
    if (measured.limit == limit && measured.threads == report.threads) return median(measured.rates);
  return 0;
}

/// Whole powers around all points and the highest roof.
Axes axesOf(const Report &report, const std::vector<const Result *> &points) {
  Axes axes{1e9, -1e9, 1e9, -1e9};
  for (const Result *point : points) {
    axes.x0 = std::min(axes.x0, std::floor(std::log2(intensity(*point))) - 1);
    axes.x1 = std::max(axes.x1, std::ceil(std::log2(intensity(*point))) + 1);
    axes.y0 = std::min(axes.y0, std::floor(std::log10(operations(*point))));
    axes.y1 = std::max(axes.y1, std::ceil(std::log10(operations(*point))));
  }
  for (Limit limit : allLimits())
    if (double rate = limitRate(report, limit); rate > 0 && !isBandwidth(limit))
      axes.y1 = std::max(axes.y1, std::ceil(std::log10(rate)));
  return axes;
}

void drawGrid(Svg &svg, const Axes &axes) {
  for (int e = static_cast<int>(axes.x0); e <= axes.x1; ++e) {
    double x = axes.x(std::exp2(e));
    svg.line(x, kTop, x, kHeight - kBottom, "grid");
    if (e % 2 == 0) svg.text(x, kHeight - kBottom + 16, "middle", "tick", fmt::format("{:g}", std::exp2(e)));
  }
  for (int e = static_cast<int>(axes.y0); e <= axes.y1; ++e) {
    double y = axes.y(std::pow(10, e));
    svg.line(kLeft, y, kWidth - kRight, y, "grid");
    svg.text(kLeft - 6, y + 4, "end", "tick", fmt::format("{:g}", std::pow(10, e - 9)));
  }
  svg.text((kLeft + kWidth - kRight) / 2, kHeight - 8, "middle", "axis", "operations per byte");
  svg.text(kLeft - 6, kTop - 16, "end", "axis", "Gop/s");
}

/// A flat roof: the part of it that the memory roof does not cut off.
void drawCeiling(Svg &svg, const Axes &axes, const std::string &label, double rate, double bandwidth) {
  double from = bandwidth > 0 ? std::max(rate / bandwidth, std::exp2(axes.x0)) : std::exp2(axes.x0);
  svg.line(axes.x(from), axes.y(rate), kWidth - kRight, axes.y(rate), "roof");
  svg.text(kWidth - kRight + 6, axes.y(rate) + 4, "start", "value", label);
}

/// A sloped roof, up to the highest ceiling.
void drawSlope(Svg &svg, const Axes &axes, double bandwidth, double highest) {
  double low = std::pow(10, axes.y0), left = std::max(std::exp2(axes.x0), low / bandwidth);
  double right = std::min(highest / bandwidth, std::exp2(axes.x1));
  svg.line(axes.x(left), axes.y(left * bandwidth), axes.x(right), axes.y(right * bandwidth), "roof");
  double middle = std::sqrt(left * right);
  svg.text(axes.x(middle) + 10, axes.y(middle * bandwidth) + 6, "start", "value", "DRAM read");
}

std::string pointClass(Limit limit) {
  switch (limit) {
  case Limit::bf16Dot: return "point bf16";
  case Limit::fp32Fma: return "point fp32";
  case Limit::int8Dot: return "point int8";
  default: return "point memory";
  }
}

void drawLegend(Svg &svg) {
  double y = kHeight - kBottom - 92;
  for (auto [limit, label] :
       {std::pair{Limit::bf16Dot, "bf16 dot binds"}, std::pair{Limit::fp32Fma, "fp32 FMA binds"},
        std::pair{Limit::int8Dot, "int8 dot binds"}, std::pair{Limit::dramRead, "memory binds"}}) {
    svg.circle(kWidth - kRight - 120, y, 5, pointClass(limit), label);
    svg.text(kWidth - kRight - 108, y + 4, "start", "value", label);
    y += 22;
  }
}

} // namespace

std::string rooflineChart(const Report &report) {
  std::vector<const Result *> points;
  for (const Result &result : report.results)
    if (isPoint(result, report.threads)) points.push_back(&result);
  if (points.empty()) return "";
  Axes axes = axesOf(report, points);
  Svg svg(kWidth, kHeight, "rates over operations per byte, with the limits of the machine");
  drawGrid(svg, axes);
  double bandwidth = limitRate(report, Limit::dramRead), highest = 0;
  for (Limit limit : {Limit::fp32Fma, Limit::bf16Dot, Limit::int8Dot})
    if (double rate = limitRate(report, limit); rate > 0) {
      drawCeiling(svg, axes, name(limit), rate, bandwidth);
      highest = std::max(highest, rate);
    }
  if (bandwidth > 0 && highest > 0) drawSlope(svg, axes, bandwidth, highest);
  for (const Result *point : points)
    svg.circle(axes.x(intensity(*point)), axes.y(operations(*point)), 5, pointClass(point->limit),
               fmt::format("{}: {} at {:.1f} operations per byte", point->name, rateText(operations(*point), false),
                           intensity(*point)));
  drawLegend(svg);
  return svg.finish();
}

} // namespace tessera::bench
