// Drawings for the HTML page. Colours are the page's, by class, so that they follow its light and dark themes.
#pragma once

#include <string>
#include <string_view>

namespace tessera::bench {

/// `text` with the characters that mean something in HTML written out.
std::string escaped(std::string_view text);

/// A drawing of a fixed size that scales with the page. Coordinates grow to the right and down.
class Svg {
public:
  /// `label` says what the drawing shows to those who cannot see it.
  Svg(double width, double height, std::string_view label);

  void line(double x0, double y0, double x1, double y1, std::string_view cssClass);
  void rectangle(double x, double y, double width, double height, std::string_view cssClass, std::string_view tip);
  void circle(double x, double y, double radius, std::string_view cssClass, std::string_view tip);
  /// `anchor`: "start", "middle" or "end" of the text lies at x; y is its base line.
  void text(double x, double y, std::string_view anchor, std::string_view cssClass, std::string_view content);

  std::string finish() const { return body + "</svg>\n"; }

private:
  std::string body;
};

} // namespace tessera::bench
