// The main table of a lab report for a paper: LaTeX, with the booktabs package.
//
// Pure functions; names may be hostile text and are escaped.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lab/experiment.h"

namespace bowerbird {

// Text that LaTeX prints as it is. What is not printable ASCII becomes '?': a paper's fonts and input
// encoding are not known.
std::string latex_escaped(std::string_view text);

// One tabular for each report that judges something, behind a comment that names its graph.
std::string latex_tables(std::span<const LabReport> reports);

}  // namespace bowerbird
