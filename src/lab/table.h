// A report as text tables: the quality of each ordering, best first, then its cost.
//
// The best value of a column is marked with '*'; the baselines (random, omniscient, ideal) are below a line
// and are never marked.
#pragma once

#include <string>

#include "lab/experiment.h"

namespace bowerbird {

struct TableOptions {
  bool details = false;  // also threshold and buffer, and the further yardsticks
  bool colour = false;   // the best values in bold
};

std::string report_table(const LabReport& report, const TableOptions& options = {});

}  // namespace bowerbird
