// The table of a refresh report, as text and as LaTeX.
#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "lab/latex.h"
#include "lab/refresh/output.h"

namespace bowerbird {
namespace {

struct RefreshColumn {
  std::string head;
  bool words = false;                // else numbers
  std::vector<std::string> cells{};  // by group
  std::vector<bool> best{};          // by group; empty: nothing is marked
};

std::string days_text(double days) {
  if (!std::isfinite(days)) return "unbounded";
  return fmt::format("{:.{}f}", days, days < 1 ? 4 : days < 100 ? 2 : 0);
}

std::string share_text(double share) {
  return fmt::format("{:.4f}", share);
}

// Collects the columns of a report.
class RefreshColumns {
 public:
  explicit RefreshColumns(const RefreshReport& report) : report_(report) {
    add("policy", [](const RefreshGroup& group) { return group.policy; }).words = true;
    add("rates", [](const RefreshGroup& group) { return std::string(rates_word(group)); }).words = true;
    add("per day", [](const RefreshGroup& group) { return fmt::format("{:g}", group.per_day); });
    add_judged("freshness", "freshness", share_text, true);
    add_judged("age, days", "age", days_text, false);
    add_figure("freshness, unweighted", "freshness_equal", share_text);
    add_figure("age, unweighted", "age_equal", days_text);
    add_figure("found a change", "changed", share_text);
    if (report.run.discovery) {
      add_figure("held", "held", share_text);
      add_figure("new", "new", share_text);
      return;
    }
    const auto exact = [this](std::string head, const auto& text) {
      add(std::move(head), [&](const RefreshGroup& group) { return group.exact ? text(*group.exact) : "-"; });
    };
    exact("exact freshness", [](const ExactRefresh& e) { return share_text(e.freshness); });
    exact("exact age", [](const ExactRefresh& e) { return days_text(e.age); });
  }

  const std::vector<RefreshColumn>& all() const { return columns_; }

 private:
  template <typename CellOf>
  RefreshColumn& add(std::string head, const CellOf& cell_of) {
    RefreshColumn& column = columns_.emplace_back();
    column.head = std::move(head);
    for (const RefreshGroup& group : report_.groups) column.cells.push_back(cell_of(group));
    return column;
  }

  static Spread spread(const RefreshGroup& group, std::string_view name) {
    const auto figures = refresh_figures();
    const auto at = std::find_if(figures.begin(), figures.end(),
                                 [&](const RefreshFigure& figure) { return figure.name == name; });
    return spread_of(group, at->of);
  }

  RefreshColumn& add_figure(std::string head, std::string_view name, std::string (*text)(double)) {
    return add(std::move(head), [&](const RefreshGroup& group) { return text(spread(group, name).mean); });
  }

  // A figure with its best value of each budget marked, and its confidence interval if there are repeats.
  void add_judged(std::string head, std::string_view name, std::string (*text)(double), bool largest) {
    RefreshColumn& column = add_figure(std::move(head), name, text);
    for (const RefreshGroup& group : report_.groups) {
      const double own = spread(group, name).mean;
      column.best.push_back(
          std::none_of(report_.groups.begin(), report_.groups.end(), [&](const RefreshGroup& other) {
            const double mean = spread(other, name).mean;
            return other.per_day == group.per_day && (largest ? mean > own : mean < own);
          }));
    }
    if (report_.repeat < 2) return;
    add("±", [&](const RefreshGroup& group) { return share_text(spread(group, name).margin); });
  }

  const RefreshReport& report_;
  std::vector<RefreshColumn> columns_;
};

std::string heading(const RefreshReport& report) {
  std::string text = fmt::format("{}: {} reachable", report.name, plural(report.pages, "page"));
  if (report.hosts > 0) text += fmt::format(" on {}", plural(report.hosts, "host"));
  text += fmt::format("; importance: {}; rates: {} (mean {:.4g} changes per day, {:.4g} by importance)\n",
                      report.importance, report.rates, report.mean_rate, report.important_mean_rate);
  text +=
      fmt::format("{:g} days, measured after {:g}; {}", report.run.days, report.run.warm_up,
                  report.run.discovery ? "pages are discovered from the seeds" : "all pages held at day 0");
  if (report.repeat > 1) text += fmt::format("; means of {} runs, ± 95 % confidence", report.repeat);
  return text + "\n\n";
}

// Counts a UTF-8 character as one column, like {:>9}.
std::string padded(const std::string& text, std::size_t width, bool left) {
  return left ? fmt::format("{:<{}}", text, width) : fmt::format("{:>{}}", text, width);
}

std::string column_text(const RefreshColumn& column, std::size_t row) {
  if (column.best.empty()) return column.cells[row];
  return column.cells[row] + (column.best[row] ? "*" : " ");
}

std::string text_rows(const std::vector<RefreshColumn>& columns, std::size_t rows) {
  std::vector<std::string> lines(rows + 1);
  for (const RefreshColumn& column : columns) {
    const std::string head = column.best.empty() ? column.head : column.head + " ";
    std::size_t width = column.head == "±" ? 1 : head.size();
    for (std::size_t row = 0; row < rows; ++row) width = std::max(width, column_text(column, row).size());
    for (std::size_t line = 0; line <= rows; ++line) {
      if (!lines[line].empty()) lines[line] += "  ";
      lines[line] += padded(line == 0 ? head : column_text(column, line - 1), width, column.words);
    }
  }
  std::string text;
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string refresh_table(const RefreshReport& report) {
  std::string text = heading(report) + text_rows(RefreshColumns(report).all(), report.groups.size()) + "\n";
  for (const RefreshOptimum& best : report.optimum) {
    text += fmt::format("optimum at {:g} per day, by known rates: freshness {}, age {} days\n", best.per_day,
                        share_text(best.freshness), days_text(best.age));
  }
  text +=
      "freshness: share of importance whose copy is up to date; age: days since the first change that a "
      "copy lacks, 0 for fresh pages";
  if (!report.run.discovery) text += "; exact: the limit for the policy with known rates";
  text += ".\n";
  if (report.finished < report.planned) {
    text += fmt::format("Stopped: {} of {} runs are complete.\n", report.finished, report.planned);
  }
  return text;
}

std::string refresh_latex(const RefreshReport& report) {
  const RefreshColumns columns(report);
  std::string kinds, lines;
  const auto separator = [&](const RefreshColumn& column) {
    return &column == &columns.all().front() ? "" : " & ";
  };
  for (const RefreshColumn& column : columns.all()) {
    kinds += column.words ? 'l' : 'r';
    lines += separator(column) + (column.head == "±" ? "$\\pm$" : latex_escaped(column.head));
  }
  lines += " \\\\\n\\midrule\n";
  for (std::size_t row = 0; row < report.groups.size(); ++row) {
    if (row > 0 && report.groups[row].per_day != report.groups[row - 1].per_day) lines += "\\midrule\n";
    for (const RefreshColumn& column : columns.all()) {
      const std::string cell = column.cells[row] == "-" ? "--" : latex_escaped(column.cells[row]);
      const bool best = !column.best.empty() && column.best[row];
      lines += separator(column) + (best ? "\\textbf{" + cell + "}" : cell);
    }
    lines += " \\\\\n";
  }
  return fmt::format(
      "% Needs \\usepackage{{booktabs}}.\n\n% {}: {}, importance {}, rates {}, {}\n"
      "\\begin{{tabular}}{{{}}}\n\\toprule\n{}\\bottomrule\n\\end{{tabular}}\n",
      latex_escaped(report.name), plural(report.pages, "page"), report.importance,
      latex_escaped(report.rates), plural(report.repeat, "repeat"), kinds, lines);
}

}  // namespace bowerbird
