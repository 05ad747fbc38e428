// How a crawl stands: what displays, logs and summaries are made of. Plain data, copied out by the crawl.
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

// A seed, or what it redirects to, that failed for good.
struct FailedSeed {
  std::string url;
  std::string reason;
};
inline constexpr std::size_t kFailedSeedsNamed = 20;

// The longest that the crawl's thread was busy at a time (crawl/loop/step_meter.h).
struct LoopTimes {
  std::uint64_t step_us = 0;      // with one response, or one round of handing out pages; CPU time
  std::uint64_t refresh_us = 0;   // with a recomputation of ranks
  std::uint64_t snapshot_us = 0;  // with a snapshot
};

// Of what pages need to be displayed; none of it is counted as pages.
struct RequisiteCounts {
  std::uint64_t bytes = 0;       // of bodies
  std::uint64_t over_limit = 0;  // not asked for, since their page has used up its bytes
  std::array<std::uint64_t, kOutcomes> outcomes{};

  std::uint64_t fetched() const { return outcomes[static_cast<std::size_t>(Outcome::kFetched)]; }
  // All that have ended, and those of them that brought no response that could be stored.
  std::uint64_t done() const;
  std::uint64_t failed() const;
};

// Of pages that were fetched before.
struct VisitCounts {
  std::uint64_t visits = 0;        // fetched again, whatever the answer
  std::uint64_t changed = 0;       // and found changed
  std::uint64_t not_modified = 0;  // answered with 304
  std::uint64_t failed = 0;
  std::uint64_t gone = 0;         // pages that answered 404 or 410 twice
  std::uint64_t bytes_saved = 0;  // bodies that a 304 made unnecessary
  std::uint64_t overdue = 0;      // visits since the longest interval had passed
  // By what was learned about changes; below 0: pages are not refreshed.
  double freshness = -1;
  double age = -1;  // days

  void add(const VisitCounts& other);
};

// Of the URLs of a [[site]] table with a budget.
struct SiteCounts {
  std::uint64_t pages = 0;  // done or in flight
  std::uint64_t bytes = 0;
};

// What is kept over restarts.
struct CrawlCounts {
  std::uint64_t pages = 0;      // answered with 2xx, and wanted
  std::uint64_t bytes = 0;      // of bodies, as they came; those of requisites too
  std::uint64_t completed = 0;  // pages that are done, whatever became of them
  std::uint64_t retries = 0;
  std::uint64_t robots_fetched = 0;
  std::uint64_t sitemap_unreadable = 0;             // entries of sitemaps that have no URL
  std::uint64_t links = 0;                          // distinct on their page
  std::uint64_t on_topic = 0;                       // pages
  std::uint64_t run_ms = 0;                         // of all runs
  std::uint64_t rejected = 0;                       // new URLs that there was no memory for
  double rejected_worth = 0;                        // what their pages' scores would have given them
  std::array<std::uint64_t, kOutcomes> outcomes{};  // of pages that are done
  RequisiteCounts requisites;
  LoopTimes longest;
  VisitCounts refresh;
  std::uint64_t seeds_failed = 0;
  std::vector<FailedSeed> failed_seeds;  // the first of them

  ExclusionCounts excluded{};  // links, once for each page that has them; since the scope last changed
  std::map<std::string, SiteCounts> sites;              // by the name of the table
  std::map<std::string, std::uint64_t> unwanted_types;  // pages, by what --types calls them

  void add_unwanted(const std::string& type);
  void add_failed_seed(FailedSeed seed);
  // Those of another process, which ran at the same time.
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
// The crawl of a folder, whose last commit says `end`: "running (pid 4711)", "killed, can be resumed", why it
// failed, or how it ended.
std::string crawl_state_text(const std::string& folder, CrawlEnd end);

struct HostCounts {
  std::uint64_t known = 0;
  std::uint64_t active = 0;   // with requests under way
  std::uint64_t waiting = 0;  // with pages left, but not to be asked yet
  std::uint64_t given_up = 0;
  std::uint64_t at_budget = 0;  // no more pages of them, or of their domain, are allowed
  std::uint64_t repeating = 0;  // their pages are nearly the same: a trap, or not worth more
};

// Of this run; 0: none.
struct RunBudgets {
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;
};

// Of a crawl by several processes.
struct SharingCounts {
  bool on = false;
  std::uint64_t urls_sent = 0;
  std::uint64_t urls_received = 0;
  std::uint64_t messages_sent = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t partitions = 0;  // held now
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
  std::uint64_t troubles = 0;  // with what is on disk; each is a line of crawl.jsonl
  double guaranteed = -1;      // share of the seeds' PageRank, a lower bound; below 0: not kept
  bool has_topic = false;
  std::string policy;           // the ordering
  std::string policy_why;       // why this one, where nobody asked for it
  double seconds = 0;           // of this run
  std::uint64_t run_pages = 0;  // fetched in this run
  double pages_per_second = 0;  // lately
  double bytes_per_second = 0;
  RunBudgets budgets;
  SharingCounts sharing;
  std::string stall;       // why nothing is being fetched; empty where something is
  std::string failure;     // the last of a host in this run, "example.org: no such host"; empty: none
  std::string last_url;    // of the page that ended last in this run; empty: none has
  std::string last_error;  // the last page that failed in this run, "http://a.test/x: HTTP 404"; or empty
  std::string redirected;  // a seed that redirects out of scope, and where to; empty: none does
  std::string refused;     // an address that was refused, in the fetcher's words; empty: none was
};

// Pages that are not complete.
struct PagesLacking {
  std::uint64_t incomplete = 0;  // something is missing
  std::uint64_t waiting = 0;     // nothing is missing but what is still to be fetched
};

// What is kept with each commit besides the counts, for curves over time.
struct CrawlMoment {
  std::uint64_t queued = 0;
  std::uint64_t requisites_pending = 0;
  // Pages that lack requisites, and that only wait for some; none: an earlier version wrote the commit.
  std::optional<PagesLacking> lacking = {};
  MemoryUse memory;
  double guaranteed = -1;
};

// {"budget": ..., ...}
std::string memory_json(const MemoryUse& use);
// {"pages": ..., ...}, one line.
std::string status_json(const CrawlStatus& status, CrawlEnd end);
// The counts as they are kept with each commit, and back.
std::string counts_to_state(const CrawlCounts& counts, CrawlEnd end, const CrawlMoment& moment = {});
bool counts_from_state(std::string_view state, CrawlCounts& counts, CrawlEnd& end,
                       CrawlMoment* moment = nullptr);

}  // namespace bowerbird
