#include "dash/lab_curves.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "lab/figures.h"

namespace bowerbird {
namespace {

double along(const Points& points, std::uint64_t pages, CrawlAxis axis) {
  const auto count = static_cast<double>(pages);
  if (axis == CrawlAxis::kPages) return count;
  return count / std::max(1.0, static_cast<double>(points.pages()));
}

void mark_checkpoints(const LabReport& report, PlotSeries& series) {
  for (std::size_t i = 2; i < kCheckpoints.size(); ++i) series.marked.push_back(report.points.of(i));
}

}  // namespace

PlotSeries measured_series(const LabReport& report, const RunGroup& group, std::string_view curve,
                           CrawlAxis axis) {
  PlotSeries series;
  series.label = label_of(group);
  for (const CurveFigure& figure : curve_figures(report)) {
    if (figure.name != curve) continue;
    for (std::size_t i = 0; i < report.points.size(); ++i) {
      series.x.push_back(along(report.points, report.points[i], axis));
      series.y.push_back(spread_of(group, [&](const RunResult& run) { return figure.at(run, i); }).mean);
    }
    mark_checkpoints(report, series);
  }
  return series;
}

PlotSeries sampled_series(const LabReport& report, const RunGroup& group, SampleValue value, CrawlAxis axis) {
  PlotSeries series;
  series.label = label_of(group);
  std::size_t samples = group.repeats.front().frontier.size();
  for (const RunResult& run : group.repeats) samples = std::min(samples, run.frontier.size());
  for (std::size_t i = 0; i < samples; ++i) {
    const RunResult& first = group.repeats.front();
    series.x.push_back(along(first.points, first.frontier[i].pages, axis));
    series.y.push_back(
        spread_of(group, [&](const RunResult& run) { return value(run, run.frontier[i]); }).mean);
  }
  mark_checkpoints(report, series);
  return series;
}

std::string figure_note(const LabReport& report) {
  std::string note = fmt::format("{}: {}, {} ({}), importance {}", report.name,
                                 plural(report.facts.reachable.value_or(0), "reachable page"),
                                 plural(report.seeds, "seed"), report.seed_spec, report.importance);
  if (report.repeat > 1) note += fmt::format(", mean of {} crawls", report.repeat);
  return note;
}

}  // namespace bowerbird
