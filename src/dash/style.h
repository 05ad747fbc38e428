// The style of a series, in static figures and on the page: a number for the combination of colour, dash and
// marker, so that series can be distinguished without colours too.
//
// The colours are those of Okabe and Ito, some darker for contrast with white; page.css has the same ones,
// and lighter ones for a dark page.
#pragma once

#include <array>
#include <string_view>

namespace bowerbird {

// Baselines are grey.
enum BaselineStyle : int { kRandomStyle = -1, kOmniscientStyle = -2, kIdealStyle = -3 };

struct LineStyle {
  std::string_view colour;
  std::string_view dash;  // stroke-dasharray; empty: solid
  double width = 2;
  int marker = -1;  // circle, square, triangle, diamond, cross, plus; -1: none
};

inline LineStyle line_style(int style) {
  constexpr std::array<std::string_view, 7> kColours = {"#0072b2", "#d55e00", "#009e73", "#b5588c",
                                                        "#c08400", "#3a9bd9", "#333333"};
  constexpr std::array<std::string_view, 4> kDashes = {"", "8 3", "2 3", "9 3 2 3"};
  constexpr int kMarkers = 6;
  switch (style) {
    case kRandomStyle:
      return {"#777777", "1 3", 1.8, -1};
    case kOmniscientStyle:
      return {"#777777", "5 4", 1.4, -1};
    case kIdealStyle:
      return {"#999999", "", 1.4, -1};
    default:
      break;
  }
  const auto colour = static_cast<std::size_t>(style) % kColours.size();
  const auto dash = (colour + static_cast<std::size_t>(style) / kColours.size()) % kDashes.size();
  return {kColours[colour], kDashes[dash], 2, style % kMarkers};
}

}  // namespace bowerbird
