// What the log of a resumed crawl says about its earlier runs: counts of hosts, examples, broken links.
//
// Read by a helper thread, then added to the Activity of the running crawl in bounded steps. Threads:
// read_earlier_runs() from any; add_some() from the crawl's.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "crawl/loop/crawler.h"

namespace bowerbird {

struct EarlierResult {
  std::string url;
  PageResult result;  // without page and host
};

struct EarlierRuns {
  std::vector<std::pair<std::string, HostActivity>> hosts;
  std::vector<EarlierResult> examples;  // the latest first
  std::vector<EarlierResult> broken;
};

// Reads the lines of the log that are older than `before_ms`.
Result<EarlierRuns> read_earlier_runs(const std::string& folder, std::int64_t before_ms);

// Adds some of them to the activity of the crawl and removes them. True: all are added.
bool add_some(Crawler& crawler, std::int64_t deadline_us, EarlierRuns& earlier);

}  // namespace bowerbird
