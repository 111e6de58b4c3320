// SVG elements as text.
#include "bench/report/svg.h"

#include <fmt/format.h>

namespace tessera::bench {

std::string escaped(std::string_view text) {
  std::string result;
  for (char c : text) {
    switch (c) {
    case '&': result += "&amp;"; break;
    case '<': result += "&lt;"; break;
    case '>': result += "&gt;"; break;
    case '"': result += "&quot;"; break;
    default: result += c;
    }
  }
  return result;
}

Svg::Svg(double width, double height, std::string_view label)
    : body(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
                       "aria-label=\"{}\">\n",
                       width, height, escaped(label))) {}

void Svg::line(double x0, double y0, double x1, double y1, std::string_view cssClass) {
  body += fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", cssClass, x0,
                      y0, x1, y1);
}

void Svg::rectangle(double x, double y, double width, double height, std::string_view cssClass, std::string_view tip) {
  body += fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">"
                      "<title>{}</title></rect>\n",
                      cssClass, x, y, width, height, escaped(tip));
}

void Svg::circle(double x, double y, double radius, std::string_view cssClass, std::string_view tip) {
  body += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"><title>{}</title></circle>\n",
                      cssClass, x, y, radius, escaped(tip));
}

void Svg::text(double x, double y, std::string_view anchor, std::string_view cssClass, std::string_view content) {
  body += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", cssClass, x, y,
                      anchor, escaped(content));
}

} // namespace tessera::bench
