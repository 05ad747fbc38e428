#include "lab/table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/units.h"
#include "lab/figures.h"

namespace bowerbird {
namespace {

enum class Better { kLarge, kSmall, kNeither };

struct Column {
  std::string head;
  Figure figure;
  std::function<std::string(double)> format;
  Better better = Better::kLarge;
  bool deviation = false;  // show the standard deviation over the repeats, not the mean
};

// Columns side by side under one title.
struct Section {
  std::string title;
  std::vector<Column> columns;
};

constexpr std::size_t kShown[] = {2, 3, 5, 6, 7};  // checkpoints 5, 10, 20, 30, 45 %

std::string fixed(double value, int digits) {
  return fmt::format("{:.{}f}", value, digits);
}

Section curve_section(const LabReport& report, const std::string& name, std::string title) {
  Section section{std::move(title), {}};
  for (const CurveFigure& figure : curve_figures(report)) {
    if (figure.name != name) continue;
    for (const std::size_t checkpoint : kShown) {
      const std::size_t point = report.points.of(checkpoint);
      section.columns.push_back({fmt::format("{} %", kCheckpoints[checkpoint].percent),
                                 [figure, point](const RunResult& run) { return figure.curve(run)[point]; },
                                 [](double value) { return fixed(value, 3); }});
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
                               [i](const RunResult& run) { return run.scores.buffer[i]; },
                               [](double value) { return fixed(value, 3); }});
  }
  return section;
}

Section auc_section(const LabReport& report, const std::string& name) {
  Section section;
  for (const NamedFigure& figure : auc_figures(report)) {
    if (figure.name == name) {
      section.columns.push_back({"auc", figure.figure, [](double value) { return fixed(value, 4); }});
    }
  }
  const bool repeated = std::any_of(report.groups.begin(), report.groups.end(),
                                    [](const RunGroup& group) { return group.repeats.size() > 1; });
  if (repeated && !section.columns.empty()) {
    Column deviation = section.columns.front();
    deviation.head = "sd";
    deviation.better = Better::kNeither;
    deviation.deviation = true;
    section.columns.push_back(std::move(deviation));
  }
  return section;
}

std::string seconds_text(double seconds) {
  return fixed(seconds, seconds < 10 ? 3 : 1);
}

Section cost_section(const LabReport& report) {
  struct Row {
    std::string_view name;
    std::string_view head;
    std::string (*format)(double);
    Better better;
  };
  static constexpr Row kRows[] = {
      {"coverage", "coverage", [](double v) { return fixed(v, 4); }, Better::kNeither},
      {"peak_queue", "peak queue", [](double v) { return fixed(v, 4); }, Better::kSmall},
      {"revisits", "re-visits", [](double v) { return fixed(v, 4); }, Better::kNeither},
      {"dropped", "dropped", [](double v) { return format_count(static_cast<std::uint64_t>(v)); },
       Better::kNeither},
      {"seconds", "seconds", seconds_text, Better::kSmall},
      {"links_per_s", "M links/s", [](double v) { return fixed(v / 1e6, 1); }, Better::kLarge},
      {"bytes_per_page", "bytes/page", [](double v) { return fixed(v, 1); }, Better::kSmall}};
  Section section;
  for (const Row& row : kRows) {
    for (const NamedFigure& figure : cost_figures(report)) {
      if (figure.name == row.name) {
        section.columns.push_back({std::string(row.head), figure.figure, row.format, row.better});
      }
    }
  }
  return section;
}

// What keeping within a budget of memory came to, where there was one.
Section budget_section(const LabReport& report) {
  struct Row {
    std::string_view name;
    std::string_view head;
    std::string (*format)(double);
  };
  static constexpr Row kRows[] = {
      {"peak_bytes", "peak memory", [](double v) { return format_bytes(static_cast<std::uint64_t>(v)); }},
      {"spilled", "spilled at most", [](double v) { return fixed(v, 4); }},
      {"spill_entries", "entries written",
       [](double v) { return format_count(static_cast<std::uint64_t>(v)); }},
      {"returned", "returned", [](double v) { return format_count(static_cast<std::uint64_t>(v)); }},
      {"distance", "distance", [](double v) { return v == 0 ? "0" : fmt::format("{:.1e}", v); }},
      {"dropped_worth", "worth dropped", [](double v) { return v == 0 ? "0" : fmt::format("{:.3g}", v); }}};
  if (report.memory == 0) return {};
  Section section{fmt::format("within {}", format_bytes(report.memory)), {}};
  auto figures = budget_figures(report);
  for (const NamedFigure& figure : cost_figures(report)) figures.push_back(figure);
  for (const Row& row : kRows) {
    for (const NamedFigure& figure : figures) {
      if (figure.name != row.name) continue;
      section.columns.push_back({std::string(row.head), figure.figure, row.format, Better::kNeither});
    }
  }
  return section;
}

// What sharing the crawl among processes came to, where it was shared.
Section team_section(const LabReport& report) {
  Section section{"the team", {}};
  for (const NamedFigure& figure : team_figures(report)) {
    const int digits = figure.name == "exchanged_bytes" ? 0 : 3;
    section.columns.push_back({figure.name == "exchanged"         ? "URLs sent/page"
                               : figure.name == "exchanged_bytes" ? "bytes/page"
                                                                  : figure.name,
                               figure.figure, [digits](double value) { return fixed(value, digits); },
                               Better::kNeither});
  }
  return section;
}

// The groups best first, baselines at the end.
std::vector<const RunGroup*> in_order(const LabReport& report) {
  std::vector<const RunGroup*> groups;
  for (const RunGroup& group : report.groups) groups.push_back(&group);
  const auto aucs = auc_figures(report);
  const auto worth = [&](const RunGroup* group) {
    const double auc = aucs.empty() ? 0 : spread_of(*group, aucs.front().figure).mean;
    return std::isnan(auc) ? -1 : auc;
  };
  std::stable_sort(groups.begin(), groups.end(), [&](const RunGroup* a, const RunGroup* b) {
    return a->baseline != b->baseline ? b->baseline : worth(a) > worth(b);
  });
  return groups;
}

class TableText {
 public:
  TableText(const std::vector<const RunGroup*>& groups, std::vector<Section> sections, bool colour)
      : groups_(groups), colour_(colour) {
    for (Section& section : sections) {
      if (!section.columns.empty()) sections_.push_back(std::move(section));
    }
    for (const RunGroup* group : groups) first_ = std::max(first_, label_of(*group).size());
  }

  std::string make(bool with_ideal) {
    if (sections_.empty()) return {};
    lay_out(with_ideal);
    std::string text = titles() + heads();
    bool line = false;
    for (std::size_t row = 0; row < groups_.size(); ++row) {
      if (groups_[row]->policy == "ideal" && !with_ideal) continue;
      if (groups_[row]->baseline && !line && row > 0) {
        text += std::string(total_width(), '-') + "\n";
        line = true;
      }
      text += row_text(row);
    }
    return text + "\n";
  }

 private:
  struct Laid {
    std::vector<std::string> cells;  // one per group
    std::vector<bool> best;
    std::size_t width = 0;  // without the mark
  };

  void lay_out(bool with_ideal) {
    for (const Section& section : sections_) {
      for (const Column& column : section.columns) {
        Laid laid;
        laid.width = column.head.size();
        std::optional<double> best;
        for (const RunGroup* group : groups_) {
          const Spread spread = spread_of(*group, column.figure);
          const bool shown = !std::isnan(spread.mean) && (with_ideal || group->policy != "ideal");
          laid.cells.push_back(shown ? column.format(column.deviation ? spread.deviation : spread.mean)
                                     : "-");
          laid.width = std::max(laid.width, laid.cells.back().size());
          const bool better =
              !best || (column.better == Better::kLarge ? spread.mean > *best : spread.mean < *best);
          if (shown && !group->baseline && column.better != Better::kNeither && better) best = spread.mean;
        }
        // What reads the same is equally good; a best that all share says nothing.
        const std::string best_text = best ? column.format(*best) : std::string();
        std::size_t candidates = 0;
        for (std::size_t row = 0; row < groups_.size(); ++row) {
          laid.best.push_back(best && !groups_[row]->baseline && laid.cells[row] == best_text);
          candidates += groups_[row]->baseline ? 0 : 1;
        }
        const auto marked = static_cast<std::size_t>(std::count(laid.best.begin(), laid.best.end(), true));
        if (marked == candidates) laid.best.assign(groups_.size(), false);
        columns_.push_back(std::move(laid));
      }
    }
  }

  std::string titles() const {
    if (std::all_of(sections_.begin(), sections_.end(), [](const Section& s) { return s.title.empty(); }))
      return {};
    std::string text(first_, ' ');
    std::size_t column = 0;
    for (const Section& section : sections_) {
      std::size_t width = 0;
      for (std::size_t i = 0; i < section.columns.size(); ++i) width += columns_[column++].width + 2;
      text += fmt::format("  {:<{}}", section.title, width);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  }

  std::string heads() const {
    std::string text = fmt::format("{:<{}}", "ordering", first_);
    std::size_t column = 0;
    for (const Section& section : sections_) {
      text += "  ";
      for (const Column& c : section.columns)
        text += fmt::format("{:>{}}  ", c.head, columns_[column++].width);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  }

  std::string row_text(std::size_t row) const {
    std::string text = fmt::format("{:<{}}", label_of(*groups_[row]), first_);
    std::size_t column = 0;
    for (const Section& section : sections_) {
      text += "  ";
      for (std::size_t i = 0; i < section.columns.size(); ++i, ++column) {
        const Laid& laid = columns_[column];
        const std::string padded = fmt::format("{:>{}}", laid.cells[row], laid.width);
        const bool best = laid.best[row];
        text += best && colour_ ? "\x1b[1m" + padded + "*\x1b[0m " : padded + (best ? "* " : "  ");
      }
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  }

  std::size_t total_width() const {
    std::size_t width = first_ + 2 * sections_.size();
    for (const Laid& laid : columns_) width += laid.width + 2;
    return width - 2;
  }

  const std::vector<const RunGroup*>& groups_;
  bool colour_;
  std::vector<Section> sections_;
  std::vector<Laid> columns_;
  std::size_t first_ = 8;
};

std::string heading(const LabReport& report) {
  const GraphFacts& facts = report.facts;
  std::string text = fmt::format("{}: {} pages", report.name, format_count(facts.pages));
  if (facts.links) text += fmt::format(", {} links", format_count(*facts.links));
  if (facts.hosts) text += fmt::format(", {} hosts", format_count(*facts.hosts));
  if (facts.interhost)
    text += fmt::format(" ({:.1f} % of the links lead to another host)", 100 * *facts.interhost);
  text += fmt::format("\n{} {} ({})", format_count(report.seeds), report.seeds == 1 ? "seed" : "seeds",
                      report.seed_spec);
  if (facts.reachable) {
    text += fmt::format("; {} pages {}", format_count(*facts.reachable),
                        report.reachable_by_run ? "crawled" : "reachable");
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
    if (spread.max - spread.min >= 5e-5) text += fmt::format(" ({:.4f} to {:.4f})", spread.min, spread.max);
    return text;
  };
  if (std::isnan(spread_of(*groups.front(), aucs.front().figure).mean)) return {};
  std::string beside;
  for (const RunGroup* group : groups) {
    if (group->baseline) beside += (beside.empty() ? "" : ", ") + auc_text(*group);
  }
  return fmt::format("Best by auc: {}{}\n", auc_text(*groups.front()),
                     beside.empty() ? "" : "; beside it " + beside);
}

}  // namespace

std::string report_table(const LabReport& report, const TableOptions& options) {
  const auto groups = in_order(report);
  std::string text = heading(report);
  const auto add = [&](std::vector<Section> sections, bool with_ideal) {
    text += TableText(groups, std::move(sections), options.colour).make(with_ideal);
  };
  add({curve_section(report, "cumulative", "importance crawled after"),
       curve_section(report, "hot", "hot pages among them"), auc_section(report, "auc")},
      true);
  if (options.details) {
    add({curve_section(report, "threshold",
                       fmt::format("pages worth >= {:.3g} ({})", report.threshold,
                                   format_count(report.threshold_pages))),
         buffer_section(report)},
        true);
    add({curve_section(report, "guaranteed", "importance guaranteed after")}, true);
    for (const char* name : {"pagerank", "indegree", "home"}) {
      add({curve_section(report, name, fmt::format("{} crawled after", name)),
           curve_section(report, fmt::format("hot_{}", name), "hot pages among them"),
           auc_section(report, fmt::format("auc_{}", name))},
          true);
    }
  }
  add({team_section(report)}, false);
  add({cost_section(report)}, false);
  add({budget_section(report)}, false);
  text += verdict(report, groups);
  for (const std::string& note : report.notes) text += fmt::format("Note: {}.\n", note);
  if (!report.complete()) {
    text += fmt::format("Stopped: {} of {} runs are complete; '-' stands for what was not reached.\n",
                        report.finished, report.planned);
  }
  return text;
}

}  // namespace bowerbird
