#include "lab/csv.h"

#include <algorithm>
#include <cmath>

#include "lab/figures.h"
#include "lab/json.h"
#include "lab/latex.h"
#include "sys/write_file.h"

namespace bowerbird {
namespace {

// RFC 4180: specs contain commas, and the name of a graph can be anything.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  return out + "\"";
}

std::string cell(double value) {
  return std::isnan(value) ? std::string() : fmt::format("{:.8g}", value);
}

// The columns that identify a run.
constexpr std::string_view kWhich = "graph,policy,strategy,team,importance,repeat,seed";

std::string which(const LabReport& report, const RunGroup& group, std::size_t repeat) {
  return fmt::format("{},{},{},{},{},{},{}", quoted(report.name), quoted(group.policy),
                     quoted(group.strategy), quoted(label_of(group.team)), report.importance, repeat,
                     group.repeats[repeat].random_seed);
}

template <typename Body>
void each_run(std::span<const LabReport> reports, const Body& body) {
  for (const LabReport& report : reports) {
    for (const RunGroup& group : report.groups) {
      for (std::size_t repeat = 0; repeat < group.repeats.size(); ++repeat) {
        body(report, which(report, group, repeat), group.repeats[repeat]);
      }
    }
  }
}

// Names over all reports, in order of appearance: graphs without URLs lack some columns.
template <typename Named>
std::vector<std::string> all_names(std::span<const LabReport> reports, const Named& named) {
  std::vector<std::string> names;
  for (const LabReport& report : reports) {
    for (const auto& figure : named(report)) {
      if (std::find(names.begin(), names.end(), figure.name) == names.end()) names.push_back(figure.name);
    }
  }
  return names;
}

template <typename T>
const T* find_named(const std::vector<T>& list, const std::string& name) {
  const auto it = std::find_if(list.begin(), list.end(), [&](const T& item) { return item.name == name; });
  return it == list.end() ? nullptr : &*it;
}

std::vector<std::string> buffer_labels(std::span<const LabReport> reports) {
  std::vector<std::string> labels;
  for (const LabReport& report : reports) {
    for (const std::string& label : report.buffers) {
      if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
    }
  }
  return labels;
}

std::vector<NamedFigure> costs_of(const LabReport& report) {
  std::vector<NamedFigure> all = cost_figures();
  for (NamedFigure& figure : budget_figures(report)) all.push_back(std::move(figure));
  return all;
}

std::string runs_csv(std::span<const LabReport> reports) {
  const auto costs = all_names(reports, costs_of);
  const auto aucs = all_names(reports, auc_figures);
  const auto teams = all_names(reports, team_figures);
  const auto curves = all_names(reports, curve_figures);
  const auto labels = buffer_labels(reports);
  std::string text = fmt::format("{},partial,crawled,links", kWhich);
  for (const std::string& name : costs) text += "," + name;
  for (const std::string& name : aucs) text += "," + name;
  for (const std::string& name : teams) text += "," + name;
  for (const std::string& name : curves) {
    for (const Checkpoint& checkpoint : kCheckpoints) text += fmt::format(",{}_{}", name, checkpoint.key);
  }
  for (const std::string& label : labels) text += ",buffer_" + label;
  text += "\n";
  each_run(reports, [&](const LabReport& report, const std::string& id, const RunResult& run) {
    text += fmt::format("{},{},{},{}", id, run.stopped ? 1 : 0, run.crawled, run.links);
    const auto add = [&](const NamedFigure* figure) {
      text += "," + (figure ? cell(figure->figure(run)) : "");
    };
    const auto cost_list = costs_of(report);
    const auto auc_list = auc_figures(report);
    const auto team_list = team_figures(report);
    const auto curve_list = curve_figures(report);
    for (const std::string& name : costs) add(find_named(cost_list, name));
    for (const std::string& name : aucs) add(find_named(auc_list, name));
    for (const std::string& name : teams) add(find_named(team_list, name));
    for (const std::string& name : curves) {
      const CurveFigure* figure = find_named(curve_list, name);
      for (std::size_t i = 0; i < kCheckpoints.size(); ++i) {
        text += "," + (figure ? cell(figure->at(run, report.points.of(i))) : "");
      }
    }
    for (const std::string& label : labels) {
      const auto it = std::find(report.buffers.begin(), report.buffers.end(), label);
      text += ",";
      if (it != report.buffers.end()) {
        text += cell(run.scores.buffer[static_cast<std::size_t>(it - report.buffers.begin())]);
      }
    }
    text += "\n";
  });
  return text;
}

double share_of(const RunResult& run, std::uint64_t pages) {
  const std::uint64_t all = run.points.pages();
  return all == 0 ? 0 : static_cast<double>(pages) / static_cast<double>(all);
}

std::string curves_csv(std::span<const LabReport> reports) {
  const auto names = all_names(reports, curve_figures);
  std::string text = fmt::format("{},pages,share", kWhich);
  for (const std::string& name : names) text += "," + name;
  text += "\n";
  each_run(reports, [&](const LabReport& report, const std::string& id, const RunResult& run) {
    const auto figures = curve_figures(report);
    if (figures.empty()) return;
    for (std::size_t i = 0; i < report.points.size(); ++i) {
      const std::uint64_t pages = run.points[point_of(report, run, i)];
      text += fmt::format("{},{},{:.6f}", id, pages, share_of(run, pages));
      for (const std::string& name : names) {
        const CurveFigure* figure = find_named(figures, name);
        text += "," + (figure ? cell(figure->at(run, i)) : "");
      }
      text += "\n";
    }
  });
  return text;
}

std::string frontier_csv(std::span<const LabReport> reports) {
  std::string text = fmt::format("{},pages,share,primary,secondary,total,seconds\n", kWhich);
  each_run(reports, [&](const LabReport&, const std::string& id, const RunResult& run) {
    for (const FrontierSample& sample : run.frontier) {
      text += fmt::format("{},{},{:.6f},{},{},{},{}\n", id, sample.pages, share_of(run, sample.pages),
                          sample.primary, sample.secondary, sample.primary + sample.secondary,
                          cell(sample.seconds));
    }
  });
  return text;
}

}  // namespace

Status write_reports(const std::string& folder, std::span<const LabReport> reports,
                     const ReportOrigin& origin) {
  BB_TRY_VOID(make_folder(folder));
  BB_TRY_VOID(write_file(folder + "/runs.csv", runs_csv(reports)));
  BB_TRY_VOID(write_file(folder + "/curves.csv", curves_csv(reports)));
  BB_TRY_VOID(write_file(folder + "/frontier.csv", frontier_csv(reports)));
  BB_TRY_VOID(write_file(folder + "/table.tex", latex_tables(reports)));
  return write_file(folder + "/results.json", report_json(reports, origin) + "\n");
}

}  // namespace bowerbird
