#include "dash/lab_data.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "dash/lab_curves.h"
#include "dash/lab_series.h"
#include "lab/figures.h"
#include "lab/json_values.h"
#include "lab/table_sections.h"

namespace bowerbird {
namespace {

using Json = nlohmann::ordered_json;

Json spread_json(const RunGroup& group, const Figure& figure) {
  const Spread spread = spread_of(group, figure);
  Json json = {{"mean", json_number(spread.mean)}};
  if (group.repeats.size() > 1) {
    json["min"] = json_number(spread.min);
    json["max"] = json_number(spread.max);
    json["margin"] = json_number(spread.margin);
  }
  return json;
}

// One curve: at(run, i) at each of `count` points.
template <typename At>
Json curve_json(const RunGroup& group, std::size_t count, const At& at) {
  Json mean = Json::array();
  Json least = Json::array();
  Json most = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    const Spread spread = spread_of(group, [&](const RunResult& run) { return at(run, i); });
    mean.push_back(json_number(spread.mean));
    least.push_back(json_number(spread.min));
    most.push_back(json_number(spread.max));
  }
  Json json = {{"mean", std::move(mean)}};
  if (group.repeats.size() > 1) {
    json["min"] = std::move(least);
    json["max"] = std::move(most);
  }
  return json;
}

double sampled(const RunResult& run, std::size_t i, SampleValue value) {
  return i < run.frontier.size() ? value(run, run.frontier[i]) : std::numeric_limits<double>::quiet_NaN();
}

// The AUC of each ordering minus that of the best, repeat by repeat; nothing for the best itself.
Json difference_json(const LabReport& report, const RunGroup& group, const RunGroup* best) {
  const auto aucs = auc_figures(report);
  if (best == nullptr || best == &group || aucs.empty() || report.repeat == 1) return nullptr;
  const Spread spread = paired_difference(group, *best, aucs.front().figure);
  return {{"mean", json_number(spread.mean)}, {"margin", json_number(spread.margin)}};
}

Json run_json(const LabReport& report, const RunGroup& group, std::size_t series, const RunGroup* best) {
  Json json = {{"series", series}, {"repeats", group.repeats.size()}};
  json["difference"] = difference_json(report, group, best);
  json["partial"] = std::any_of(group.repeats.begin(), group.repeats.end(),
                                [](const RunResult& run) { return run.stopped; });
  Json& figures = json["figures"] = Json::object();
  for (const auto& list :
       {auc_figures(report), cost_figures(), budget_figures(report), team_figures(report)}) {
    for (const NamedFigure& figure : list) figures[figure.name] = spread_json(group, figure.figure);
  }
  figures["crawled"] =
      spread_json(group, [](const RunResult& run) { return static_cast<double>(run.crawled); });
  Json& curves = json["curves"] = Json::object();
  for (const CurveFigure& figure : curve_figures(report)) {
    curves[figure.name] = curve_json(group, report.points.size(),
                                     [&](const RunResult& run, std::size_t i) { return figure.at(run, i); });
  }
  std::size_t samples = 0;
  for (const RunResult& run : group.repeats) samples = std::max(samples, run.frontier.size());
  if (samples > 0) {
    curves["queue"] = curve_json(
        group, samples, [](const RunResult& run, std::size_t i) { return sampled(run, i, queue_share); });
    curves["seconds"] = curve_json(group, samples, [](const RunResult& run, std::size_t i) {
      return sampled(run, i, scheduling_seconds);
    });
  }
  Json& found = json["found"] = Json::array();
  for (const std::uint64_t when : group.repeats.front().scores.found) {
    found.push_back(when == 0 ? Json(nullptr) : Json(when));
  }
  return json;
}

Json bins_json(const Histogram& histogram) {
  Json bins = Json::array();
  for (const HistogramBin& bin : log_bins(histogram)) {
    if (bin.count > 0) bins.push_back({bin.first, bin.last, bin.count});
  }
  return bins;
}

Json stats_json(const GraphStats& stats) {
  Json json = {{"mean_out", json_number(stats.out.mean())},
               {"median_out", stats.out.quantile(0.5)},
               {"max_out", stats.out.largest()},
               {"dangling", stats.dangling},
               {"self_loops", stats.self_loops},
               {"out", bins_json(stats.out)}};
  if (stats.in) {
    json["max_in"] = stats.in->largest();
    json["no_in"] = stats.no_in_links();
    json["in"] = bins_json(*stats.in);
  }
  return json;
}

Json graph_json(const LabReport& report, std::span<const LabSeries> series) {
  Json json = {{"name", report.name},
               {"pages", report.facts.pages},
               {"links", json_known(report.facts.links)},
               {"reachable", json_known(report.facts.reachable)},
               {"hosts", json_known(report.facts.hosts)},
               {"interhost", json_known(report.facts.interhost)},
               {"reachable_by_run", report.reachable_by_run},
               {"seeds", report.seeds},
               {"seed_spec", report.seed_spec},
               {"importance", report.importance},
               {"repeat", report.repeat},
               {"random_seed", report.random_seed},
               {"page_budget", report.page_budget},
               {"complete", report.complete()},
               {"notes", report.notes},
               {"wall_seconds", json_number(report.seconds)},
               {"peak_memory", report.peak_memory}};
  if (report.importance != "none") {
    json["threshold"] = {{"importance", report.threshold}, {"pages", report.threshold_pages}};
  }
  json["stats"] = report.stats ? stats_json(*report.stats) : Json(nullptr);
  json["best"] = Json::array();
  for (const BestPage& best : report.best) {
    json["best"].push_back({{"page", best.page}, {"url", best.name}, {"importance", best.importance}});
  }
  json["points"] = report.points.at();
  json["checkpoints"] = Json::array();
  for (std::size_t i = 0; i < kCheckpoints.size(); ++i) {
    json["checkpoints"].push_back(
        {{"percent", kCheckpoints[i].percent}, {"key", kCheckpoints[i].key}, {"point", report.points.of(i)}});
  }
  json["redrawn"] = report.redrawn;
  json["runs"] = Json::array();
  const std::vector<const RunGroup*> rows = quality_table(report).rows;
  const RunGroup* best = rows.empty() || rows.front()->baseline ? nullptr : rows.front();
  for (std::size_t i = 0; i < series.size(); ++i) {
    for (const RunGroup& group : report.groups) {
      if (label_of(group) == series[i].label) json["runs"].push_back(run_json(report, group, i, best));
    }
  }
  return json;
}

}  // namespace

std::string lab_data(std::span<const LabReport> reports, const ReportOrigin& origin) {
  const std::vector<LabSeries> series = lab_series(reports);
  Json json = {{"command", origin.command}, {"version", origin.version}, {"written", origin.written}};
  json["series"] = Json::array();
  for (const LabSeries& one : series) {
    json["series"].push_back({{"label", one.label},
                              {"policy", one.policy},
                              {"strategy", one.strategy},
                              {"summary", one.summary},
                              {"paper", one.paper},
                              {"baseline", one.baseline},
                              {"style", one.style}});
  }
  json["graphs"] = Json::array();
  for (const LabReport& report : reports) json["graphs"].push_back(graph_json(report, series));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace bowerbird
