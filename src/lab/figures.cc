#include "lab/figures.h"

#include <algorithm>
#include <limits>
#include <span>

namespace bowerbird {
namespace {

// Every run of a report is measured by the same yardsticks, so the first run shows which.
const std::vector<Measured>& yardsticks(const LabReport& report) {
  static const std::vector<Measured> none;
  return report.groups.empty() ? none : report.groups.front().repeats.front().scores.measured;
}

bool vouched(const LabReport& report) {
  return !report.groups.empty() && !report.groups.front().repeats.front().scores.guaranteed.empty();
}

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

}  // namespace

std::size_t point_of(const LabReport& report, const RunResult& run, std::size_t i) {
  if (run.points.size() == report.points.size()) return i;  // there are 200 steps, or one per page
  const double share =
      ratio(static_cast<double>(report.points[i]), static_cast<double>(report.points.pages()));
  return run.points.first_at_least(
      static_cast<std::uint64_t>(share * static_cast<double>(run.points.pages())));
}

std::vector<CurveFigure> curve_figures(const LabReport& report) {
  std::vector<CurveFigure> figures;
  const auto add = [&](std::string name, auto curve) {
    figures.push_back({std::move(name), [&report, curve](const RunResult& run, std::size_t point) {
                         return curve(run.scores)[point_of(report, run, point)];
                       }});
  };
  const auto& measured = yardsticks(report);
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const std::string& name = measured[i].yardstick;
    add(i == 0 ? "cumulative" : name,
        [i](const Scores& scores) { return std::span(scores.measured[i].cumulative); });
    if (measured[i].hot.empty()) continue;
    add(i == 0 ? "hot" : "hot_" + name,
        [i](const Scores& scores) { return std::span(scores.measured[i].hot); });
  }
  if (!measured.empty()) add("threshold", [](const Scores& scores) { return std::span(scores.threshold); });
  if (vouched(report)) add("guaranteed", [](const Scores& scores) { return std::span(scores.guaranteed); });
  return figures;
}

std::vector<NamedFigure> auc_figures(const LabReport& report) {
  std::vector<NamedFigure> figures;
  const auto& measured = yardsticks(report);
  for (std::size_t i = 0; i < measured.size(); ++i) {
    figures.push_back({i == 0 ? "auc" : "auc_" + measured[i].yardstick,
                       [i](const RunResult& run) { return run.scores.measured[i].auc; }});
  }
  return figures;
}

std::vector<NamedFigure> team_figures(const LabReport& report) {
  const bool shared = std::any_of(report.groups.begin(), report.groups.end(),
                                  [](const RunGroup& group) { return group.team.procs > 0; });
  if (!shared) return {};
  const auto of_team = [](double (TeamFigures::*figure)() const) {
    return [figure](const RunResult& run) {
      return run.team ? ((*run.team).*figure)() : std::numeric_limits<double>::quiet_NaN();
    };
  };
  return {{"overlap", of_team(&TeamFigures::overlap)},
          {"exchanged", of_team(&TeamFigures::exchanged_per_page)},
          {"exchanged_bytes", of_team(&TeamFigures::bytes_per_page)},
          {"balance", of_team(&TeamFigures::balance)}};
}

std::vector<NamedFigure> budget_figures(const LabReport& report) {
  if (report.memory == 0) return {};
  const auto count = [](std::uint64_t ScoreQueue::SpillCounts::*which) {
    return [which](const RunResult& run) { return static_cast<double>(run.spilled.*which); };
  };
  return {{"spilled",
           [](const RunResult& run) {
             return ratio(static_cast<double>(run.spilled.peak), static_cast<double>(run.reachable));
           }},
          {"spill_entries", count(&ScoreQueue::SpillCounts::written)},
          {"returned", count(&ScoreQueue::SpillCounts::returned)},
          {"distance", [](const RunResult& run) { return run.spilled.rounding; }}};
}

std::vector<NamedFigure> cost_figures() {
  const auto share = [](std::uint64_t RunResult::*count) {
    return [count](const RunResult& run) {
      return ratio(static_cast<double>(run.*count), static_cast<double>(run.reachable));
    };
  };
  return {{"seconds", [](const RunResult& run) { return run.seconds; }},
          {"wall_seconds", [](const RunResult& run) { return run.wall_seconds; }},
          {"links_per_s",
           [](const RunResult& run) { return ratio(static_cast<double>(run.links), run.seconds); }},
          {"peak_queue", share(&RunResult::peak_queue)},
          {"revisits", share(&RunResult::revisits)},
          {"coverage", share(&RunResult::crawled)},
          {"dropped", [](const RunResult& run) { return static_cast<double>(run.dropped); }},
          {"dropped_worth", [](const RunResult& run) { return run.dropped_worth; }},
          {"peak_bytes", [](const RunResult& run) { return static_cast<double>(run.peak_bytes); }},
          {"bytes_per_page", [](const RunResult& run) {
             return ratio(static_cast<double>(run.peak_bytes), static_cast<double>(run.known));
           }}};
}

}  // namespace bowerbird
