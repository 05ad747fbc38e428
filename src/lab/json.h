// A report as one object of JSON, on one line; docs/lab.md describes every key.
#pragma once

#include <span>
#include <string>

#include "lab/experiment.h"

namespace bowerbird {

// One report is the object itself; several are {"experiments":[...]}.
std::string report_json(std::span<const LabReport> reports);

}  // namespace bowerbird
