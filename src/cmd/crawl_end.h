// Maps the end of a crawl to an exit code, for `crawl` and `fleet`. The table for users is exit_status() in
// cmd/help.h.
#pragma once

#include <string>

#include "base/result.h"
#include "crawl/state/crawl_status.h"

namespace bowerbird {

struct FinishedCrawl {
  CrawlEnd end = CrawlEnd::kNothingLeft;
  CrawlCounts counts;    // of all its runs
  bool is_part = false;  // other processes may have fetched pages
  std::string problem;   // the last failure of a host; empty: none
};

// Whether the crawl has failed: it has never fetched a page, and was not stopped.
bool has_failed(const FinishedCrawl& crawl);

// The result of the command: success, the silent error of an interrupt, or why the crawl has failed, with the
// failed seeds.
Status result_of(const FinishedCrawl& crawl);

}  // namespace bowerbird
