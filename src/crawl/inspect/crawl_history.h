// The past of a crawl, from its folder: seeds, progress over time, hosts.
//
// Read from the commits of the journal and from crawl.jsonl up to the last commit, whether the crawl
// ended, was killed, or is running. For a long crawl only a few hundred points are returned. Only reads;
// threads: any.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "crawl/config/seeds.h"
#include "crawl/state/control_state.h"
#include "crawl/state/crawl_status.h"
#include "frontier/frontier.h"
#include "store/links.h"

namespace bowerbird {

struct HistoryPoint {
  double seconds = 0;  // of crawling, all runs together
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t done = 0;    // pages, with any outcome
  std::uint64_t failed = 0;  // of those
  std::uint64_t known = 0;   // URLs
  VisitCounts refresh;
  CrawlMoment moment;
};

// Pages that entered the frontier in another way than by a link that was followed when it was found.
struct CrawlEntries {
  std::vector<SeedPage> seeds;   // including sitemaps that robots.txt names
  std::vector<PageId> sitemaps;  // which of them are sitemaps
  AdmittedLinks admitted;
  std::vector<Change> changes;  // commands given to the running crawl
};

struct CrawlHistory {
  std::string policy;
  std::string strategy;
  std::uint64_t random_seed = 1;
  CrawlCounts counts;
  CrawlEnd end = CrawlEnd::kNotYet;
  std::uint64_t known = 0;
  std::uint64_t stored = 0;   // answers in the archive
  std::int64_t began_us = 0;  // wall clock, of the first commit
  std::int64_t seen_us = 0;   // of the last
  CrawlEntries entries;
  std::vector<HistoryPoint> points;
};

// Whether the outcome is none of: fetched, redirected, excluded.
bool is_failure(Outcome outcome);

Result<CrawlHistory> read_crawl_history(const std::string& folder);

// Empty if the crawl has not begun.
Result<CrawlEntries> read_crawl_entries(const std::string& folder);

// The seeds of all runs, and the sitemaps found in robots.txt. Empty if the crawl has not begun.
Result<std::vector<CrawlSeed>> read_crawl_seeds(const std::string& folder);

struct HostSummary {
  std::string name;
  std::uint64_t known = 0;  // URLs
  std::uint64_t done = 0;
  std::uint64_t bytes = 0;  // of bodies
  std::uint64_t answered = 0;
  std::uint64_t answer_ms = 0;   // sum over all responses
  std::uint64_t requisites = 0;  // fetched
  std::array<std::uint32_t, kOutcomes> outcomes{};

  std::uint64_t fetched() const { return outcomes[static_cast<std::size_t>(Outcome::kFetched)]; }
  std::uint64_t failed() const;
  Outcome main_trouble() const;  // the most frequent failure; kFetched: no failure
};

// Hosts with the most fetched pages first.
Result<std::vector<HostSummary>> read_crawl_hosts(const std::string& folder);

}  // namespace bowerbird
