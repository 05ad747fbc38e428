#include "dash/refresh_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "dash/figure_files.h"
#include "dash/page.h"
#include "dash/style.h"
#include "lab/json_values.h"
#include "lab/refresh/output.h"
#include "sys/write_file.h"

namespace bowerbird {
namespace {

using RefreshJson = nlohmann::ordered_json;
using OfMeans = double RefreshMeans::*;

struct RefreshCurve {
  const char* name;
  OfMeans of;
};
constexpr std::array<RefreshCurve, 6> kRefreshCurves = {{{"freshness", &RefreshMeans::freshness},
                                                         {"age", &RefreshMeans::age},
                                                         {"held", &RefreshMeans::held},
                                                         {"freshness_equal", &RefreshMeans::freshness_equal},
                                                         {"age_equal", &RefreshMeans::age_equal},
                                                         {"held_equal", &RefreshMeans::held_equal}}};

// "index-age (learned)"
std::string policy_label(const RefreshGroup& group) {
  if (!group.uses_rates) return group.policy;
  return fmt::format("{} ({})", group.policy, group.known_rates ? "known" : "learned");
}

// A policy has the same style at every budget.
int style_of(const RefreshReport& report, const RefreshGroup& group) {
  std::vector<std::string> labels;
  for (const RefreshGroup& other : report.groups) {
    const std::string label = policy_label(other);
    if (label == policy_label(group)) break;
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
  }
  return static_cast<int>(labels.size());
}

std::vector<double> budgets_of(const RefreshReport& report) {
  std::vector<double> budgets;
  for (const RefreshGroup& group : report.groups) {
    if (std::find(budgets.begin(), budgets.end(), group.per_day) == budgets.end()) {
      budgets.push_back(group.per_day);
    }
  }
  return budgets;
}

double day_of(const RefreshReport& report, std::size_t slice) {
  return (static_cast<double>(slice) + 0.5) * report.run.days / static_cast<double>(report.run.slices);
}

Spread at_slice(const RefreshGroup& group, std::size_t slice, OfMeans of) {
  std::vector<double> values;
  for (const RefreshResult& result : group.repeats) values.push_back(result.curve[slice].*of);
  return spread_of(values);
}

RefreshJson curve_json(const RefreshReport& report, const RefreshGroup& group, OfMeans of) {
  RefreshJson json = {
      {"mean", RefreshJson::array()}, {"min", RefreshJson::array()}, {"max", RefreshJson::array()}};
  for (std::size_t slice = 0; slice < report.run.slices; ++slice) {
    const Spread spread = at_slice(group, slice, of);
    json["mean"].push_back(json_number(spread.mean));
    json["min"].push_back(json_number(spread.min));
    json["max"].push_back(json_number(spread.max));
  }
  return json;
}

std::string data_of(const RefreshReport& report, const ReportOrigin& origin) {
  RefreshJson json = RefreshJson::parse(refresh_json(report));
  json["command"] = origin.command;
  json["version"] = origin.version;
  json["written"] = origin.written;
  json["points"] = RefreshJson::array();
  for (std::size_t slice = 0; slice < report.run.slices; ++slice)
    json["points"].push_back(day_of(report, slice));
  for (std::size_t i = 0; i < report.groups.size(); ++i) {
    const RefreshGroup& group = report.groups[i];
    RefreshJson& run = json["runs"][i];
    run["label"] = policy_label(group);
    run["style"] = style_of(report, group);
    run["summary"] = group.summary;
    for (const RefreshCurve& curve : kRefreshCurves) {
      run["curves"][curve.name] = curve_json(report, group, curve.of);
    }
  }
  return json.dump(-1, ' ', false, RefreshJson::error_handler_t::replace);
}

std::string note_of(const RefreshReport& report) {
  std::string note = fmt::format("{}: {} pages, importance {}, rates {}", report.name,
                                 format_count(report.pages), report.importance, report.rates);
  if (report.repeat > 1) note += fmt::format(", mean of {} runs", report.repeat);
  return note;
}

// optimum: drawn together with the policies, if it is known.
PlotFigure over_time(const RefreshReport& report, std::string name, std::string title, const PlotAxis& y,
                     OfMeans of, double RefreshOptimum::*optimum = nullptr) {
  PlotFigure figure{std::move(name), std::move(title), note_of(report), {}};
  for (const double budget : budgets_of(report)) {
    PlotPanel panel{
        fmt::format("{:g} fetches per day", budget), {"day", false, false, 0, report.run.days}, y, {}, {}};
    for (const RefreshGroup& group : report.groups) {
      if (group.per_day != budget) continue;
      PlotSeries series;
      series.label = policy_label(group);
      series.style = style_of(report, group);
      for (std::size_t slice = 0; slice < report.run.slices; ++slice) {
        series.x.push_back(day_of(report, slice));
        series.y.push_back(at_slice(group, slice, of).mean);
      }
      panel.series.push_back(std::move(series));
    }
    for (const RefreshOptimum& best : report.optimum) {
      if (optimum == nullptr || best.per_day != budget) continue;
      panel.series.push_back(
          {"optimum", {0, report.run.days}, {best.*optimum, best.*optimum}, kOmniscientStyle});
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

// One curve per policy, one point per budget.
PlotFigure tradeoff(const RefreshReport& report) {
  PlotPanel panel{"", {"freshness", false, true, 0, 1}, {"age in days", true, false, {}, {}}, {}, {}};
  for (const RefreshGroup& group : report.groups) {
    const std::string label = policy_label(group);
    auto at = std::find_if(panel.series.begin(), panel.series.end(),
                           [&](const PlotSeries& series) { return series.label == label; });
    if (at == panel.series.end()) {
      PlotSeries series;
      series.label = label;
      series.style = style_of(report, group);
      at = panel.series.insert(at, std::move(series));
    }
    at->marked.push_back(at->x.size());
    at->x.push_back(spread_of(group, [](const RefreshResult& r) { return r.means.freshness; }).mean);
    at->y.push_back(spread_of(group, [](const RefreshResult& r) { return r.means.age; }).mean);
  }
  return {"tradeoff", "Freshness and age, by budget", note_of(report), {std::move(panel)}};
}

}  // namespace

std::vector<PlotFigure> refresh_plots(const RefreshReport& report) {
  const PlotAxis fresh{"freshness", false, true, 0, 1};
  const PlotAxis old{"age in days", false, false, 0, {}};
  return {over_time(report, "freshness", "Freshness over time", fresh, &RefreshMeans::freshness,
                    &RefreshOptimum::freshness),
          over_time(report, "age", "Age over time", old, &RefreshMeans::age, &RefreshOptimum::age),
          over_time(report, "freshness-equal", "Freshness over time, unweighted", fresh,
                    &RefreshMeans::freshness_equal),
          over_time(report, "age-equal", "Age over time, unweighted", old, &RefreshMeans::age_equal),
          tradeoff(report)};
}

std::string refresh_page(const RefreshReport& report, const ReportOrigin& origin) {
  PageParts parts;
  parts.title = fmt::format("Which pages again? {}", report.name);
  parts.description = "How fresh each refresh policy keeps the pages of a web: a Bowerbird lab report.";
  parts.data = data_of(report, origin);
  parts.script = "refresh.js";
  parts.without_script = refresh_table(report);
  return html_page(parts);
}

Status write_refresh_report(const std::string& folder, const RefreshReport& report,
                            const ReportOrigin& origin) {
  BB_TRY_VOID(make_folder(folder));
  BB_TRY_VOID(write_file(folder + "/report.html", refresh_page(report, origin)));
  return write_figures(folder + "/figures", refresh_plots(report));
}

}  // namespace bowerbird
