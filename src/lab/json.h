// A report as one JSON object, on one line; docs/lab.md describes every key.
#pragma once

#include <span>
#include <string>

#include "lab/experiment.h"
#include "lab/origin.h"

namespace bowerbird {

// One report is the object itself; several are in {"experiments":[...]}.
std::string report_json(std::span<const LabReport> reports, const ReportOrigin& origin);

}  // namespace bowerbird
