// Crawls of one test Web with different orderings, at the same time: which gets the important pages first?
//
// Each crawl has a thread, a folder and a server of its own, and is judged by what that server was asked for:
// the share of the PageRank of that Web that was fetched.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "crawl/config/options.h"
#include "graph/web.h"
#include "web/server.h"

namespace bowerbird {

struct Racer {
  std::string policy;
  std::string folder;
  std::uint64_t pages = 0;
  double importance = 0;  // share of all PageRank of that Web that was fetched
  double pages_per_second = 0;
};

struct RaceOptions {
  std::vector<std::string> policies;
  std::string out;          // each crawl gets a folder of its ordering's name in it
  std::uint64_t pages = 0;  // to fetch, each
  // Called about ten times a second, and at the end; false: the crawls are to stop.
  std::function<bool(const std::vector<Racer>&)> watch;
};

// A page of high PageRank with many links, to start from.
Result<PageId> choose_seed(const Web& web);

// What all crawls of the race have in common. address: of the server.
CrawlOptions race_crawl_options(const std::string& seed, const std::string& address);

// The racers, as ordered in `policies`.
Result<std::vector<Racer>> run_race(const Web& web, const Site& site, PageId seed,
                                    const RaceOptions& options);

// How many pages the crawl in this folder has fetched, by its last commit.
Result<std::uint64_t> pages_fetched(const std::string& folder);
// How many responses its archive holds; an error if it holds one of them twice.
Result<std::uint64_t> pages_stored_once(const std::string& folder);

}  // namespace bowerbird
