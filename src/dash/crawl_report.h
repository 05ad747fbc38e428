// The report of a crawl: report.html, one self-contained page, and report.json with the same figures
// (docs/crawling.md).
//
// Everything is read from the crawl folder as of its last commit, so that a killed or running crawl has a
// report too. Each file is written completely or not at all.
#pragma once

#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "lab/origin.h"

namespace bowerbird {

struct CrawlReportOptions {
  std::string folder;  // of the crawl
  std::string out;     // folder for the report; empty: the crawl's
  ReportOrigin origin;
  std::uint64_t most_pages = 0;  // the order of larger crawls is not judged; 0: no limit
  unsigned threads = 1;
};

// The data of the page, JSON.
Result<std::string> crawl_report_data(const CrawlReportOptions& options, const Progress& progress = {});
std::string crawl_page(const std::string& data);

// Returns the content of report.json.
Result<std::string> write_crawl_report(const CrawlReportOptions& options, const Progress& progress = {});

}  // namespace bowerbird
