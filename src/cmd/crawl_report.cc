// `bowerbird report`: the report of a crawl, as a page and as JSON.
#include "cmd/crawl_report.h"

#include <algorithm>
#include <memory>

#include "base/parallel.h"
#include "cmd/command_line.h"
#include "cmd/commands.h"
#include "cmd/plugin_option.h"
#include "cmd/seen_crawl.h"
#include "cmd/terminal.h"
#include "dash/crawl_report.h"

namespace bowerbird {

namespace {

constexpr CommandText kText = {
    "write the report of a crawl",
    "Writes report.html (one file that needs no server and loads no other files) and report.json (the same "
    "figures) into the folder of the crawl: outcomes, hosts, curves over time, the most important pages, and "
    "how well the crawl followed its ordering. `bowerbird crawl` does this when it ends; use this command "
    "for a crawl that was killed or is still running, as of its last commit.\n"
    "\n"
    "The order is evaluated on the crawl's own graph, with PageRank as importance. AUC is the area under the "
    "curve of the share of importance collected, over the course of the crawl. It is compared with the AUC "
    "of the same ordering on the same pages without politeness.",
    "# for a crawl that was killed\nbowerbird report mycrawl\n# into another folder\nbowerbird report "
    "mycrawl --out results\n"};

struct ReportCommand {
  std::string folder;
  std::string out;
};

Status run(const ReportCommand& command, const CommonOptions& common) {
  BB_TRY_VOID(check_no_fleet(command.folder));
  CrawlReportOptions options;
  options.folder = command.folder;
  options.out = command.out;
  options.origin = report_origin();
  options.threads = default_threads();
  auto line = std::make_unique<ProgressLine>(common.quiet || common.json);
  BB_TRY(const std::string data, write_crawl_report(options, line->progress()));
  line.reset();
  if (common.json) {
    print_json_line(data);
  } else {
    fmt::print("{}/report.html\n", command.out.empty() ? command.folder : command.out);
  }
  return {};
}

}  // namespace

std::uint64_t most_judged_pages(std::uint64_t memory) {
  // A crawl should end quickly: the order of larger ones is judged only on request.
  constexpr std::uint64_t kMostPages = 500'000;
  // Judging takes 0.8 to 0.9 KiB for each page of the test Web.
  constexpr std::uint64_t kBytesPerPage = 1024;
  return memory == 0 ? kMostPages : std::min(kMostPages, memory / 2 / kBytesPerPage);
}

Status report_finished_crawl(const std::string& folder, std::uint64_t memory, bool quiet) {
  CrawlReportOptions options;
  options.folder = folder;
  options.origin = report_origin();
  options.most_pages = most_judged_pages(memory);
  options.threads = default_threads();
  ProgressLine line(quiet);
  BB_TRY_VOID(write_crawl_report(options, Progress([&](std::string_view what, std::uint64_t, std::uint64_t) {
                                   line.show(fmt::format("report: {}", what));
                                   return true;
                                 })));
  return {};
}

void add_crawl_report(App& app) {
  auto command = std::make_shared<ReportCommand>();
  CLI::App& added = app.add_command(app.root(), "report", kText,
                                    [command](const CommonOptions& common) { return run(*command, common); });
  added.add_option("DIR", command->folder, "The folder of a crawl")->required();
  add_plugin_option(added);
  added.add_option("-o,--out", command->out, "Write the report to this folder instead")->type_name("DIR");
}

}  // namespace bowerbird
