// The journalled part of refreshing: the queue of pages to fetch for the first time or again, with what was
// learned about their changes, which hosts may be asked, and the last visit of each page.
//
// A RefreshStarted event turns it on. From then on the queue chooses the pages, and CrawlState's frontier
// only keeps their states and scores. Invariant while it is on: the queue knows exactly the pages that are
// queued, waiting or in flight in the frontier (new pages) and those that are held. Everything here is a
// function of the events (events.h), so that a replayed journal gives the same queue, and the same choices.
//
// Refresh time: the crawl's time, or a faster one (--time-scale). It continues where the run before ended.
// Gates are in the crawl's time: politeness is not scaled. Threads: one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "crawl/config/options.h"
#include "crawl/state/events.h"
#include "crawl/state/visit_table.h"
#include "frontier/refresh_queue.h"
#include "policy/known_rank.h"

namespace bowerbird {

// Estimates for the held pages at a moment, from the learned change rates.
struct HeldEstimate {
  double freshness = 0;  // share of the importance of held pages whose copy is up to date
  double age = 0;        // days, mean by importance
  std::uint64_t held = 0;
};

class RefreshState {
 public:
  explicit RefreshState(HostOf hosts) : hosts_(std::move(hosts)) {}

  bool is_on() const { return on_; }
  // Null: it was never on.
  const RefreshQueue* queue() const { return queue_.get(); }
  bool knows(PageId page) const { return queue_ && queue_->knows(page); }
  bool is_new(PageId page) const { return queue_->is_new(page); }
  RefreshImportance importance() const { return importance_; }
  VisitTable& visits() { return visits_; }
  const VisitTable& visits() const { return visits_; }

  // Refresh time of a time of the crawl, and back; never stays never.
  RefreshTime time(Time crawl_time) const;
  Time crawl_time(RefreshTime refresh_time) const;

  // ---- Events. Those of pages need is_on() and knows(page), except where they say otherwise.
  void start(const RefreshStarted& event);
  static bool is_sound(const RefreshStarted& event);
  // A visit has happened, whether refreshing is on or not.
  void note_time(RefreshTime time) { latest_ = std::max(latest_, time); }
  void discovered(PageId page, double importance, Time now);  // of a page that is not known
  void hold(PageId page, RefreshTime fetched);                // likewise
  void remove(PageId page);
  void postpone(PageId page, Time until, bool is_revisit);
  void visited(PageId page, const RefreshVisit& visit, bool first);
  // The page leaves for another process: what that needs to know of its visits, empty if nothing is known.
  std::string give(PageId page);
  // The same of a page that is done and has come from another process. It may be forged.
  void adopt(PageId page, std::string_view visits);
  void announced(HostId host, std::span<const PageId> pages, RefreshTime now);
  // Links to a page that is known were seen.
  void count_link(PageId page) { ++links_seen_[page]; }
  std::uint64_t links_uncounted() const { return links_seen_.size(); }
  // Counts visits that found links which their page did not have before.
  void count_later_row() { ++later_rows_; }
  std::uint64_t later_rows() const { return later_rows_; }
  // The links seen, whose PageRank is the importance; null: none are kept.
  KnownRank* links() { return links_.get(); }
  const KnownRank* links() const { return links_.get(); }
  void keep_links(bool keep);
  std::unique_ptr<KnownRank> take_links() { return std::move(links_); }
  // rank: of a page; null: the links seen since are added. Each page's importance is replaced.
  void set_importance(const std::function<double(PageId)>& rank);

  // ---- Choices
  std::optional<RefreshChoice> best(Time now, RefreshWant want);
  void take(const RefreshChoice& best);
  void take_page(PageId page);  // regardless of its value
  // sides: whether new pages of the host, held ones or both have to wait.
  void block(HostId host, Time opens, RefreshWant sides);
  // The same for both.
  void set_gate(HostId host, Time opens, Time now);
  // When nothing could be chosen: the earliest time of the crawl at which something may be; or kNever.
  Time next_opening(RefreshWant want) const;
  bool is_closed(HostId host) const { return closed_.contains(host); }
  // Held pages that are being fetched again.
  bool is_revisit(PageId page) const { return revisits_.contains(page); }
  const std::set<PageId>& revisits() const { return revisits_; }

  HeldEstimate estimate(Time now) const;
  std::uint64_t bytes() const;

  void save(ByteWriter& out) const;
  Status load(ByteReader& in, PageId pages, HostId hosts);

 private:
  struct Fixed;
  struct Moved;
  struct Gate {
    Time opens{};
    RefreshWant sides = RefreshWant::kAny;
  };
  static RefreshOptions options_of(const RefreshStarted& event);
  void open_gates(Time now);

  HostOf hosts_;
  VisitTable visits_;
  std::unique_ptr<RefreshQueue> queue_;
  bool on_ = false;
  RefreshStarted started_;  // the last that turned it on
  RefreshImportance importance_ = RefreshImportance::kAuto;
  RefreshTime base_{};    // of started_.now
  RefreshTime latest_{};  // of the last event
  std::uint64_t later_rows_ = 0;
  std::unordered_map<HostId, Gate> closed_;
  std::set<std::pair<Time, HostId>> openings_;
  std::set<PageId> revisits_;
  std::unordered_map<PageId, std::uint32_t> links_seen_;  // since importances were last set
  std::unique_ptr<KnownRank> links_;
};

}  // namespace bowerbird
