// The snapshot that the crawl's thread publishes about four times a second: everything that the live page,
// event streams and metrics show without a question to the crawl's thread.
//
// Immutable once published, and shared by all readers. Plain data; threads: any.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "crawl/config/options.h"
#include "crawl/loop/activity.h"
#include "crawl/state/control_state.h"
#include "crawl/state/crawl_status.h"

namespace bowerbird {

struct DiskSpace {
  std::uint64_t free = 0;
  std::uint64_t total = 0;
};
DiskSpace disk_space(const std::string& folder);

// A pause or a block.
struct RuleView {
  RuleTarget target = RuleTarget::kEverything;
  std::string value;
  std::uint64_t since = 0;  // ms since 1970
};

struct LiveSnapshot {
  std::string folder;
  std::int64_t now_ms = 0;      // wall clock
  std::int64_t started_ms = 0;  // of this run
  CrawlStatus status;
  CrawlEnd end = CrawlEnd::kNotYet;
  bool is_live = true;  // false: read from the folder
  double errors_per_second = 0;
  std::uint64_t connections = 0;
  std::uint64_t commits = 0;
  std::int64_t last_commit_ms = 0;
  std::string last_url;
  std::int64_t last_page_ms = 0;
  ResponseTimes response_times;
  bool may_work = true;  // fleet: the lease is held
  DiskSpace disk;
  std::vector<RuleView> pauses, blocks;
  std::uint64_t changes_made = 0;
  std::shared_ptr<const std::deque<Change>> changes;           // the latest last
  std::shared_ptr<const CrawlOptions> options;                 // current options
  std::shared_ptr<const std::vector<std::string>> by_command;  // names of options set by commands
  CrawlCounts base;                                            // counts when the process began
  SharingCounts base_sharing;

  bool is_paused() const;
};

// "2026-01-31T12:00:00.000Z"
std::string time_text(std::int64_t ms);

// Number of finished pages that failed.
std::uint64_t failed_pages(const CrawlCounts& counts);
// Number of distinct outcomes among the failures.
std::uint64_t failure_kinds(const CrawlCounts& counts);

}  // namespace bowerbird
