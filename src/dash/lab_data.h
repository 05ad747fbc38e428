// A lab report as the data of its page: every curve at every point, every figure with its spread, and what
// was run. Read by assets/lab.js alone; docs/lab.md describes results.json, which is for other programs.
#pragma once

#include <span>
#include <string>

#include "lab/experiment.h"

namespace bowerbird {

// What the lab itself does not know of a report.
struct ReportOrigin {
  std::string command;  // as it was typed
  std::string version;
  std::string written;  // when, "2026-01-31 12:00 UTC"
};

// JSON. Names are kept as they are, with what is not UTF-8 replaced.
std::string lab_data(std::span<const LabReport> reports, const ReportOrigin& origin);

}  // namespace bowerbird
