// When held pages are fetched again: the rate, the fields of conditional requests, and when a run is over.
//
// The queue of CrawlState chooses the pages (crawl/state/refresh_state.h); here is what a crash may lose: how
// many fetches the rate allows now, what was asked, when importances were last updated. A token bucket of an
// hour keeps the rate: pages are fetched when a token is there, never because a host's delay has passed. A
// given rate is the budget of all fetches, new pages included. The default rate depends on the pages held, so
// that new pages need no token there. A round has no rate. Ownership: the state outlives it. Threads: one,
// the crawl's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "crawl/config/options.h"
#include "crawl/judge/page_parser.h"
#include "crawl/state/crawl_state.h"
#include "crawl/state/crawl_status.h"

namespace bowerbird {

class Refresher {
 public:
  Refresher(CrawlState& state, const CrawlOptions& options);

  bool is_on() const { return state_.refresh().is_on(); }
  // Rates from here on.
  void set_rates(const CrawlOptions& options) {
    options_.rate = options.refresh.rate;
    options_.host_rate = options.refresh.host_rate;
  }
  bool is_forever() const { return is_on() && options_.forever && !options_.round; }
  bool is_round() const { return is_on() && options_.round; }

  // Turns refreshing on or off in the state; pages that the queue does not know are held from here on.
  // fetched: when pages were fetched of which the state does not know it, by page.
  Status begin(Time now, const std::unordered_map<PageId, Time>& fetched);
  // Whether begin() has added pages to those held.
  bool holds_more() const { return holds_more_; }
  // Whether there are pages of which only the archive knows when they were fetched.
  bool needs_fetch_times() const;

  // What may be chosen now; none: nothing. new_pages: whether budgets allow any.
  std::optional<RefreshWant> want(Time now, bool new_pages);
  // Nothing could be chosen: until when.
  Time nothing_until(RefreshWant asked, Time now);
  Time next_token(Time now) const;
  // No new page can be fetched any more.
  bool new_pages_ended() const { return new_ended_; }
  // A page was handed out; or a held one is not fetched after all.
  void taken(PageId page, Time now);
  void put_back(PageId page);
  // When another page of the host may be fetched.
  Time host_opens(HostId host, Time now);
  // When a host that was given up may be asked again; `now`: now.
  Time reopens(HostId host, Time now);

  // The fields of a conditional request for a held page, which is remembered until end().
  std::string start_request(PageId page);
  std::string_view sent_fields(PageId page) const;
  bool was_conditional(PageId page) const { return !sent_fields(page).empty(); }
  void end(PageId page) { sent_.erase(page); }
  // The server declared the page fresh until then, in the crawl's time; 0: it may be fetched.
  Time fresh_until(PageId page, Time now) const;

  // The event of an answer. known: of the last visit.
  PageVisited visit_of(PageId page, const AnswerFacts& facts, std::uint64_t digest, std::uint64_t bytes,
                       const VisitRecord& known, Time now) const;
  // What the dates of a sitemap mean for the pages that it lists: one event per host.
  void list(const ParsedPage& parsed, const std::vector<PageId>& pages, Time now);

  // Now and then: importances and estimates.
  void watch(Time now, VisitCounts& counts);
  void estimate(Time now, VisitCounts& counts) const;
  // Visits that ended in this run, first ones too.
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
    Time filled = 0;  // refresh time
    void fill(Time now, double per_day);
  };
  double rate() const;
  // Whether new pages are part of the budget.
  bool counts_new() const { return options_.rate.has_value(); }
  RanksComputed ranks_from(RanksOf source, bool recount) const;
  void watch_importance(Time now);
  Time when(const Bucket& bucket, double per_day, Time now) const;

  CrawlState& state_;
  CrawlOptions::Refresh options_;
  Seconds shortest_;  // of all sites; those with longer intervals wait when they are chosen
  Bucket bucket_;
  std::unordered_map<HostId, Bucket> hosts_;
  std::unordered_map<HostId, Time> given_up_;
  std::unordered_map<PageId, std::string> sent_;
  bool new_ended_ = false;
  bool holds_more_ = false;
  std::uint64_t visits_ = 0;
  std::uint64_t most_links_bytes_ = 0;  // memory for the links whose PageRank is the importance
  std::uint64_t ranks_ = 0;             // recomputations of the ordering that importances follow
  std::uint64_t ranked_ = 0;            // pages crawled when it was last told to recompute them
  Time last_importance_ = 0;
  Time last_estimate_ = 0;
};

}  // namespace bowerbird
