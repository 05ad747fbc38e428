// The files that `bowerbird lab refresh --out DIR` writes for readers:
//   report.html           one self-contained page
//   figures/NAME.svg,pgf  static figures (refresh_plots)
// Each file is written completely or not at all.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "dash/svg_plot.h"
#include "lab/origin.h"
#include "lab/refresh/experiment.h"

namespace bowerbird {

std::string refresh_page(const RefreshReport& report, const ReportOrigin& origin);
// "freshness" and "age" over time, by importance and equally weighted ("-equal"), a panel per budget; and
// "tradeoff": age against freshness.
std::vector<PlotFigure> refresh_plots(const RefreshReport& report);

// Creates the folder if it does not exist.
Status write_refresh_report(const std::string& folder, const RefreshReport& report,
                            const ReportOrigin& origin);

}  // namespace bowerbird
