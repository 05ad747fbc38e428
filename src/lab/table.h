// A report as people read it: what each ordering got, best first, then what it cost.
//
// The best value of a column is marked with '*'; the baselines (random, omniscient, ideal) stand below a line
// and are never marked.
#pragma once

#include <string>
#include <string_view>

#include "lab/experiment.h"

namespace bowerbird {

struct TableOptions {
  bool details = false;  // also threshold and buffer, and the further yardsticks
  bool colour = false;   // the best values in bold
};

std::string report_table(const LabReport& report, const TableOptions& options = {});

}  // namespace bowerbird
