// The display of a running crawl: lines that are redrawn in place on a terminal, plain log lines elsewhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cmd/crawl_end.h"
#include "crawl/state/crawl_status.h"

namespace bowerbird {

class CrawlDisplay {
 public:
  // resume: the command that continues the crawl; empty: `bowerbird crawl --out FOLDER`.
  CrawlDisplay(bool quiet, const std::string& folder, std::string resume = {});

  void begin(bool resumed, const CrawlStatus& status);
  void show(const CrawlStatus& status);
  void clear();
  void finish(const CrawlStatus& status, const FinishedCrawl& crawl, bool report);

 private:
  std::string log_line(const CrawlStatus& status) const;

  bool quiet_;
  bool terminal_;
  std::string folder_;
  std::string resume_;
  std::vector<std::string> drawn_;  // lines on the screen
  double next_log_s_ = 0;
};

// What a terminal of this width shows of a running crawl: a bar for the budget that will be reached first,
// rates, the frontier, the last page and the last error, and what the crawl waits for.
std::vector<std::string> crawl_lines(const CrawlStatus& status, std::size_t width, bool colour);

// "448 MiB of 1 GiB"
std::string memory_text(const MemoryUse& use);
// The effects of the memory limits so far; empty: none. troubles: warnings about files on disk.
std::string memory_cost(const MemoryUse& use, const CrawlCounts& counts, std::uint64_t troubles = 0);
// "at least 84.0 % of the PageRank personalised to the seeds"
std::string bound_text(double guaranteed, int digits);
// "312 fetched (4 MiB), 3 pending, 2 not-found"; empty: the crawl has had none.
std::string requisite_text(const CrawlCounts& counts, std::uint64_t pending);
void show_requisites(const CrawlCounts& counts, std::uint64_t pending);
// "74 URLs (requisites included)".
std::string known_urls(std::uint64_t known, const CrawlCounts& counts, std::uint64_t pending);
// Links and pages that a rule excluded, and what would include them; prints nothing if there are none.
void show_excluded(const CrawlCounts& counts);
// Of pages that were fetched again; nothing if none were.
void show_refresh(const VisitCounts& counts);
// Seeds that failed, one line each; prints nothing if there are none.
void show_failed_seeds(const CrawlCounts& counts);
// "12 fetched, 3 not-found": the outcomes, most frequent first.
std::string outcome_list(const CrawlCounts& counts, std::size_t most);

}  // namespace bowerbird
