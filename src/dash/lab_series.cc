#include "dash/lab_series.h"

#include <algorithm>
#include <cmath>

#include "dash/style.h"
#include "lab/figures.h"

namespace bowerbird {
namespace {

struct Ranked {
  LabSeries series;
  double sum = 0;  // of auc
  unsigned graphs = 0;
  double mean() const { return graphs > 0 ? sum / graphs : -1; }
};

int baseline_style(const std::string& policy) {
  if (policy == "random") return kRandomStyle;
  return policy == "ideal" ? kIdealStyle : kOmniscientStyle;
}

}  // namespace

std::vector<LabSeries> lab_series(std::span<const LabReport> reports) {
  std::vector<Ranked> all;
  for (const LabReport& report : reports) {
    const auto figures = auc_figures(report);
    for (const RunGroup& group : report.groups) {
      const std::string label = label_of(group);
      auto known = std::find_if(all.begin(), all.end(),
                                [&](const Ranked& ranked) { return ranked.series.label == label; });
      if (known == all.end()) {
        all.push_back(
            {{label, group.policy, group.strategy, group.summary, group.paper, group.baseline, 0}, 0, 0});
        known = all.end() - 1;
      }
      if (figures.empty()) continue;
      const double auc = spread_of(group, figures.front().figure).mean;
      if (std::isnan(auc)) continue;
      known->sum += auc;
      ++known->graphs;
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Ranked& a, const Ranked& b) {
    if (a.series.baseline != b.series.baseline) return b.series.baseline;
    if (a.graphs != b.graphs) return a.graphs > b.graphs;
    return a.mean() > b.mean();
  });
  std::vector<LabSeries> series;
  int style = 0;
  for (Ranked& ranked : all) {
    ranked.series.style = ranked.series.baseline ? baseline_style(ranked.series.policy) : style++;
    series.push_back(std::move(ranked.series));
  }
  return series;
}

}  // namespace bowerbird
