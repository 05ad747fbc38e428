// The data of a lab report's page: every curve at every point, every figure with its spread, and what was
// run. Only read by assets/lab.js; docs/lab.md describes results.json, which is for other programs.
#pragma once

#include <span>
#include <string>

#include "lab/experiment.h"
#include "lab/origin.h"

namespace bowerbird {

// JSON. Names are unchanged, except that invalid UTF-8 is replaced.
std::string lab_data(std::span<const LabReport> reports, const ReportOrigin& origin);

}  // namespace bowerbird
