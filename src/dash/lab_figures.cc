#include "dash/lab_figures.h"

#include <algorithm>

#include "dash/lab_curves.h"
#include "dash/lab_series.h"

namespace bowerbird {
namespace {

// Draws each group in its style of the report, best first.
template <typename Make>
std::vector<PlotSeries> styled(const LabReport& report, const std::vector<LabSeries>& looks,
                               const Make& make) {
  std::vector<PlotSeries> all;
  for (const LabSeries& look : looks) {
    for (const RunGroup& group : report.groups) {
      if (label_of(group) != look.label) continue;
      PlotSeries series = make(group);
      series.style = look.style;
      if (look.baseline) series.marked.clear();
      if (!series.x.empty()) all.push_back(std::move(series));
    }
  }
  return all;
}

const PlotAxis kShareCrawled = {"pages crawled, share of all reachable", false, true, 0, 1};

}  // namespace

std::vector<PlotFigure> lab_figures(const LabReport& report, std::span<const LabReport> reports) {
  const std::vector<LabSeries> looks = lab_series(reports);
  const std::string note = figure_note(report);
  std::vector<PlotFigure> figures;
  const auto add = [&](std::string name, std::string title, PlotAxis y, const auto& make) {
    PlotPanel panel{"", kShareCrawled, std::move(y), styled(report, looks, make), {}};
    if (panel.series.empty()) return;
    figures.push_back({std::move(name), std::move(title), note, {std::move(panel)}});
  };
  add("importance", "Importance collected while crawling",
      {"share of all importance (" + report.importance + ")", false, true, 0, 1},
      [&](const RunGroup& group) { return measured_series(report, group, "cumulative"); });
  add("hot-pages", "Hot pages: share of the K best pages among the first K",
      {"share of the K best pages", false, true, 0, 1},
      [&](const RunGroup& group) { return measured_series(report, group, "hot"); });
  add("queue", "Length of the queue", {"pages waiting, share of all reachable", false, true, 0, {}},
      [&](const RunGroup& group) { return sampled_series(report, group, queue_share); });
  add("scheduling-time", "Scheduling time", {"seconds in frontier and ordering", true, false, {}, {}},
      [&](const RunGroup& group) { return sampled_series(report, group, scheduling_seconds); });
  for (PlotFigure& figure : paper_figures(report)) figures.push_back(std::move(figure));
  return figures;
}

}  // namespace bowerbird
