// A refresh report as text and as files for other programs.
//
//   runs.csv      one line per run: its figures
//   table.tex     the table, in LaTeX
//   curves.csv    freshness and age over time, one line for each run and slice
//   results.json  what --json prints
// Each file is written whole or not at all.
#pragma once

#include <string>

#include "base/result.h"
#include "lab/refresh/experiment.h"

namespace bowerbird {

// One line per group, by budget; '*' marks the largest freshness and the smallest age of a budget.
std::string refresh_table(const RefreshReport& report);
// The same for a paper, with the booktabs package; the best values are bold.
std::string refresh_latex(const RefreshReport& report);
// One object: the graph, the setting, `runs` with the mean of each figure, its 95 % confidence interval if it
// was repeated, and the exact values; and `optimum` with the best possible values at each budget.
std::string refresh_json(const RefreshReport& report);
// Creates the folder if it does not exist.
Status write_refresh_files(const std::string& folder, const RefreshReport& report);

}  // namespace bowerbird
