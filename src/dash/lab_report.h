// The files that `bowerbird lab --out DIR` writes for readers:
//   report.html           one self-contained page
//   figures/NAME.svg,pgf  static figures (lab_figures.h); with several graphs, in a folder for each
// Each file is written completely or not at all.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "dash/lab_data.h"
#include "lab/experiment.h"

namespace bowerbird {

std::string lab_page(std::span<const LabReport> reports, const ReportOrigin& origin);

// Creates the folder if it does not exist.
Status write_lab_report(const std::string& folder, std::span<const LabReport> reports,
                        const ReportOrigin& origin);

// The name of a graph as the name of a folder: lower-case letters, digits and hyphens.
std::string folder_name(std::string_view name);

}  // namespace bowerbird
