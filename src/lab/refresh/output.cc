#include "lab/refresh/output.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "lab/json_values.h"
#include "sys/write_file.h"

namespace bowerbird {
namespace {

using Json = nlohmann::ordered_json;

Json group_json(const RefreshGroup& group) {
  Json json = {{"policy", group.policy},
               {"budget", json_number(group.per_day)},
               {"rates", group.uses_rates ? Json(rates_word(group)) : Json()},
               {"exact", group.exact ? json_number(group.exact->freshness) : Json()},
               {"exact_age", group.exact ? json_number(group.exact->age) : Json()},
               {"never", group.exact ? Json(group.exact->never) : Json()}};
  for (const RefreshFigure& figure : refresh_figures()) {
    json[std::string(figure.name)] = json_number(spread_of(group, figure.of).mean);
  }
  json["repeats"] = group.repeats.size();
  if (group.repeats.size() < 2) return json;
  for (const RefreshFigure& figure : refresh_figures()) {
    const Spread spread = spread_of(group, figure.of);
    json["spread"][std::string(figure.name)] = {{"min", json_number(spread.min)},
                                                {"max", json_number(spread.max)},
                                                {"sd", json_number(spread.deviation)},
                                                {"margin", json_number(spread.margin)}};
  }
  return json;
}

std::string csv_cell(double value) {
  return std::isfinite(value) ? fmt::format("{:.8g}", value) : std::string();
}

constexpr std::string_view kWhichRun = "policy,rates,per_day,repeat";
std::string which_run(const RefreshGroup& group, std::size_t repeat) {
  return fmt::format("{},{},{:g},{}", group.policy, rates_word(group), group.per_day, repeat);
}

std::string runs_csv(const RefreshReport& report) {
  std::string text(kWhichRun);
  for (const RefreshFigure& figure : refresh_figures()) text.append(",").append(figure.name);
  text += ",exact,exact_age,never\n";
  for (const RefreshGroup& group : report.groups) {
    for (std::size_t i = 0; i < group.repeats.size(); ++i) {
      text += which_run(group, i);
      for (const RefreshFigure& figure : refresh_figures())
        text += "," + csv_cell(figure.of(group.repeats[i]));
      text += group.exact ? fmt::format(",{},{},{}\n", csv_cell(group.exact->freshness),
                                        csv_cell(group.exact->age), group.exact->never)
                          : ",,,\n";
    }
  }
  return text;
}

std::string curves_csv(const RefreshReport& report) {
  std::string text =
      fmt::format("{},day,freshness,age,held,freshness_equal,age_equal,held_equal\n", kWhichRun);
  for (const RefreshGroup& group : report.groups) {
    for (std::size_t i = 0; i < group.repeats.size(); ++i) {
      const auto& curve = group.repeats[i].curve;
      for (std::size_t slice = 0; slice < curve.size(); ++slice) {
        const RefreshMeans& at = curve[slice];
        const double day =
            (static_cast<double>(slice) + 0.5) * report.run.days / static_cast<double>(curve.size());
        text += fmt::format("{},{:g},{},{},{},{},{},{}\n", which_run(group, i), day, csv_cell(at.freshness),
                            csv_cell(at.age), csv_cell(at.held), csv_cell(at.freshness_equal),
                            csv_cell(at.age_equal), csv_cell(at.held_equal));
      }
    }
  }
  return text;
}

}  // namespace

std::string refresh_json(const RefreshReport& report) {
  Json json = {{"graph", report.name},
               {"pages", report.pages},
               {"hosts", report.hosts > 0 ? Json(report.hosts) : Json()},
               {"importance", report.importance},
               {"rates", report.rates},
               {"mean_rate", report.mean_rate},
               {"mean_rate_by_importance", report.important_mean_rate},
               {"days", report.run.days},
               {"warm_up", report.run.warm_up},
               {"discovery", report.run.discovery},
               {"dates", report.run.dates},
               {"min_interval", Days(report.run.shortest).count()},
               {"max_interval", Days(report.run.longest).count()},
               {"repeat", report.repeat},
               {"seed", report.random_seed},
               {"complete", report.finished == report.planned}};
  json["runs"] = Json::array();
  for (const RefreshGroup& group : report.groups) json["runs"].push_back(group_json(group));
  json["optimum"] = Json::array();
  for (const RefreshOptimum& best : report.optimum) {
    json["optimum"].push_back({{"budget", json_number(best.per_day)},
                               {"freshness", json_number(best.freshness)},
                               {"age", json_number(best.age)}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Status write_refresh_files(const std::string& folder, const RefreshReport& report) {
  BB_TRY_VOID(make_folder(folder));
  BB_TRY_VOID(write_file(folder + "/runs.csv", runs_csv(report)));
  BB_TRY_VOID(write_file(folder + "/curves.csv", curves_csv(report)));
  BB_TRY_VOID(write_file(folder + "/table.tex", refresh_latex(report)));
  return write_file(folder + "/results.json", refresh_json(report) + "\n");
}

}  // namespace bowerbird
