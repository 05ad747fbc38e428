#include "lab/json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "lab/figures.h"
#include "lab/json_values.h"

namespace bowerbird {
namespace {

using Json = nlohmann::ordered_json;

// The 95 % confidence interval of the mean; null without repeats.
Json interval_json(const Spread& spread) {
  if (std::isnan(spread.margin)) return nullptr;
  return {json_number(spread.mean - spread.margin), json_number(spread.mean + spread.margin)};
}

Json spread_json(const Spread& spread) {
  return {{"min", json_number(spread.min)},
          {"max", json_number(spread.max)},
          {"sd", json_number(spread.deviation)},
          {"ci95", interval_json(spread)}};
}

Json team_json(const TeamOptions& team) {
  return {{"procs", team.procs},
          {"coordination", name_of(team.coordination)},
          {"partition", name_of(team.partitioning)},
          {"mode", name_of(team.mode)},
          {"rules", team.rules},
          {"batch", team.batch},
          {"replicate", team.replicate},
          {"learn", team.learn},
          {"scores", team.scores}};
}

// Mean values of a group, and their spread if it was repeated.
class GroupJson {
 public:
  GroupJson(const LabReport& report, const RunGroup& group) : report_(report), group_(group) {}

  Json make() {
    json_["policy"] = group_.policy;
    json_["strategy"] = group_.strategy;
    json_["importance"] = report_.importance;
    if (group_.team.procs > 0) json_["team"] = team_json(group_.team);
    add_curve("cumulative");
    add_curve("hot");
    if (auc_figures(report_).empty()) json_["auc"] = nullptr;
    for (const NamedFigure& figure : auc_figures(report_)) add(figure);
    for (const NamedFigure& figure : cost_figures()) add(figure);
    for (const NamedFigure& figure : budget_figures(report_)) add(figure);
    if (group_.team.procs > 0) {
      for (const NamedFigure& figure : team_figures(report_)) add(figure);
    }
    add({"crawled", [](const RunResult& run) { return static_cast<double>(run.crawled); }});
    add({"links", [](const RunResult& run) { return static_cast<double>(run.links); }});
    for (const CurveFigure& figure : curve_figures(report_)) {
      if (!json_.contains(figure.name)) add_curve(figure.name);
    }
    add_buffers();
    for (const auto& [name, unused] : group_.repeats.front().accounts) add_account(name);
    add_found();
    json_["baseline"] = group_.baseline;
    json_["partial"] = std::any_of(group_.repeats.begin(), group_.repeats.end(),
                                   [](const RunResult& run) { return run.stopped; });
    json_["repeats"] = group_.repeats.size();
    if (group_.repeats.size() > 1) json_["spread"] = std::move(spread_);
    return std::move(json_);
  }

 private:
  void add(const NamedFigure& figure) {
    const Spread spread = spread_of(group_, figure.figure);
    // Values that may be very small are not rounded.
    const bool small = figure.name == "distance" || figure.name == "dropped_worth";
    json_[figure.name] = small ? Json(spread.mean) : json_number(spread.mean);
    spread_[figure.name] = spread_json(spread);
  }

  void add_point(const std::string& name, const std::string& key, const Figure& figure) {
    const Spread spread = spread_of(group_, figure);
    json_[name][key] = json_number(spread.mean);
    spread_[name][key] = spread_json(spread);
  }

  void add_curve(const std::string& name) {
    json_[name] = Json::object();
    for (const CurveFigure& figure : curve_figures(report_)) {
      if (figure.name != name) continue;
      for (std::size_t i = 0; i < kCheckpoints.size(); ++i) {
        const std::size_t point = report_.points.of(i);
        add_point(name, std::string(kCheckpoints[i].key),
                  [&](const RunResult& run) { return figure.at(run, point); });
      }
    }
  }

  void add_buffers() {
    if (report_.buffers.empty()) return;
    for (std::size_t i = 0; i < report_.buffers.size(); ++i) {
      add_point("buffer", report_.buffers[i], [i](const RunResult& run) { return run.scores.buffer[i]; });
    }
  }

  // When the first repeat crawled each of the best pages.
  void add_found() {
    json_["found"] = Json::array();
    for (const std::uint64_t when : group_.repeats.front().scores.found) {
      json_["found"].push_back(when == 0 ? Json(nullptr) : Json(when));
    }
  }

  void add_account(const std::string& name) {
    add_point("accounts", name, [&](const RunResult& run) {
      for (const auto& [other, value] : run.accounts) {
        if (other == name) return value;
      }
      return std::numeric_limits<double>::quiet_NaN();
    });
  }

  const LabReport& report_;
  const RunGroup& group_;
  Json json_ = Json::object();
  Json spread_ = Json::object();
};

// All pairs of orderings, repeat by repeat; none if nothing is judged or repeated.
Json differences_json(const LabReport& report) {
  Json json = Json::array();
  const auto aucs = auc_figures(report);
  if (aucs.empty() || report.repeat == 1) return json;
  for (std::size_t a = 0; a < report.groups.size(); ++a) {
    for (std::size_t b = a + 1; b < report.groups.size(); ++b) {
      const Spread spread = paired_difference(report.groups[a], report.groups[b], aucs.front().figure);
      json.push_back({{"ordering", label_of(report.groups[a])},
                      {"minus", label_of(report.groups[b])},
                      {"auc", json_number(spread.mean)},
                      {"ci95", interval_json(spread)}});
    }
  }
  return json;
}

Json one_report(const LabReport& report) {
  Json json;
  json["graph"] = {
      {"name", report.name},
      {"pages", report.facts.pages},
      {"links", json_known(report.facts.links)},
      {"reachable", json_known(report.facts.reachable)},
      {"hosts", json_known(report.facts.hosts)},
      {"interhost", report.facts.interhost ? json_number(*report.facts.interhost) : Json(nullptr)},
      {"reachable_by_run", report.reachable_by_run}};
  json["seeds"] = report.seeds;
  json["seed_spec"] = report.seed_spec;
  json["seeds_redrawn"] = report.redrawn;
  if (!curve_figures(report).empty()) {
    json["hot_threshold"] = {{"importance", report.threshold}, {"pages", report.threshold_pages}};
  }
  json["best_pages"] = Json::array();
  for (const BestPage& best : report.best) {
    json["best_pages"].push_back({{"page", best.page},
                                  {"url", best.name.empty() ? Json(nullptr) : Json(best.name)},
                                  {"importance", best.importance}});
  }
  json["complete"] = report.complete();
  json["wall_seconds"] = json_number(report.seconds);
  json["peak_memory"] = report.peak_memory;
  json["memory_budget"] = report.memory == 0 ? Json(nullptr) : Json(report.memory);
  json["notes"] = report.notes;
  json["runs"] = Json::array();
  for (const RunGroup& group : report.groups) json["runs"].push_back(GroupJson(report, group).make());
  json["differences"] = differences_json(report);
  return json;
}

}  // namespace

std::string report_json(std::span<const LabReport> reports, const ReportOrigin& origin) {
  Json json = {{"version", origin.version}, {"command", origin.command}, {"date", origin.written}};
  if (reports.size() == 1) {
    json.update(one_report(reports.front()));
  } else {
    json["experiments"] = Json::array();
    for (const LabReport& report : reports) json["experiments"].push_back(one_report(report));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace bowerbird
