// Small static figures as SVG: curves and bars with axes and a legend, for papers and documents.
//
// Labels may be hostile text and are escaped; values that are not finite, or not positive on a logarithmic
// axis, leave a gap. Pure function; the same input gives the same bytes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bowerbird {

struct PlotSeries {
  std::string label;
  std::vector<double> x;
  std::vector<double> y;                 // parallel to x
  int style = 0;                         // dash/style.h
  std::vector<std::size_t> marked = {};  // indices that get a marker
};

struct PlotAxis {
  std::string label;
  bool log = false;
  bool percent = false;              // 0.25 is shown as 25 %
  std::optional<double> least = {};  // else from the values
  std::optional<double> most = {};
};

struct PlotBars {
  std::string label;            // of the group
  std::vector<double> heights;  // one per series
};

// One pair of axes: curves, or bars in groups.
struct PlotPanel {
  std::string title;
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series;
  std::vector<PlotBars> bars;  // if not empty, the series only give labels and styles
};

struct PlotFigure {
  std::string name;               // of its file: "000-figure-4"
  std::string title;              // what it shows
  std::string note;               // graph and method; below the panels
  std::vector<PlotPanel> panels;  // one below the other
};

std::string svg_figure(const PlotFigure& figure);

// The ticks between least and most: multiples of 1, 2 or 5 times a power of ten, or on a logarithmic axis
// powers of ten (and 2 and 5 times these if there are few).
std::vector<double> axis_ticks(double least, double most, bool log);

}  // namespace bowerbird
