#include "lab/latex.h"

#include "base/units.h"
#include "lab/table_sections.h"

namespace bowerbird {
namespace {

// "+0.0645" and "-0.0645" are numbers, "-" means no value.
std::string cell_text(const std::string& cell, bool best) {
  if (cell == "-") return "--";
  const bool sign = cell.front() == '+' || cell.front() == '-';
  const std::string text = sign ? "$" + cell + "$" : latex_escaped(cell);
  return best ? "\\textbf{" + text + "}" : text;
}

std::string head_text(const std::string& head) {
  return head.starts_with("+-") ? "$\\pm$" + latex_escaped(head.substr(2)) : latex_escaped(head);
}

std::string row_text(const Table& table, std::size_t row) {
  std::string text = latex_escaped(label_of(*table.rows[row]));
  for (const TableSection& section : table.sections) {
    for (const TableColumn& column : section.columns) {
      text += " & " + cell_text(column.cells[row], column.best[row]);
    }
  }
  return text + " \\\\\n";
}

// Titles over their columns, the heads below them.
std::string head_rows(const Table& table) {
  std::string titles;
  std::string rules;
  std::string heads = "ordering";
  std::size_t first = 2;
  for (const TableSection& section : table.sections) {
    const std::size_t width = section.columns.size();
    titles += fmt::format(" & \\multicolumn{{{}}}{{c}}{{{}}}", width, latex_escaped(section.title));
    if (!section.title.empty()) rules += fmt::format("\\cmidrule(lr){{{}-{}}}", first, first + width - 1);
    first += width;
    for (const TableColumn& column : section.columns) heads += " & " + head_text(column.head);
  }
  return titles + " \\\\\n" + rules + "\n" + heads + " \\\\\n\\midrule\n";
}

std::string tabular(const Table& table) {
  std::string columns = "l";
  for (const TableSection& section : table.sections) columns.append(section.columns.size(), 'r');
  std::string text = fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n", columns) + head_rows(table);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (row > 0 && table.rows[row]->baseline && !table.rows[row - 1]->baseline) text += "\\midrule\n";
    text += row_text(table, row);
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace

std::string latex_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '#':
      case '$':
      case '%':
      case '&':
      case '_':
      case '{':
      case '}':
        out += '\\';
        out += c;
        break;
      default:
        out += c >= ' ' && c <= '~' ? c : '?';
    }
  }
  return out;
}

std::string latex_tables(std::span<const LabReport> reports) {
  std::string text = "% Needs \\usepackage{booktabs}.\n";
  for (const LabReport& report : reports) {
    const Table table = quality_table(report);
    if (table.sections.empty()) continue;
    text += fmt::format("\n% {}: {} ({}), importance {}, {}\n", latex_escaped(report.name),
                        plural(report.seeds, "seed"), latex_escaped(report.seed_spec), report.importance,
                        plural(report.repeat, "repeat"));
    text += tabular(table);
  }
  return text;
}

}  // namespace bowerbird
