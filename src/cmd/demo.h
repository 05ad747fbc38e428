// Two crawls with different orderings on a test Web, at the same time.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "crawl/loop/crawler.h"
#include "graph/web.h"
#include "web/server.h"

namespace bowerbird {

struct RaceOptions {
  std::vector<std::string> policies;
  std::string out;          // each crawl gets a folder of its ordering's name in it
  std::uint64_t pages = 0;  // to fetch, each
  bool quiet = false;
};

struct Racer {
  std::string policy;
  std::string folder;
  std::uint64_t pages = 0;
  double importance = 0;  // share of all PageRank of that Web that was fetched
};

// What all crawls of the demonstration have in common.
CrawlOptions demo_crawl_options(const std::string& seed, const std::string& address);

// All orderings at once, each asking a server of its own; drawn while they run. The racers, as ordered in
// `policies`.
Result<std::vector<Racer>> run_race(const Web& web, const Site& site, PageId seed,
                                    const RaceOptions& options);

}  // namespace bowerbird
