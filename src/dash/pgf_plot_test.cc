#include "dash/pgf_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace bowerbird {
namespace {

using testing::HasSubstr;
using testing::Not;

PlotFigure one_curve() {
  const PlotSeries series{"bfs 5%", {0, 0.5, 1}, {0.25, std::nan(""), 1}, 1, {2}};
  return {
      "importance", "a_title", "of b", {{"", {"share", false, true, 0, 1}, {"seconds", true}, {series}, {}}}};
}

TEST(PgfPlot, ACurveHasItsAxesItsLookAndItsGaps) {
  const std::string text = pgf_figure(one_curve());
  EXPECT_THAT(text, HasSubstr("\\input{importance.pgf}"));
  EXPECT_THAT(text, HasSubstr("% a\\_title\n"));
  EXPECT_THAT(text, HasSubstr("xlabel={share (\\%)}, xmin=0, xmax=100,"));
  EXPECT_THAT(text, HasSubstr("ylabel={seconds}, ymode=log,"));
  EXPECT_THAT(text,
              HasSubstr("color={rgb,255:red,213;green,94;blue,0}, line width=1.0pt, "
                        "dash pattern=on 8pt off 3pt, mark=square, mark options=solid, mark indices={3}"));
  EXPECT_THAT(text, HasSubstr("(0,0.25)\n(nan,nan)\n(100,1)\n"));
  EXPECT_THAT(text, HasSubstr("\\addlegendentry{bfs 5\\%}"));
}

TEST(PgfPlot, BarsStandUnderTheirLabels) {
  PlotFigure figure = one_curve();
  figure.panels[0].y.log = false;
  figure.panels[0].bars = {{"first_group", {0.5}}, {"second", {0.75}}};
  const std::string text = pgf_figure(figure);
  EXPECT_THAT(text, HasSubstr("xtick={0,1}, xticklabels={{first\\_group},{second}}"));
  EXPECT_THAT(text, HasSubstr("coordinates {(0,0.5)(1,0.75)};"));
}

TEST(PgfPlot, ALabelIsEscaped) {
  PlotFigure figure = one_curve();
  figure.title = "a\n\\input{secret}";
  figure.panels[0].series[0].label = "}\\input{secret}";
  EXPECT_THAT(pgf_figure(figure), Not(HasSubstr("\\input{secret}")));
}

}  // namespace
}  // namespace bowerbird
