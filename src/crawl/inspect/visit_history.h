// The visits of a crawl's pages, from its journal: time, outcome, whether the page had changed.
//
// Read up to the last commit, whether or not the crawl is running. Only reads; threads: any.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "crawl/state/events.h"
#include "crawl/state/restored_crawl.h"

namespace bowerbird {

// "fetched" for a first visit; otherwise "changed", "unchanged", "not-modified", "unknown" (nothing to
// compare with), "failed", "missing" or "gone".
std::string_view visit_outcome(const PageVisited& visit);
inline bool found_change(const PageVisited& visit) {
  return visit_outcome(visit) == "changed";
}

Status each_visit(const CrawlReader& crawl, const std::function<void(const PageVisited&)>& take);

// [{"time": ..., "outcome": ..., "changed": ..., "status": ...}, ...], oldest first.
Result<nlohmann::json> visits_json(const CrawlReader& crawl, PageId page);

// A page that is new or has changed.
struct ChangedPage {
  PageId page = kNoPage;
  bool is_new = false;
  RefreshTime time{};  // of the last visit that found it new or changed
};
// Pages that were first fetched, or found changed, at or after `since`, in the order of their ids.
// Pages that are gone by now are left out.
Result<std::vector<ChangedPage>> changed_pages(const CrawlReader& crawl, RefreshTime since);

// Adds what the refresh queue of a restored crawl knows about a page: rate, its uncertainty, when it is
// due.
void add_refresh_facts(const CrawlState& state, PageId page, nlohmann::json& json);

// Estimates for the held pages of a host, by the learned rates.
struct HostFreshness {
  std::string host;
  std::uint64_t held = 0;
  double freshness = 0;
  double age = 0;  // days
};
struct ChangeablePage {
  std::string url;
  double rate = 0;  // changes per day
  double importance = 0;
};
struct HeldReport {
  HeldEstimate all;
  std::vector<HostFreshness> hosts;        // most pages first
  std::vector<ChangeablePage> changeable;  // highest rate first
};
HeldReport held_report(const CrawlState& state, std::size_t most);

// "2026-01-31T12:00:00Z"
std::string moment_text(Duration since_1970);

}  // namespace bowerbird
