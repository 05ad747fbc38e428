#include "dash/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "dash/escape.h"
#include "dash/style.h"
#include "dash/svg_axis.h"

namespace bowerbird {
namespace {

constexpr double kLeastWidth = 860;
constexpr double kLeft = 74;
constexpr double kPlotWidth = 560;
constexpr double kPlotHeight = 330;
constexpr double kTitle = 46;  // above a panel that has a title
constexpr double kBare = 18;   // above one that has none
constexpr double kFoot = 52;   // below it: ticks and label
constexpr double kLegendLine = 19;
constexpr double kLegend = kLeft + kPlotWidth + 18;  // its left edge
constexpr double kLegendText = kLegend + 38;
constexpr double kLetter = 7.6;  // width of a letter of the legend, about that of the wider ones

// The right end of a label of the legend, with a margin.
double legend_end(const std::string& label) {
  const auto letters = std::count_if(label.begin(), label.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return kLegendText + kLetter * static_cast<double>(letters) + 12;
}

struct Range {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();

  void add(double value, bool log) {
    if (!std::isfinite(value) || (log && value <= 0)) return;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  bool empty() const { return !(least <= most); }
};

// Draws one panel whose upper edge is at `top`.
class PanelDrawing {
 public:
  PanelDrawing(const PlotPanel& panel, double top, std::string& out)
      : panel_(panel),
        top_(top + above(panel)),
        out_(out),
        x_(panel.x, range(true).least, range(true).most, kLeft, kLeft + kPlotWidth),
        y_(panel.y, range(false).least, range(false).most, top_ + kPlotHeight, top_) {}

  static double above(const PlotPanel& panel) { return panel.title.empty() ? kBare : kTitle; }
  static double height(const PlotPanel& panel) {
    const double legend = above(panel) + kLegendLine * static_cast<double>(panel.series.size()) + 10;
    return std::max(above(panel) + kPlotHeight + kFoot, legend);
  }

  void draw() {
    text(kLeft, top_ - 16, "start", panel_.title, "font-size=\"15\" font-weight=\"bold\"");
    axes();
    if (panel_.bars.empty()) {
      for (const PlotSeries& series : panel_.series) curve(series);
    } else {
      bars();
    }
    legend();
  }

 private:
  Range range(bool of_x) const {
    Range range;
    const PlotAxis& axis = of_x ? panel_.x : panel_.y;
    for (const PlotSeries& series : panel_.series) {
      for (const double value : of_x ? series.x : series.y) range.add(value, axis.log);
    }
    for (const PlotBars& group : panel_.bars) {
      for (const double height : group.heights) range.add(height, axis.log);
    }
    if (range.empty()) return {axis.log ? 0.1 : 0, 1};
    if (!axis.log && range.least > 0) range.least = 0;
    if (!axis.log && !of_x) range.most += (range.most - range.least) * 0.04;
    return range;
  }

  void text(double x, double y, std::string_view anchor, std::string_view words, std::string_view more = "") {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n", x, y, anchor,
                        more, html_escaped(words));
  }

  void axes() {
    const double bottom = top_ + kPlotHeight;
    for (const double tick : y_.ticks()) {
      const double y = y_.at(tick);
      out_ += fmt::format("<path d=\"M{:.1f} {:.1f}h{:.1f}\" stroke=\"#e2e2e2\"/>\n", kLeft, y, kPlotWidth);
      text(kLeft - 8, y + 4, "end", y_.text(tick));
    }
    if (panel_.bars.empty()) {
      for (const double tick : x_.ticks()) {
        const double x = x_.at(tick);
        out_ += fmt::format("<path d=\"M{:.1f} {:.1f}v{:.1f}\" stroke=\"#e2e2e2\"/>\n", x, top_, kPlotHeight);
        text(x, bottom + 18, "middle", x_.text(tick));
      }
    }
    out_ += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\" fill=\"none\" stroke=\"#555555\"/>\n",
                        kLeft, top_, bottom, kLeft + kPlotWidth);
    text(kLeft + kPlotWidth / 2, bottom + 38, "middle", panel_.x.label);
    text(0, 0, "middle", panel_.y.label,
         fmt::format("transform=\"translate(16 {:.1f}) rotate(-90)\"", top_ + kPlotHeight / 2));
  }

  void curve(const PlotSeries& series) {
    const LineStyle style = line_style(series.style);
    std::string path;
    bool pen_down = false;
    const std::size_t count = std::min(series.x.size(), series.y.size());
    for (std::size_t i = 0; i < count; ++i) {
      const bool shown = x_.shows(series.x[i]) && y_.shows(series.y[i]);
      if (shown) {
        path += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", x_.at(series.x[i]), y_.at(series.y[i]));
      }
      pen_down = shown;
    }
    if (path.empty()) return;
    out_ += fmt::format("<path class=\"curve\" d=\"{}\" fill=\"none\" {}/>\n", path, stroke(style));
    for (const std::size_t i : series.marked) {
      if (i < count && x_.shows(series.x[i]) && y_.shows(series.y[i])) {
        marker(style, x_.at(series.x[i]), y_.at(series.y[i]));
      }
    }
  }

  static std::string stroke(const LineStyle& style) {
    std::string out =
        fmt::format("stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"", style.colour, style.width);
    if (!style.dash.empty()) out += fmt::format(" stroke-dasharray=\"{}\"", style.dash);
    return out;
  }

  void marker(const LineStyle& style, double x, double y) {
    constexpr std::string_view kShapes[] = {
        "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
        "m-3.2-3.2h6.4v6.4h-6.4z",
        "m0-4.2l4 7h-8z",
        "m0-4.4l4.4 4.4l-4.4 4.4l-4.4-4.4z",
        "m-3.2-3.2l6.4 6.4m0-6.4l-6.4 6.4",
        "m-4 0h8m-4-4v8",
    };
    if (style.marker < 0) return;
    out_ +=
        fmt::format("<path d=\"M{:.1f} {:.1f}{}\" fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"1.6\"/>\n", x,
                    y, kShapes[style.marker], style.colour);
  }

  void bars() {
    const double bottom = top_ + kPlotHeight;
    const double slot = kPlotWidth / static_cast<double>(panel_.bars.size());
    const double width = slot * 0.7 / static_cast<double>(std::max<std::size_t>(1, panel_.series.size()));
    for (std::size_t group = 0; group < panel_.bars.size(); ++group) {
      double x = kLeft + slot * (static_cast<double>(group) + 0.15);
      const PlotBars& bars = panel_.bars[group];
      text(x + slot * 0.35, bottom + 18, "middle", bars.label);
      for (std::size_t i = 0; i < std::min(bars.heights.size(), panel_.series.size()); ++i, x += width) {
        if (!y_.shows(bars.heights[i])) continue;
        const double y = y_.at(bars.heights[i]);
        out_ +=
            fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                        x, y, width - 2, bottom - y, line_style(panel_.series[i].style).colour);
        text(x + width / 2 - 1, y - 5, "middle", y_.text(std::round(bars.heights[i] * 1000) / 1000));
      }
    }
  }

  void legend() {
    double y = top_ + 8;
    for (const PlotSeries& series : panel_.series) {
      const LineStyle style = line_style(series.style);
      out_ += fmt::format("<path d=\"M{:.1f} {:.1f}h30\" fill=\"none\" {}/>\n", kLegend, y, stroke(style));
      if (!series.marked.empty()) marker(style, kLegend + 15, y);
      text(kLegendText, y + 4, "start", series.label);
      y += kLegendLine;
    }
  }

  const PlotPanel& panel_;
  double top_;
  std::string& out_;
  SvgScale x_;
  SvgScale y_;
};

}  // namespace

std::string svg_figure(const PlotFigure& figure) {
  double width = kLeastWidth;
  double height = 40;
  for (const PlotPanel& panel : figure.panels) {
    height += PanelDrawing::height(panel);
    for (const PlotSeries& series : panel.series) width = std::max(width, legend_end(series.label));
  }
  if (!figure.note.empty()) height += 22;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" "
      "role=\"img\" font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\" font-size=\"12\" "
      "fill=\"#222222\">\n"
      "<title>{2}</title>\n<desc>{3}</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
      "<text x=\"16\" y=\"28\" font-size=\"17\" font-weight=\"bold\">{2}</text>\n",
      width, height, html_escaped(figure.title), html_escaped(figure.note));
  double top = 40;
  for (const PlotPanel& panel : figure.panels) {
    PanelDrawing(panel, top, out).draw();
    top += PanelDrawing::height(panel);
  }
  if (!figure.note.empty()) {
    out += fmt::format("<text x=\"16\" y=\"{:.1f}\" font-size=\"11\" fill=\"#555555\">{}</text>\n",
                       height - 10, html_escaped(figure.note));
  }
  return out + "</svg>\n";
}

}  // namespace bowerbird
