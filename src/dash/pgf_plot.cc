#include "dash/pgf_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "dash/style.h"
#include "lab/latex.h"

namespace bowerbird {
namespace {

// Shares are written as percentages.
double scaled(const PlotAxis& axis, double value) {
  return axis.percent ? 100 * value : value;
}

bool drawable(const PlotAxis& axis, double value) {
  return std::isfinite(value) && (!axis.log || value > 0);
}

// "xlabel={pages crawled}, xmode=log, xmin=0"
std::string axis_options(char name, const PlotAxis& axis) {
  std::string text =
      fmt::format("  {}label={{{}{}}}", name, latex_escaped(axis.label), axis.percent ? " (\\%)" : "");
  if (axis.log) text += fmt::format(", {}mode=log", name);
  if (axis.least) text += fmt::format(", {}min={:.6g}", name, scaled(axis, *axis.least));
  if (axis.most) text += fmt::format(", {}max={:.6g}", name, scaled(axis, *axis.most));
  return text + ",\n";
}

// "#0072b2" in the format of xcolor.
std::string colour_text(std::string_view hex) {
  const auto part = [&](std::size_t at) {
    return std::strtol(std::string(hex.substr(at, 2)).c_str(), nullptr, 16);
  };
  return fmt::format("{{rgb,255:red,{};green,{};blue,{}}}", part(1), part(3), part(5));
}

// "8 3" in SVG is "on 8pt off 3pt".
std::string dash_text(std::string_view dash) {
  std::string text;
  bool on = true;
  while (!dash.empty()) {
    const std::size_t space = std::min(dash.find(' '), dash.size());
    text += fmt::format("{}{} {}pt", text.empty() ? "" : " ", on ? "on" : "off", dash.substr(0, space));
    dash.remove_prefix(std::min(space + 1, dash.size()));
    on = !on;
  }
  return text.empty() ? "solid" : "dash pattern=" + text;
}

std::string line_options(const PlotSeries& series) {
  constexpr std::string_view kMarks[] = {"o", "square", "triangle", "diamond", "x", "+"};
  const LineStyle style = line_style(series.style);
  std::string text = fmt::format("color={}, line width={:.1f}pt, {}", colour_text(style.colour),
                                 style.width / 2, dash_text(style.dash));
  if (style.marker < 0 || series.marked.empty()) return text + ", no marks";
  text += fmt::format(", mark={}, mark options=solid, mark indices={{", kMarks[style.marker]);
  for (std::size_t i = 0; i < series.marked.size(); ++i) {
    text += fmt::format("{}{}", i > 0 ? "," : "", series.marked[i] + 1);
  }
  return text + "}";
}

std::string curve(const PlotPanel& panel, const PlotSeries& series) {
  std::string text = fmt::format("\\addplot[{}] coordinates {{\n", line_options(series));
  for (std::size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    const bool shown = drawable(panel.x, series.x[i]) && drawable(panel.y, series.y[i]);
    // A pair that cannot be drawn leaves a gap, so that the indices of the marks stay valid.
    text += shown
                ? fmt::format("({:.6g},{:.6g})\n", scaled(panel.x, series.x[i]), scaled(panel.y, series.y[i]))
                : "(nan,nan)\n";
  }
  return text + "};\n";
}

std::string bars(const PlotPanel& panel, std::size_t which) {
  const LineStyle style = line_style(panel.series[which].style);
  std::string text =
      fmt::format("\\addplot[ybar, draw=none, fill={}] coordinates {{", colour_text(style.colour));
  for (std::size_t group = 0; group < panel.bars.size(); ++group) {
    const auto& heights = panel.bars[group].heights;
    if (which >= heights.size() || !drawable(panel.y, heights[which])) continue;
    text += fmt::format("({},{:.6g})", group, scaled(panel.y, heights[which]));
  }
  return text + "};\n";
}

// Bars are at 0, 1, 2 ..., as are the labels of their groups.
std::string bar_options(const PlotPanel& panel) {
  std::string ticks;
  std::string labels;
  for (std::size_t group = 0; group < panel.bars.size(); ++group) {
    ticks += fmt::format("{}{}", group > 0 ? "," : "", group);
    labels += fmt::format("{}{{{}}}", group > 0 ? "," : "", latex_escaped(panel.bars[group].label));
  }
  return fmt::format("  ybar, xmin=-0.5, xmax={}.5, xtick={{{}}}, xticklabels={{{}}},\n",
                     panel.bars.size() - 1, ticks, labels);
}

std::string picture(const PlotPanel& panel) {
  std::string text = "\\begin{tikzpicture}\n\\begin{axis}[\n";
  if (!panel.title.empty()) text += fmt::format("  title={{{}}},\n", latex_escaped(panel.title));
  text += axis_options('x', panel.x) + axis_options('y', panel.y);
  if (!panel.bars.empty()) text += bar_options(panel);
  text +=
      "  width=0.62\\linewidth, grid=major, unbounded coords=jump, cycle list={{}},\n"
      "  legend style={at={(1.03,1)}, anchor=north west, draw=none, font=\\footnotesize}, legend cell "
      "align=left]\n";
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    text += panel.bars.empty() ? curve(panel, panel.series[i]) : bars(panel, i);
    text += fmt::format("\\addlegendentry{{{}}}\n", latex_escaped(panel.series[i].label));
  }
  return text + "\\end{axis}\n\\end{tikzpicture}\n";
}

}  // namespace

std::string pgf_figure(const PlotFigure& figure) {
  std::string text = fmt::format(
      "% {}\n% {}\n% Needs \\usepackage{{pgfplots}} and \\pgfplotsset{{compat=1.18}}; then "
      "\\input{{{}.pgf}}.\n",
      latex_escaped(figure.title), latex_escaped(figure.note), figure.name);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    if (i > 0) text += "\\par\\medskip\n";
    text += picture(figure.panels[i]);
  }
  return text;
}

}  // namespace bowerbird
