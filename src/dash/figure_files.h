// Writes figures as files: NAME.svg to view, NAME.pgf for LaTeX.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "dash/svg_plot.h"

namespace bowerbird {

// Creates the folder if it does not exist. Each file is written completely or not at all.
Status write_figures(const std::string& folder, std::span<const PlotFigure> figures);

}  // namespace bowerbird
