// The series of a lab report: the label and style of each ordering with its strategy, the same on every graph
// of a report, in static figures and on the page.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lab/experiment.h"

namespace bowerbird {

struct LabSeries {
  std::string label;  // label_of() its groups: "fpr@100", "bfs sydney@8"
  std::string policy;
  std::string strategy;
  std::string summary;
  std::string paper;
  bool baseline = false;
  int style = 0;  // dash/style.h; the best by auc has 0, the next 1 ...
};

// All series of the reports: first those that ran on the most graphs, among them best mean AUC first;
// baselines last; if nothing is judged, in the planned order.
std::vector<LabSeries> lab_series(std::span<const LabReport> reports);

}  // namespace bowerbird
