// The figures of svg_plot.h for a paper written in LaTeX: pgfplots, in the paper's own fonts, with the same
// colours, dashes and markers.
//
// Labels may be hostile text and are escaped. Pure function; the same input gives the same bytes.
#pragma once

#include <string>

#include "dash/svg_plot.h"

namespace bowerbird {

// One tikzpicture per panel.
std::string pgf_figure(const PlotFigure& figure);

}  // namespace bowerbird
