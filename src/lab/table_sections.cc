#include "lab/table_sections.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/units.h"
#include "lab/figures.h"

namespace bowerbird {
namespace {

enum class Better { kLarge, kSmall, kNeither };

using GroupValue = std::function<double(const RunGroup&)>;

struct Column {
  std::string head;
  GroupValue value;
  std::function<std::string(double)> format;
  Better better = Better::kLarge;
};

struct Section {
  std::string title;
  std::vector<Column> columns;
};

using GroupRows = std::vector<const RunGroup*>;

constexpr std::size_t kShown[] = {2, 3, 5, 6, 7};  // checkpoints 5, 10, 20, 30, 45 %

template <int kDigits>
std::string fixed(double value) {
  return fmt::format("{:.{}f}", value, kDigits);
}

std::string counted(double value) {
  return format_count(static_cast<std::uint64_t>(value));
}

GroupValue mean_of(Figure figure) {
  return [figure = std::move(figure)](const RunGroup& group) { return spread_of(group, figure).mean; };
}

Section curve_section(const LabReport& report, const std::string& name, std::string title) {
  Section section{std::move(title), {}};
  for (const CurveFigure& figure : curve_figures(report)) {
    if (figure.name != name) continue;
    for (const std::size_t checkpoint : kShown) {
      const std::size_t point = report.points.of(checkpoint);
      section.columns.push_back(
          {fmt::format("{} %", kCheckpoints[checkpoint].percent),
           mean_of([figure, point](const RunResult& run) { return figure.at(run, point); }), fixed<3>});
    }
  }
  return section;
}

Section buffer_section(const LabReport& report) {
  Section section{"hot pages in a buffer of", {}};
  for (const std::size_t checkpoint : kShown) {
    const auto label = std::find(report.buffers.begin(), report.buffers.end(), kCheckpoints[checkpoint].key);
    if (label == report.buffers.end()) continue;
    const auto i = static_cast<std::size_t>(label - report.buffers.begin());
    section.columns.push_back({fmt::format("{} %", kCheckpoints[checkpoint].percent),
                               mean_of([i](const RunResult& run) { return run.scores.buffer[i]; }),
                               fixed<3>});
  }
  return section;
}

std::optional<Figure> auc_figure(const LabReport& report, const std::string& name) {
  for (const NamedFigure& figure : auc_figures(report)) {
    if (figure.name == name) return figure.figure;
  }
  return std::nullopt;
}

constexpr const char* kMargin = "+-95 %";

Section auc_section(const LabReport& report, const std::string& name) {
  const auto auc = auc_figure(report, name);
  if (!auc) return {};
  Section section{"", {{"auc", mean_of(*auc), fixed<4>}}};
  if (report.repeat > 1) {
    const auto margin = [auc](const RunGroup& group) { return spread_of(group, *auc).margin; };
    section.columns.push_back({kMargin, margin, fixed<4>, Better::kNeither});
  }
  return section;
}

// Each ordering compared with the best, repeat by repeat.
Section difference_section(const LabReport& report, const GroupRows& rows) {
  const auto auc = auc_figure(report, "auc");
  if (report.repeat == 1 || !auc || rows.size() < 2 || rows.front()->baseline) return {};
  const RunGroup* best = rows.front();
  const auto against = [auc, best](const RunGroup& group) {
    return &group == best ? Spread() : paired_difference(group, *best, *auc);
  };
  return {fmt::format("auc against {}", label_of(*best)),
          {{"difference", [against](const RunGroup& group) { return against(group).mean; },
            [](double value) { return fmt::format("{:+.4f}", value); }, Better::kNeither},
           {kMargin, [against](const RunGroup& group) { return against(group).margin; }, fixed<4>,
            Better::kNeither}}};
}

struct FigureColumn {
  std::string_view name;
  std::string_view head;
  std::string (*format)(double);
  Better better = Better::kNeither;
};

Section figure_section(std::string title, std::span<const FigureColumn> columns,
                       const std::vector<NamedFigure>& figures) {
  Section section{std::move(title), {}};
  for (const FigureColumn& column : columns) {
    for (const NamedFigure& figure : figures) {
      if (figure.name != column.name) continue;
      section.columns.push_back(
          {std::string(column.head), mean_of(figure.figure), column.format, column.better});
    }
  }
  return section;
}

Section cost_section() {
  static constexpr FigureColumn kColumns[] = {
      {"coverage", "coverage", fixed<4>},
      {"peak_queue", "peak queue", fixed<4>, Better::kSmall},
      {"revisits", "re-visits", fixed<4>},
      {"dropped", "dropped", counted},
      {"seconds", "seconds", [](double v) { return v < 10 ? fixed<3>(v) : fixed<1>(v); }, Better::kSmall},
      {"links_per_s", "M links/s", [](double v) { return fixed<1>(v / 1e6); }, Better::kLarge},
      {"bytes_per_page", "bytes/page", fixed<1>, Better::kSmall}};
  return figure_section("", kColumns, cost_figures());
}

Section budget_section(const LabReport& report) {
  static constexpr FigureColumn kColumns[] = {
      {"peak_bytes", "peak memory", [](double v) { return format_bytes(static_cast<std::uint64_t>(v)); }},
      {"spilled", "spilled at most", fixed<4>},
      {"spill_entries", "entries written", counted},
      {"returned", "returned", counted},
      {"distance", "distance", [](double v) { return v == 0 ? "0" : fmt::format("{:.1e}", v); }},
      {"dropped_worth", "worth dropped", [](double v) { return v == 0 ? "0" : fmt::format("{:.3g}", v); }}};
  if (report.memory == 0) return {};
  auto figures = budget_figures(report);
  for (const NamedFigure& figure : cost_figures()) figures.push_back(figure);
  return figure_section(fmt::format("within {}", format_bytes(report.memory)), kColumns, figures);
}

Section team_section(const LabReport& report) {
  static constexpr FigureColumn kColumns[] = {{"overlap", "overlap", fixed<3>},
                                              {"exchanged", "URLs sent/page", fixed<3>},
                                              {"exchanged_bytes", "bytes/page", fixed<0>},
                                              {"balance", "balance", fixed<3>}};
  return figure_section("all processes", kColumns, team_figures(report));
}

// The groups best first, baselines at the end.
GroupRows rows_of(const LabReport& report, bool with_ideal) {
  GroupRows rows;
  for (const RunGroup& group : report.groups) {
    if (with_ideal || group.policy != "ideal") rows.push_back(&group);
  }
  const auto auc = auc_figure(report, "auc");
  const auto worth = [&](const RunGroup* group) {
    const double mean = auc ? spread_of(*group, *auc).mean : 0;
    return std::isnan(mean) ? -1 : mean;
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const RunGroup* a, const RunGroup* b) {
    return a->baseline != b->baseline ? b->baseline : worth(a) > worth(b);
  });
  return rows;
}

TableColumn cells_of(const Column& column, const GroupRows& rows) {
  TableColumn cells{column.head, {}, {}};
  std::optional<double> best;
  for (const RunGroup* group : rows) {
    const double value = column.value(*group);
    cells.cells.push_back(std::isnan(value) ? "-" : column.format(value));
    if (std::isnan(value) || group->baseline || column.better == Better::kNeither) continue;
    if (!best || (column.better == Better::kLarge ? value > *best : value < *best)) best = value;
  }
  // Values with the same text are equally good; if all are, none is marked.
  const std::string best_text = best ? column.format(*best) : std::string();
  std::size_t candidates = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    cells.best.push_back(best && !rows[row]->baseline && cells.cells[row] == best_text);
    candidates += rows[row]->baseline ? 0 : 1;
  }
  const auto marked = static_cast<std::size_t>(std::count(cells.best.begin(), cells.best.end(), true));
  if (marked == candidates) cells.best.assign(rows.size(), false);
  return cells;
}

Table table_of(GroupRows rows, const std::vector<Section>& sections) {
  Table table{std::move(rows), {}};
  for (const Section& section : sections) {
    if (section.columns.empty()) continue;
    TableSection& made = table.sections.emplace_back();
    made.title = section.title;
    for (const Column& column : section.columns) made.columns.push_back(cells_of(column, table.rows));
  }
  return table;
}

}  // namespace

Table quality_table(const LabReport& report) {
  const GroupRows rows = rows_of(report, true);
  return table_of(rows, {curve_section(report, "cumulative", "importance crawled after"),
                         curve_section(report, "hot", "hot pages among them"), auc_section(report, "auc"),
                         difference_section(report, rows)});
}

std::vector<Table> detail_tables(const LabReport& report) {
  const GroupRows rows = rows_of(report, true);
  std::vector<Table> tables = {
      table_of(rows, {curve_section(report, "threshold",
                                    fmt::format("pages worth >= {:.3g} ({})", report.threshold,
                                                format_count(report.threshold_pages))),
                      buffer_section(report)}),
      table_of(rows, {curve_section(report, "guaranteed", "personalised PageRank guaranteed after")})};
  for (const char* name : {"pagerank", "indegree", "home"}) {
    tables.push_back(
        table_of(rows, {curve_section(report, name, fmt::format("{} crawled after", name)),
                        curve_section(report, fmt::format("hot_{}", name), "hot pages among them"),
                        auc_section(report, fmt::format("auc_{}", name))}));
  }
  return tables;
}

std::vector<Table> cost_tables(const LabReport& report) {
  const GroupRows rows = rows_of(report, false);
  std::vector<Table> tables;
  for (const Section& section : {team_section(report), cost_section(), budget_section(report)}) {
    tables.push_back(table_of(rows, {section}));
  }
  return tables;
}

}  // namespace bowerbird
