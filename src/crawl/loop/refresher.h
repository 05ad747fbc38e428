// When held pages are fetched again: the rate, conditional requests, and when a run is over.
//
// The queue of CrawlState chooses the pages (crawl/state/refresh_state.h). The Refresher has what a crash
// may lose: how many fetches the rate allows now, the conditional requests in flight, when importances
// were last updated. A token bucket of one hour keeps the rate: a page is fetched when there is a token,
// never just because a host's delay has passed. A given rate covers all fetches, including new pages. The
// default rate depends on the number of held pages, so new pages need no token then. A round has no rate.
// Ownership: the state outlives it. Threads: one, the crawl's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/time.h"
#include "crawl/config/options.h"
#include "crawl/judge/page_parser.h"
#include "crawl/state/crawl_state.h"
#include "crawl/state/crawl_status.h"

namespace bowerbird {

class Refresher {
 public:
  Refresher(CrawlState& state, const CrawlOptions& options);

  bool is_on() const { return state_.refresh().is_on(); }
  // Replaces the rates.
  void set_rates(const CrawlOptions& options) {
    options_.rate = options.refresh.rate;
    options_.host_rate = options.refresh.host_rate;
  }
  bool is_forever() const { return is_on() && options_.forever && !options_.round; }
  bool is_round() const { return is_on() && options_.round; }

  // Turns refreshing on or off in the state. Pages that the queue does not know become held. fetched:
  // fetch times by page, for pages whose fetch time the state does not know.
  Status begin(Time now, const std::unordered_map<PageId, RefreshTime>& fetched);
  // Whether begin() has added held pages.
  bool holds_more() const { return holds_more_; }
  // Whether the fetch time of some pages is only known to the archive.
  bool needs_fetch_times() const;

  // Whether new pages, held ones or both may be chosen now; none: neither. new_pages: whether budgets allow
  // new ones.
  std::optional<RefreshWant> want(Time now, bool new_pages);
  // Nothing could be chosen: when to try again.
  Time nothing_until(RefreshWant asked, Time now);
  Time next_token(Time now) const;
  // Whether all new pages have been fetched, or can never be.
  bool new_pages_ended() const { return new_ended_; }
  // A page was handed out; put_back(): a held page is not fetched after all.
  void taken(PageId page, Time now);
  void put_back(PageId page);
  // When another page of the host may be fetched.
  Time host_opens(HostId host, Time now);
  // When a host that was given up may be asked again; `now`: at once.
  Time reopens(HostId host, Time now);

  // The header fields of a conditional request for a held page. They are remembered until end().
  std::string start_request(PageId page);
  std::string_view sent_fields(PageId page) const;
  bool was_conditional(PageId page) const { return !sent_fields(page).empty(); }
  void end(PageId page) { sent_.erase(page); }
  // Until when the server declared the page fresh, in the crawl's time; Time{}: it may be fetched.
  Time fresh_until(PageId page, Time now) const;

  // The event for a response. known: the record of the last visit.
  PageVisited visit_of(PageId page, const AnswerFacts& facts, std::uint64_t digest, std::uint64_t bytes,
                       const VisitRecord& known, Time now) const;
  // Applies the dates of a sitemap to the listed pages, with one event per host.
  void list(const ParsedPage& parsed, const std::vector<PageId>& pages, Time now);

  // Periodic work: importances and estimates.
  void watch(Time now, VisitCounts& counts);
  void estimate(Time now, VisitCounts& counts) const;
  // Counts a visit that ended in this run, first visits included.
  void count_visit() { ++visits_; }
  bool is_round_full() const {
    return is_round() && options_.round_pages > 0 && visits_ >= options_.round_pages;
  }
  bool round_has_room() const {
    return !is_round() || options_.round_pages == 0 || visits_ + state_.in_flight() < options_.round_pages;
  }

 private:
  struct Bucket {
    double tokens = 0;
    RefreshTime filled{};
    void fill(RefreshTime now, double per_day);
  };
  double rate() const;
  // Whether new pages need tokens.
  bool counts_new() const { return options_.rate.has_value(); }
  RanksComputed ranks_from(RanksOf source, bool recount) const;
  void watch_importance(Time now);
  Time when(const Bucket& bucket, double per_day, Time now) const;

  CrawlState& state_;
  CrawlOptions::Refresh options_;
  Seconds shortest_;  // the shortest interval of all sites; pages of sites with longer ones wait when they
                      // are chosen
  Bucket bucket_;
  std::unordered_map<HostId, Bucket> hosts_;
  std::unordered_map<HostId, RefreshTime> given_up_;
  std::unordered_map<PageId, std::string> sent_;
  bool new_ended_ = false;
  bool holds_more_ = false;
  std::uint64_t visits_ = 0;
  std::uint64_t most_links_bytes_ = 0;  // memory limit for the links whose PageRank is the importance
  std::uint64_t ranks_ = 0;             // recomputations of the ordering when importances were last updated
  std::uint64_t ranked_ = 0;  // pages crawled when the ordering was last made to recompute its ranks
  Time last_importance_{};
  Time last_estimate_{};
};

}  // namespace bowerbird
