// Parallel crawls of one test Web with different orderings: which fetches the important pages first?
//
// Each crawl has its own thread, folder and server. It is judged by the requests to that server: the fetched
// share of the PageRank of that Web.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "crawl/config/options.h"
#include "graph/web.h"
#include "web/site/site_service.h"

namespace bowerbird {

struct Racer {
  std::string policy;
  std::string folder;
  std::uint64_t pages = 0;
  double importance = 0;  // fetched share of the PageRank of that Web
  double pages_per_second = 0;
};

struct RaceOptions {
  std::vector<std::string> policies;
  std::string out;          // each crawl gets a subfolder named after its ordering
  std::uint64_t pages = 0;  // number of pages each crawl fetches
  // Called about ten times per second, and at the end; false stops the crawls.
  std::function<bool(const std::vector<Racer>&)> watch;
};

// A page of high PageRank with many links, to start from.
Result<PageId> choose_seed(const Web& web);

// The options that all crawls of the race share. address: of the server.
CrawlOptions race_crawl_options(const std::string& seed, const std::string& address);

// The racers, in the order of `policies`.
Result<std::vector<Racer>> run_race(const Web& web, const Site& site, PageId seed,
                                    const RaceOptions& options);

// How many pages the crawl in this folder has fetched, as of its last commit.
Result<std::uint64_t> pages_fetched(const std::string& folder);
// How many responses its archive contains; an error if it contains one twice.
Result<std::uint64_t> pages_stored_once(const std::string& folder);

}  // namespace bowerbird
