// The main table of a lab report for a paper: LaTeX, with the booktabs package.
//
// Pure functions; names may be hostile text and are escaped.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lab/experiment.h"

namespace bowerbird {

// Escapes text for LaTeX. Characters outside printable ASCII become '?', since a paper's fonts and input
// encoding are unknown.
std::string latex_escaped(std::string_view text);

// One tabular for each report that judges something, after a comment that names its graph.
std::string latex_tables(std::span<const LabReport> reports);

}  // namespace bowerbird
