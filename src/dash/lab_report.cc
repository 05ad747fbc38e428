#include "dash/lab_report.h"

#include "dash/figure_files.h"
#include "dash/lab_figures.h"
#include "dash/page.h"
#include "lab/table.h"
#include "sys/write_file.h"

namespace bowerbird {
namespace {

std::string page_title(std::span<const LabReport> reports) {
  if (reports.size() == 1) return fmt::format("Which pages first? {}", reports.front().name);
  return fmt::format("Which pages first? {} web graphs", reports.size());
}

}  // namespace

std::string lab_page(std::span<const LabReport> reports, const ReportOrigin& origin) {
  PageParts parts;
  parts.title = page_title(reports);
  parts.description =
      "How soon each crawl ordering finds the important pages of a web graph: a Bowerbird lab report.";
  parts.data = lab_data(reports, origin);
  parts.script = "lab.js";
  for (const LabReport& report : reports) parts.without_script += report_table(report) + "\n";
  return html_page(parts);
}

std::string folder_name(std::string_view name) {
  std::string out;
  for (const char c : name.substr(0, 60)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool capital = c >= 'A' && c <= 'Z';
    if (plain || capital) {
      out += capital ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  while (out.ends_with('-')) out.pop_back();
  return out;
}

Status write_lab_report(const std::string& folder, std::span<const LabReport> reports,
                        const ReportOrigin& origin) {
  BB_TRY_VOID(make_folder(folder));
  BB_TRY_VOID(write_file(folder + "/report.html", lab_page(reports, origin)));
  for (std::size_t i = 0; i < reports.size(); ++i) {
    std::string where = folder + "/figures";
    if (reports.size() > 1) where += fmt::format("/{}-{}", i + 1, folder_name(reports[i].name));
    BB_TRY_VOID(write_figures(where, lab_figures(reports[i], reports)));
  }
  return {};
}

}  // namespace bowerbird
