#include "lab/table.h"

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "lab/figures.h"
#include "lab/table_sections.h"

namespace bowerbird {
namespace {

class TableText {
 public:
  TableText(const Table& table, bool colour) : table_(table), colour_(colour) {
    for (const RunGroup* group : table.rows) first_ = std::max(first_, label_of(*group).size());
    for (const TableSection& section : table.sections) {
      for (const TableColumn& column : section.columns) {
        std::size_t& width = widths_.emplace_back(column.head.size());
        for (const std::string& cell : column.cells) width = std::max(width, cell.size());
      }
    }
  }

  std::string make() const {
    if (table_.sections.empty()) return {};
    std::string text = titles() + heads();
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
      const bool first_baseline = row > 0 && table_.rows[row]->baseline && !table_.rows[row - 1]->baseline;
      if (first_baseline) text += std::string(total_width(), '-') + "\n";
      text += row_text(row);
    }
    return text + "\n";
  }

 private:
  static std::string line(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  }

  std::string titles() const {
    const auto untitled = [](const TableSection& section) { return section.title.empty(); };
    if (std::all_of(table_.sections.begin(), table_.sections.end(), untitled)) return {};
    std::string text(first_, ' ');
    std::size_t column = 0;
    for (const TableSection& section : table_.sections) {
      std::size_t width = 0;
      for (std::size_t i = 0; i < section.columns.size(); ++i) width += widths_[column++] + 2;
      text += fmt::format("  {:<{}}", section.title, width);
    }
    return line(std::move(text));
  }

  std::string heads() const {
    std::string text = fmt::format("{:<{}}", "ordering", first_);
    std::size_t column = 0;
    for (const TableSection& section : table_.sections) {
      text += "  ";
      for (const TableColumn& c : section.columns) text += fmt::format("{:>{}}  ", c.head, widths_[column++]);
    }
    return line(std::move(text));
  }

  std::string row_text(std::size_t row) const {
    std::string text = fmt::format("{:<{}}", label_of(*table_.rows[row]), first_);
    std::size_t column = 0;
    for (const TableSection& section : table_.sections) {
      text += "  ";
      for (const TableColumn& cells : section.columns) {
        const std::string padded = fmt::format("{:>{}}", cells.cells[row], widths_[column++]);
        const bool best = cells.best[row];
        text += best && colour_ ? "\x1b[1m" + padded + "*\x1b[0m " : padded + (best ? "* " : "  ");
      }
    }
    return line(std::move(text));
  }

  std::size_t total_width() const {
    std::size_t width = first_ + 2 * table_.sections.size();
    for (const std::size_t column : widths_) width += column + 2;
    return width - 2;
  }

  const Table& table_;
  bool colour_;
  std::vector<std::size_t> widths_;  // of all columns, without the mark
  std::size_t first_ = 8;
};

// "4,811 pages", or "4,790 to 4,811 pages" if repeats differ.
std::string reachable_text(const LabReport& report) {
  std::uint64_t least = *report.facts.reachable;
  std::uint64_t most = least;
  for (const RunGroup& group : report.groups) {
    for (const RunResult& run : group.repeats) {
      least = std::min(least, run.reachable);
      most = std::max(most, run.reachable);
    }
  }
  return least == most ? plural(most, "page")
                       : fmt::format("{} to {}", format_count(least), plural(most, "page"));
}

std::string heading(const LabReport& report) {
  const GraphFacts& facts = report.facts;
  std::string text = fmt::format("{}: {}", report.name, plural(facts.pages, "page"));
  if (facts.links) text += ", " + plural(*facts.links, "link");
  if (facts.hosts) text += ", " + plural(*facts.hosts, "host");
  if (facts.interhost)
    text += fmt::format(" ({:.1f} % of the links lead to another host)", 100 * *facts.interhost);
  text += fmt::format("\n{} ({})", plural(report.seeds, "seed"), report.seed_spec);
  if (report.redrawn) text += fmt::format(", redrawn for each of {} repeats", report.repeat);
  if (facts.reachable) {
    text += fmt::format("; {} {}", reachable_text(report), report.reachable_by_run ? "crawled" : "reachable");
  }
  return text + fmt::format("; importance: {}\n\n", report.importance);
}

// "Best by auc: lipr 0.7605 (random 0.6122, omniscient 0.7618, ideal 0.9012)"
std::string verdict(const LabReport& report, const std::vector<const RunGroup*>& groups) {
  const auto aucs = auc_figures(report);
  if (aucs.empty() || groups.empty() || groups.front()->baseline) return {};
  const auto auc_text = [&](const RunGroup& group) {
    const Spread spread = spread_of(group, aucs.front().figure);
    std::string text = fmt::format("{} {:.4f}", label_of(group), spread.mean);
    if (spread.margin >= 5e-5) text += fmt::format(" +-{:.4f}", spread.margin);
    return text;
  };
  if (std::isnan(spread_of(*groups.front(), aucs.front().figure).mean)) return {};
  std::string baselines;
  for (const RunGroup* group : groups) {
    if (group->baseline) baselines += (baselines.empty() ? "" : ", ") + auc_text(*group);
  }
  return fmt::format("Best by auc: {}{}\n", auc_text(*groups.front()),
                     baselines.empty() ? "" : "; compared with " + baselines);
}

}  // namespace

std::string report_table(const LabReport& report, const TableOptions& options) {
  std::string text = heading(report);
  const auto add = [&](const Table& table) { text += TableText(table, options.colour).make(); };
  const Table quality = quality_table(report);
  add(quality);
  if (options.details) {
    for (const Table& table : detail_tables(report)) add(table);
  }
  for (const Table& table : cost_tables(report)) add(table);
  text += verdict(report, quality.rows);
  for (const std::string& note : report.notes) text += fmt::format("Note: {}.\n", note);
  if (!report.complete()) {
    text += fmt::format("Stopped: {} of {} runs are complete; '-' marks what was not reached.\n",
                        report.finished, report.planned);
  }
  return text;
}

}  // namespace bowerbird
