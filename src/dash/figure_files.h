// Figures as files of a report: NAME.svg to look at, NAME.pgf for LaTeX.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "dash/svg_plot.h"

namespace bowerbird {

// Makes the folder if it is not there. Each file is written whole or not at all.
Status write_figures(const std::string& folder, std::span<const PlotFigure> figures);

}  // namespace bowerbird
