// The status of a crawl, for displays, logs and summaries. Plain data, copied by the crawl.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "crawl/config/memory_budget.h"
#include "crawl/judge/exclusions.h"
#include "crawl/judge/outcome_table.h"

namespace bowerbird {

// A seed, or the target of its redirects, that failed for good.
struct FailedSeed {
  std::string url;
  std::string reason;
};
inline constexpr std::size_t kFailedSeedsNamed = 20;

// The longest times for which the crawl's thread was busy (crawl/loop/step_meter.h).
struct LoopTimes {
  std::uint64_t step_us = 0;      // one response, or one round of handing out pages; CPU time
  std::uint64_t refresh_us = 0;   // one recomputation of ranks
  std::uint64_t snapshot_us = 0;  // one snapshot
};

// Requisites. They are not counted as pages.
struct RequisiteCounts {
  std::uint64_t bytes = 0;       // of bodies
  std::uint64_t over_limit = 0;  // not requested: their page has used up its bytes
  std::array<std::uint64_t, kOutcomes> outcomes{};

  std::uint64_t fetched() const { return outcomes[static_cast<std::size_t>(Outcome::kFetched)]; }
  // All that have ended, and those that ended without a response to store.
  std::uint64_t done() const;
  std::uint64_t failed() const;
};

// Further visits of pages.
struct VisitCounts {
  std::uint64_t visits = 0;        // with any outcome
  std::uint64_t changed = 0;       // of these, the page had changed
  std::uint64_t not_modified = 0;  // of these, answered with 304
  std::uint64_t failed = 0;
  std::uint64_t gone = 0;         // pages that answered 404 or 410 twice in a row
  std::uint64_t bytes_saved = 0;  // by 304 responses
  std::uint64_t overdue = 0;      // visits after the longest interval had passed
  // Estimates; below 0: pages are not refreshed.
  double freshness = -1;
  double age = -1;  // days

  void add(const VisitCounts& other);
};

// Counts for the URLs of a [[site]] table with a budget.
struct SiteCounts {
  std::uint64_t pages = 0;  // done or in flight
  std::uint64_t bytes = 0;
};

// Counters that are kept over restarts.
struct CrawlCounts {
  std::uint64_t pages = 0;      // answered with 2xx, of a wanted type
  std::uint64_t bytes = 0;      // of bodies as received, including requisites
  std::uint64_t completed = 0;  // pages that are done, with any outcome
  std::uint64_t retries = 0;
  std::uint64_t robots_fetched = 0;
  std::uint64_t sitemap_unreadable = 0;  // entries of sitemaps that have no URL
  std::uint64_t links = 0;               // distinct per page
  std::uint64_t on_topic = 0;            // pages
  std::uint64_t run_ms = 0;              // of all runs
  std::uint64_t rejected = 0;            // new URLs rejected because memory was short
  double rejected_worth = 0;             // worth that the scores of their pages would have passed to them
  std::array<std::uint64_t, kOutcomes> outcomes{};  // of pages that are done
  RequisiteCounts requisites;
  LoopTimes longest;
  VisitCounts refresh;
  std::uint64_t seeds_failed = 0;
  std::vector<FailedSeed> failed_seeds;  // the first of them

  ExclusionCounts excluded{};  // links, once for each page that has them; since the scope last changed
  std::map<std::string, SiteCounts> sites;              // by the name of the table
  std::map<std::string, std::uint64_t> unwanted_types;  // pages, by media type as in --types

  void add_unwanted(const std::string& type);
  void add_failed_seed(FailedSeed seed);
  // Adds the counts of another process of the same crawl.
  void add(const CrawlCounts& other);
};

enum class CrawlPhase : std::uint8_t { kRunning, kStopping, kFinished };
// Why a crawl ended.
enum class CrawlEnd : std::uint8_t {
  kNotYet,
  kNothingLeft,
  kPages,
  kBytes,
  kTime,
  kImportance,
  kStopped,
  kFailed,
  kNoDns,
};
std::string_view crawl_end_text(CrawlEnd end);
// The state of a crawl in a folder, whose last commit has `end`: "running (pid 4711)", "killed, can be
// resumed", why it failed, or how it ended.
std::string crawl_state_text(const std::string& folder, CrawlEnd end);

struct HostCounts {
  std::uint64_t known = 0;
  std::uint64_t active = 0;   // with requests in flight
  std::uint64_t waiting = 0;  // with queued pages and a closed gate
  std::uint64_t given_up = 0;
  std::uint64_t at_budget = 0;  // the budget of the host or its domain is used up
  std::uint64_t repeating = 0;  // closed because of near-duplicates
};

// Budgets of this run; 0: none.
struct RunBudgets {
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;
};

// Per second.
struct CrawlRates {
  double pages = 0;  // recently
  double bytes = 0;
  double steady_pages = 0;  // over about a minute
  double steady_bytes = 0;
};

// Counts of a fleet.
struct SharingCounts {
  bool on = false;
  std::uint64_t urls_sent = 0;
  std::uint64_t urls_received = 0;
  std::uint64_t messages_sent = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t partitions = 0;  // owned now
  std::uint64_t unlogged = 0;    // commits that wait for the log on the broker
};

struct CrawlStatus {
  CrawlCounts counts;
  CrawlPhase phase = CrawlPhase::kRunning;
  std::uint64_t known = 0;  // URLs
  std::uint64_t queued = 0;
  std::uint64_t under_way = 0;
  std::uint64_t requisites_pending = 0;
  HostCounts hosts;
  MemoryUse memory;
  std::uint64_t troubles = 0;  // warnings about files; each is a line of crawl.jsonl
  double guaranteed =
      -1;  // lower bound of the share of the PageRank personalised to the seeds; below 0: not computed
  bool has_topic = false;
  std::string policy;           // the ordering
  std::string policy_why;       // why it was chosen automatically; or empty
  double seconds = 0;           // of this run
  std::uint64_t run_pages = 0;  // fetched in this run
  CrawlRates rates;
  RunBudgets budgets;
  SharingCounts sharing;
  std::string stall;       // why nothing is being fetched; empty: something is
  std::string failure;     // the last host failure of this run, "example.org: no such host"; empty: none
  std::string last_url;    // of the last page that finished in this run; empty: none
  std::string last_error;  // the last failed page of this run, "http://a.test/x: HTTP 404"; empty: none
  std::string redirected;  // a seed that redirects out of scope, and its target; empty: none
  std::string refused;     // a refused address, as the fetcher reported it; empty: none
};

// Pages that lack requisites.
struct PagesLacking {
  std::uint64_t incomplete = 0;  // something is missing
  std::uint64_t waiting = 0;     // only requisites that are still to be fetched are missing
};

// Values stored with each commit besides the counts, for curves over time.
struct CrawlMoment {
  std::uint64_t queued = 0;
  std::uint64_t requisites_pending = 0;
  std::optional<PagesLacking> lacking = {};  // none: it is not known
  MemoryUse memory;
  double guaranteed = -1;
};

// {"budget": ..., ...}
std::string memory_json(const MemoryUse& use);
// {"pages": ..., ...}, one line.
std::string status_json(const CrawlStatus& status, CrawlEnd end);
// The counts as text for a commit; counts_from_state() is the inverse.
std::string counts_to_state(const CrawlCounts& counts, CrawlEnd end, const CrawlMoment& moment = {});
bool counts_from_state(std::string_view state, CrawlCounts& counts, CrawlEnd& end,
                       CrawlMoment* moment = nullptr);

}  // namespace bowerbird
