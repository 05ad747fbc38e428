// Reports as tables for other programs, in a folder:
//   runs.csv      one line per run: what it measured at the checkpoints, and what it cost
//   curves.csv    the curves, at some 200 points a run
//   frontier.csv  |P|, |S| and |P|+|S| at the same points, and the scheduling time so far
//   results.json  what --json prints
//   table.tex     the main table for a paper
// Each file is written whole or not at all.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "lab/experiment.h"
#include "lab/origin.h"

namespace bowerbird {

// Makes the folder if it is not there.
Status write_reports(const std::string& folder, std::span<const LabReport> reports,
                     const ReportOrigin& origin);

}  // namespace bowerbird
