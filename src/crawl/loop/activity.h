// Recent events of a crawl, for its live page: the last results, examples of each outcome, broken links,
// response times.
//
// Everything is bounded and cheap per page. It is lost with the process; after a resume the live page adds
// the counts, examples and broken links of earlier runs from crawl.jsonl. Threads: one, the crawl's.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "crawl/judge/outcome_table.h"
#include "store/links.h"

namespace bowerbird {

// A page that was finished or visited again.
struct PageResult {
  Time time{};
  PageId page = kNoPage;
  HostId host = 0;
  Outcome outcome = Outcome::kFetched;
  std::uint16_t status = 0;  // HTTP; 0: there was no response
  std::uint32_t bytes = 0;
  std::uint32_t ms = 0;
};

// A page that is gone, and pages that link to it.
struct BrokenLink {
  PageResult result;
  std::uint64_t links = 0;
  std::vector<PageId> from;  // some of them
};

struct HostActivity {
  std::uint64_t failed = 0;
  std::uint64_t bytes = 0;
};

// A histogram of seconds by upper bound. The last bucket has no bound, as in Prometheus.
struct ResponseTimes {
  static constexpr std::array<double, 12> kBounds = {0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
                                                     1,    2.5,   5,    10,  30,   120};
  std::array<std::uint64_t, kBounds.size() + 1> counts{};
  double sum = 0;
};

class Activity {
 public:
  static constexpr std::size_t kResults = 4096;
  static constexpr std::size_t kExamples = 5;
  static constexpr std::size_t kBroken = 2000;
  static constexpr std::size_t kHosts = 100'000;

  void done(const PageResult& result, PageId via);
  void responded(double seconds);
  // The page has these links.
  void found_links(PageId page, std::span<const StoredLink> links);
  void found_trap(PageId page);

  // ---- What happened before this run
  void add_earlier_host(HostId id, const HostActivity& host);
  // The latest first.
  void add_earlier_example(const PageResult& result);
  void add_earlier_broken(const PageResult& result);

  // The latest is the last one.
  const std::deque<PageResult>& results() const { return results_; }
  // How many there were in this run, including those no longer kept.
  std::uint64_t results_made() const { return results_made_; }
  const std::deque<PageResult>& examples(Outcome outcome) const {
    return examples_[static_cast<std::size_t>(outcome)];
  }
  const std::deque<PageId>& traps() const { return traps_; }
  const std::unordered_map<PageId, BrokenLink>& broken() const { return broken_; }
  const ResponseTimes& response_times() const { return response_times_; }
  PageId last_page() const { return last_page_; }  // fetched; kNoPage: none
  Time last_page_time() const { return last_page_time_; }
  // Zero if nothing happened, or if the table was full.
  HostActivity host(HostId id) const;

 private:
  std::deque<PageResult> results_;
  std::uint64_t results_made_ = 0;
  std::array<std::deque<PageResult>, kOutcomes> examples_;
  std::deque<PageId> traps_;
  std::unordered_map<PageId, BrokenLink> broken_;
  std::unordered_map<HostId, HostActivity> hosts_;
  ResponseTimes response_times_;
  PageId last_page_ = kNoPage;
  Time last_page_time_{};
};

}  // namespace bowerbird
