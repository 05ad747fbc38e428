#include "dash/svg_plot.h"

#include <expat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "dash/style.h"

namespace bowerbird {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool is_xml(const std::string& text) {
  XML_Parser parser = XML_ParserCreate("UTF-8");
  const bool fine = XML_Parse(parser, text.data(), static_cast<int>(text.size()), 1) == XML_STATUS_OK;
  XML_ParserFree(parser);
  return fine;
}

PlotFigure one_curve(std::vector<double> x, std::vector<double> y, bool log = false) {
  PlotPanel panel;
  panel.x = {"x", log, false, {}, {}};
  panel.y = {"y", log, false, {}, {}};
  panel.series.push_back({"curve", std::move(x), std::move(y), 0, {0}});
  return {"name", "title", "note", {panel}};
}

std::string curve_path(const std::string& svg) {
  const std::string_view open = "<path class=\"curve\" d=\"";
  const std::size_t from = svg.find(open);
  if (from == std::string::npos) return "";
  return svg.substr(from + open.size(), svg.find('"', from + open.size()) - from - open.size());
}

TEST(SvgPlot, TicksAreRoundNumbers) {
  EXPECT_THAT(axis_ticks(0, 1, false),
              ElementsAre(testing::DoubleEq(0), testing::DoubleNear(.2, 1e-9), testing::DoubleNear(.4, 1e-9),
                          testing::DoubleNear(.6, 1e-9), testing::DoubleNear(.8, 1e-9),
                          testing::DoubleNear(1, 1e-9)));
  EXPECT_THAT(axis_ticks(0, 325'557, false), ElementsAre(0, 1e5, 2e5, 3e5));
  EXPECT_THAT(axis_ticks(1, 1e4, true),
              ElementsAre(1, 10, 100, testing::DoubleNear(1e3, 1e-6), testing::DoubleNear(1e4, 1e-6)));
}

TEST(SvgPlot, ACurveGoesFromCornerToCorner) {
  // The plot is 560 wide from 74 on; 4 % are free above the highest value.
  const std::string path = curve_path(svg_figure(one_curve({0, 1}, {0, 1})));
  EXPECT_THAT(path, StartsWith("M74.0 388.0L634.0 "));
}

TEST(SvgPlot, NaNLeavesAGap) {
  const std::string path = curve_path(svg_figure(one_curve({0, 1, 2, 3, 4}, {1, 2, kNone, 3, 4})));
  EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 2);
  EXPECT_EQ(std::count(path.begin(), path.end(), 'L'), 2);
}

TEST(SvgPlot, ALogarithmicAxisLeavesOutNumbersThatAreNotPositive) {
  const std::string path = curve_path(svg_figure(one_curve({0, 1, 10}, {-1, 1, 100}, true)));
  EXPECT_EQ(std::count(path.begin(), path.end(), 'M'), 1);
  EXPECT_EQ(std::count(path.begin(), path.end(), 'L'), 1);
}

TEST(SvgPlot, FiguresOfNothingAreStillFigures) {
  for (const bool log : {false, true}) {
    EXPECT_TRUE(is_xml(svg_figure(one_curve({}, {}, log))));
    EXPECT_TRUE(is_xml(svg_figure(one_curve({0}, {0}, log))));
    EXPECT_TRUE(is_xml(svg_figure(one_curve({kNone}, {std::numeric_limits<double>::infinity()}, log))));
  }
  EXPECT_TRUE(is_xml(svg_figure({})));
}

TEST(SvgPlot, ALongLabelMakesTheFigureWider) {
  PlotFigure figure = one_curve({0, 1}, {0, 1});
  EXPECT_THAT(svg_figure(figure), HasSubstr(" width=\"860\""));
  figure.panels[0].series[0].label = std::string(40, 'w');
  EXPECT_THAT(svg_figure(figure), HasSubstr(" width=\"1006\""));
}

TEST(SvgPlot, HostileLabelsAreText) {
  PlotFigure figure = one_curve({0, 1}, {0, 1});
  figure.title = "</title><script>alert(1)</script>\x01\xff";
  figure.note = "\"&'<";
  figure.panels[0].series[0].label = "<svg onload=alert(1)>";
  figure.panels[0].x.label = "]]>";
  const std::string svg = svg_figure(figure);
  EXPECT_TRUE(is_xml(svg));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_THAT(svg, HasSubstr("&lt;svg onload=alert(1)&gt;"));
}

TEST(SvgPlot, BarsStandInGroups) {
  PlotPanel panel;
  panel.series = {{"a", {}, {}, 0, {}}, {"b", {}, {}, 1, {}}};
  panel.bars = {{"first", {0.5, 0.25}}, {"second", {1, kNone}}};
  const std::string svg = svg_figure({"bars", "bars", "", {panel}});
  EXPECT_TRUE(is_xml(svg));
  std::size_t bars = 0;
  for (std::size_t at = svg.find("<rect x="); at != std::string::npos; at = svg.find("<rect x=", at + 1))
    ++bars;
  EXPECT_EQ(bars, 3u);
}

TEST(LineStyle, TheFirstTwentyEightAreAllDifferent) {
  for (int a = 0; a < 28; ++a) {
    for (int b = 0; b < a; ++b) {
      const LineStyle x = line_style(a);
      const LineStyle y = line_style(b);
      EXPECT_TRUE(x.colour != y.colour || x.dash != y.dash) << a << " and " << b;
      // Adjacent styles differ without colours too.
      if (a - b == 1) {
        EXPECT_TRUE(x.dash != y.dash && x.marker != y.marker) << a << " and " << b;
      }
    }
  }
}

}  // namespace
}  // namespace bowerbird
