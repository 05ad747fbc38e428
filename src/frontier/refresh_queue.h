// Which page to fetch next in a continuous crawl: an old one again, or a new one for the first time.
//
// Problem: the value V of every page (policy/refresh_rules.h) grows with time, and the page with the largest
// value is wanted, among the hosts whose gate is open. Values that all change cannot be kept sorted. So each
// page is filed under a *level*, an upper bound of its value that holds until a known time. Levels are 5 %
// apart. A page that is far from being fetched is filed under the level at which pages are currently fetched
// (the price), or somewhat below, until the time at which V reaches it. Only then is it checked again, and
// filed under the level of its value. After many importances have changed, the price is high for a while.
// Then most pages are filed under the price before the change (the rest level), and only pages whose value is
// above that are filed near the current price. The page to fetch is the one with the largest level, and among
// these the first to leave it. It is checked. If its value is below the next lower level, it is filed lower,
// and the next page is checked. In this way all pages follow when the price falls.
//
// A check costs mostly cache misses, so pages are checked many at a time: those that must be checked soon are
// filed together with those that must be checked now, by their value at the later time, which is an upper
// bound until then. A page that was just fetched is filed below the price at once if its value will be far
// below the price when the shortest interval ends. If it becomes the best page before that, it waits.
//
// Invariant: at the time of the last call, no page's value is above the level that it is filed under, except
// for the rounding of times (a tenth of a per cent). So the page from choose() has at least 0.95 of the
// largest value, whatever the prices are: they only determine the amount of work. In a small collection all
// pages of the largest level are checked, and the best one is chosen, the lowest number among equals. Pages
// are in blocks of eight. The blocks of a host and the hosts with an open gate are in a RefreshTournament
// each, so that a closed gate costs nothing. Hosts that are always behind because of politeness have their
// own price.
//
// Pages that were never fetched are in a second queue of the same kind. The better of the two best pages is
// chosen, within the limits for the share of new pages. A page that has waited longer than the longest
// interval is chosen first, oldest first, for at most a tenth of all choices.
//
// Rates are learned from visits or given. Memory: 28 bytes per page, about 3 for its block, and about 300 per
// host. The same calls give the same results; a choose() that returns nothing does not change later results.
// Threads: one owner. Time is an argument and never runs backwards. Times are counted in quarters of a second
// from an origin that moves about every nine years; a page that was fetched more than eight years before a
// move counts as fetched then.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/lazy_array.h"
#include "base/result.h"
#include "base/time.h"
#include "frontier/refresh_level.h"
#include "frontier/refresh_page.h"
#include "frontier/refresh_tournament.h"
#include "policy/change_rate.h"
#include "policy/refresh_rules.h"
#include "policy/registry.h"

namespace bowerbird {

inline constexpr Duration kHour = 1h;
inline constexpr Duration kDay = 24h;
// Limit of the intervals in RefreshOptions.
inline constexpr Duration kLongestRefreshInterval = 3650 * kDay;

struct RefreshOptions {
  const RefreshRule* rule = nullptr;  // required
  bool learn = true;                  // false: rates are given by set_rate()
  // Whether a page's prior is the rate of its host. False: that of all pages, updated only at its own visits.
  bool host_rates = true;
  Duration shortest = kHour;         // minimum interval between two fetches of a page; 0: none
  Duration longest = 90 * kDay;      // a page that has waited this long is overdue; 0: never
  double overdue_share = 0.1;        // maximum share of overdue pages in all choices
  std::uint64_t exact_pages = 4096;  // up to this many pages the exact best one is chosen
  double least_new = 0;              // minimum share of new pages in all choices, if there are any
  double most_new = 1;               // maximum share, if there are other pages
  // One round: only pages fetched at least `shortest` before this time are fetched again; RefreshTime{}: no
  // round.
  RefreshTime round{};
};

enum class RefreshWant : std::uint8_t { kAny, kNew, kHeld };

struct RefreshChoice {
  PageId page = 0;
  double value = 0;
  bool is_new = false;   // never fetched
  bool overdue = false;  // chosen because it has waited for the longest interval
};

enum class RefreshOutcome : std::uint8_t {
  kChanged,
  kUnchanged,
  kFailed,  // no information; the waiting time of the page starts again
  kGone,    // the page is removed
};

struct RefreshVisit {
  RefreshTime time{};
  RefreshOutcome outcome = RefreshOutcome::kUnchanged;
  // From the response, if it had both; used if they are credible.
  std::optional<RefreshTime> last_modified = {};
  std::optional<RefreshTime> date = {};
};

// All that is known about a page; another process can continue with it.
struct RefreshFacts {
  double importance = 0;
  double rate = 0;      // changes per day
  RefreshTime since{};  // the last fetch, or the discovery of a page that was never fetched
  bool is_new = false;
  ChangeHistory history;
};

struct RefreshCounts {
  std::uint64_t held = 0;  // pages in the queue, including those in flight
  std::uint64_t new_pages = 0;
  std::uint64_t choices = 0;
  std::uint64_t new_choices = 0;
  std::uint64_t overdue_choices = 0;
};

// How often pages were refiled without being fetched, for benches.
struct RefreshWork {
  std::uint64_t woken = 0;    // their value had reached their level
  std::uint64_t lowered = 0;  // their value was below it
  std::uint64_t changed = 0;  // their importance or rate had changed, with that of their host
};

class RefreshQueue {
 public:
  // hosts: the host of each page; empty: all pages are on host 0.
  explicit RefreshQueue(const RefreshOptions& options, HostOf hosts = {});

  // A page that was never fetched, and one that was. Known pages are left unchanged.
  void discovered(PageId page, double importance, RefreshTime now);
  void hold(PageId page, double importance, RefreshTime fetched);
  void adopt(PageId page, const RefreshFacts& facts);
  // Removes the page, which must be known.
  void remove(PageId page);

  // The page to fetch now, which is then in flight; none if no page may be fetched.
  std::optional<RefreshChoice> choose(RefreshTime now, RefreshWant want = RefreshWant::kAny);
  // choose() in two steps. No other call may come between them.
  std::optional<RefreshChoice> best(RefreshTime now, RefreshWant want = RefreshWant::kAny);
  void take(const RefreshChoice& best);
  // Hands out this page, which is known and not in flight, regardless of its value. Not counted as a choice.
  void take_page(PageId page);
  // The page is no longer in flight, and is not fetched before `until`.
  void postpone(PageId page, RefreshTime until);
  // The result of a visit. The page must be known, but need not be in flight.
  void visited(PageId page, const RefreshVisit& visit);
  // These pages of a host are reported to have changed (a new `lastmod` in a sitemap). They are due at once,
  // with the limit of V as their value: w/Δ under `index`, above all others if V has no limit. False if the
  // host has reported changes too often without reason. Takes time in proportion to the pages of the host.
  bool announced(HostId host, std::span<const PageId> pages, RefreshTime now);

  // Whether a host may be asked now; all may at first. want: for new pages, held ones, or both.
  void set_gate(HostId host, bool open, RefreshWant want = RefreshWant::kAny);

  // From here on the queue has these options.
  void set_options(const RefreshOptions& options, RefreshTime now);
  const RefreshOptions& options() const { return options_; }

  // Importances are on any scale, the same for all pages; smaller ones than kLeastImportance count as that.
  // The second call updates all pages of a host in one pass: importance(page, its importance until now). This
  // is faster than one by one, since a single page has to be searched for among those of its host.
  static constexpr double kLeastImportance = 1e-20;
  void set_importance(PageId page, double importance);
  void set_importance(HostId host, const std::function<double(PageId, double)>& importance);
  void set_rate(PageId page, double rate);

  bool knows(PageId page) const { return page < records_.size() && records_[page].known(); }
  // Of a known page. Rate and importance require a search among the pages of its host.
  double rate(PageId page) const { return slot_of(page).rate; }
  double importance(PageId page) const { return slot_of(page).importance; }
  bool is_new(PageId page) const { return records_[page].is_new(); }
  bool is_in_flight(PageId page) const { return in_flight_.contains(page); }
  // visit(page, facts) for each page, without its history.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (const Host& host : hosts_) {
      for (const Side side : {kHeld, kNew}) {
        for (const RefreshSlot& slot : host.sides[side].slots) {
          visit(PageId{slot.page},
                RefreshFacts{slot.importance, slot.rate, time_of(slot.since), side == kNew, {}});
        }
      }
    }
  }
  RefreshFacts facts(PageId page) const;
  double value(PageId page, RefreshTime now) const;
  // When the page's value reaches price(), but not before the shortest and not after the longest interval;
  // none: never.
  std::optional<RefreshTime> due(PageId page) const;

  // When nothing could be chosen: the earliest time at which something can, if no gate changes.
  std::optional<RefreshTime> next_time(RefreshWant want = RefreshWant::kAny) const;
  // Whether the maximum share of new pages allows one to be chosen now.
  bool new_is_allowed() const { return most_new_due_ >= 1 || counts_.held == 0; }
  // The value of the last choice.
  double price() const { return price_; }
  double host_rate(HostId host) const;
  HostId hosts() const { return static_cast<HostId>(hosts_.size()); }
  // One past the largest page that was ever known.
  PageId pages() const { return static_cast<PageId>(records_.size()); }
  // Replaces the function given to the constructor; it must return the same hosts.
  void set_hosts(HostOf hosts) { host_of_ = std::move(hosts); }
  const RefreshCounts& counts() const { return counts_; }
  std::uint64_t bytes() const;
  const RefreshWork& work() const { return work_; }

  // All state. load() into a queue made with the same options; an error leaves it unusable.
  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  struct Fixed;
  enum Side : unsigned { kHeld, kNew };
  static constexpr unsigned kBlock = 8;
  using Tick = std::uint32_t;

  struct Pages {
    std::vector<RefreshSlot> slots;
    RefreshTournament blocks;
    bool ascending = true;   // by page
    RefreshLevel price = 0;  // of the last choice
  };
  struct Host {
    std::array<Pages, 2> sides;
    ChangeHistory history;
    double rate = 0;                          // the prior that the rates of its pages were computed with
    std::array<bool, 2> open = {true, true};  // by side
    std::uint32_t announced = 0;              // visits after announcements
    std::uint32_t confirmed = 0;              // of those, visits that found a change
  };
  struct Position {
    HostId host;
    Side side;
    std::uint32_t slot;
  };
  struct Step {
    HostId host;
    RefreshTournament::Node node;
  };
  struct Found {
    Position position;
    RefreshChoice choice;
  };
  // Levels at which pages are filed: `top` is that of what is fetched now, `rest` that of pages that are far
  // from being fetched, at most `top`.
  struct Prices {
    RefreshLevel rest;
    RefreshLevel top;
  };

  // Time.
  Tick tick(RefreshTime time);
  Tick present(RefreshTime time);
  void advance(RefreshTime time) { now_ = present(time); }
  void move_origin(RefreshTime now);
  RefreshTime time_of(Tick tick) const { return base_ + tick * kTick; }
  static constexpr Duration kTick = 250ms;
  static constexpr double kDaysPerTick = Days(kTick).count();

  // Values and levels.
  double value_at(const RefreshSlot& slot, Side side, Tick now) const;
  bool is_constant(PageId page, Side side) const;
  void file(RefreshSlot& slot, Side side, Tick now, Prices prices, bool far_below);
  void file_by_value(RefreshSlot& slot, Side side, Tick now, Prices prices, bool far_below, double value);
  Prices prices_of(const Pages& pages, Side side) const;
  RefreshOffer offer_of(const RefreshSlot& slot, Side side) const;
  static std::span<RefreshSlot> block_of(Pages& pages, std::size_t block);
  RefreshOffer block_offer(Pages& pages, Side side, std::size_t block) const;
  void update_block(const Position& position);
  void update_host(HostId host, Side side);
  void refile(const Position& position);
  void refile_all(HostId host, bool with_waiting);

  // choose()
  std::optional<Found> best_of(Side side, Tick now);
  std::optional<Found> overdue(Tick now);
  std::optional<Found> pick(Tick now, RefreshWant want);
  void wake(Side side, Tick now);
  bool rests_in_round(Tick since) const;
  Tick shortest_rest() const { return static_cast<Tick>(options_.shortest / kTick); }
  bool is_early(const RefreshSlot& slot, Side side, Tick now) const;
  void rest(RefreshSlot& slot) const;
  bool is_small() const { return counts_.held + counts_.new_pages <= options_.exact_pages; }
  void gather_top(Side side);
  std::optional<double> value_at_level(RefreshSlot& slot, Pages& pages, Side side, Tick now);
  void lower(Side side, RefreshLevel level, Tick ahead, Tick now);
  template <typename Fits, typename Update>
  void sweep(Side side, const Fits& fits, const Update& update);
  template <typename Fits>
  void prefetch(Side side, const Fits& fits);
  void prefetch_best(Side side) const;
  static void prefetch_block(const Pages& pages, std::size_t block);
  std::optional<Found> best_of_block(Side side, HostId host, std::size_t block, RefreshLevel level, Tick now);
  static bool better(const Found& a, const Found& b) {
    return a.choice.value != b.choice.value ? a.choice.value > b.choice.value : a.choice.page < b.choice.page;
  }
  void count(const RefreshChoice& choice);
  void set_price(const Position& position, double value);
  void set_in_flight(const Position& position);

  // Lists of pages.
  static Side side_of(const RefreshRecord& record) { return record.is_new() ? kNew : kHeld; }
  Pages& pages_at(const Position& position) { return hosts_[position.host].sides[position.side]; }
  RefreshSlot& slot_at(const Position& position) { return pages_at(position).slots[position.slot]; }
  const RefreshSlot& slot_of(PageId page) const;
  HostId host_of(PageId page) const { return host_of_ ? host_of_(page) : 0; }
  Host& host_at(HostId host);
  Position position_of(PageId page) const;
  void insert(const RefreshSlot& slot);
  void erase(const Position& position);

  void load_host(ByteReader& in, std::vector<bool>& listed);

  // Rates.
  double prior_of(const Host& host) const;
  double learn(RefreshSlot& slot, Host& host, const RefreshVisit& visit, Tick now);
  void note_prior(HostId host, double prior);

  RefreshOptions options_;
  HostOf host_of_;
  LazyArray<RefreshRecord> records_;
  std::vector<Host> hosts_;
  std::vector<std::pair<HostId, std::uint32_t>> top_;  // scratch of best_of()
  std::vector<Step> steps_;                            // scratch of prefetch()
  std::optional<Position> best_position_;              // of the result of best()
  std::array<RefreshTournament, 2> open_;  // hosts, by side; those with a closed gate offer nothing
  std::unordered_map<PageId, std::uint32_t> in_flight_;  // its slot
  std::unordered_set<PageId> announced_;
  std::unordered_map<PageId, Tick> postponed_;  // until when, if a RefreshSlot would round that too much
  ChangeHistory all_;
  double overall_ = 0;  // the overall rate at the last comparison with hosts
  std::array<RefreshLevel, 2> price_level_{};
  std::array<RefreshLevel, 2> rest_level_{};  // follows the price down at once, and up slowly
  double price_ = 0;
  double least_new_due_ = 0, most_new_due_ = 1, overdue_due_ = 1;  // each: 1 or more: such a choice is due
  RefreshCounts counts_;
  RefreshWork work_;
  bool started_ = false;
  RefreshTime base_{};  // of tick 0
  Tick now_ = 0;
};

}  // namespace bowerbird
