// Curves of a lab report for the static figures: means over the repeats.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "dash/svg_plot.h"
#include "lab/experiment.h"

namespace bowerbird {

enum class CrawlAxis { kShare, kPages };

// A curve of the measurements ("cumulative", "hot" ...), with markers at the checkpoints; empty if it was not
// measured.
PlotSeries measured_series(const LabReport& report, const RunGroup& group, std::string_view curve,
                           CrawlAxis axis = CrawlAxis::kShare);

// A curve of the samples taken during the crawl.
using SampleValue = double (*)(const RunResult&, const FrontierSample&);
PlotSeries sampled_series(const LabReport& report, const RunGroup& group, SampleValue value,
                          CrawlAxis axis = CrawlAxis::kShare);

inline double queue_length(const RunResult&, const FrontierSample& at) {
  return static_cast<double>(at.primary + at.secondary);
}
inline double scheduling_seconds(const RunResult&, const FrontierSample& at) {
  return at.seconds;
}
// A number of pages as a share of the reachable ones.
inline double reachable_share(const RunResult& run, std::uint64_t pages) {
  return static_cast<double>(pages) / static_cast<double>(std::max<std::uint64_t>(1, run.reachable));
}
inline double queue_share(const RunResult& run, const FrontierSample& at) {
  return reachable_share(run, at.primary + at.secondary);
}

// "cnr-2000: 325,557 pages, 160 seeds (top:160), importance pagerank, mean of 3"
std::string figure_note(const LabReport& report);

}  // namespace bowerbird
