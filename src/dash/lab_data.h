// A lab report as the data of its page: every curve at every point, every figure with its spread, and what
// was run. Read by assets/lab.js alone; docs/lab.md describes results.json, which is for other programs.
#pragma once

#include <span>
#include <string>

#include "lab/experiment.h"
#include "lab/origin.h"

namespace bowerbird {

// JSON. Names are kept as they are, with what is not UTF-8 replaced.
std::string lab_data(std::span<const LabReport> reports, const ReportOrigin& origin);

}  // namespace bowerbird
