// The static figures of a lab report: its main curves, and the figures of the papers if their orderings were
// run, drawn in the same way and named after them so that they can be compared.
#pragma once

#include <span>
#include <vector>

#include "dash/svg_plot.h"
#include "lab/experiment.h"

namespace bowerbird {

// Of one graph: "importance", "hot-pages", "queue", "scheduling-time", then those of paper_figures(). The
// series have the same style in all of `reports`, of which `report` is one.
std::vector<PlotFigure> lab_figures(const LabReport& report, std::span<const LabReport> reports);

// [000] 3 and 4; [002] 1, 3 to 9; [003] 4 to 6 and 8; [004] crawl & stop with and without threshold.
std::vector<PlotFigure> paper_figures(const LabReport& report);

}  // namespace bowerbird
