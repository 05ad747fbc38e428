// Decides which page is next: every page's state, the queue of discovered pages by score, host gates, and the
// strategy that decides which links enter. The lab and the live crawler both run this class.
//
// A page is in exactly one state and only the frontier changes it:
//   undiscovered -> queued -> in flight -> done, or in flight -> waiting -> queued.
// Invariant: next() hands out the page with the best score among the queued pages whose host's gate is open
// at `now` (among equals the one discovered first). If the host was last blocked by a shared gate, that gate
// must be open too. Pages that are queued, in flight or waiting are uncrawled: links to them change their
// score until they are completed. Gates cost nothing if they are never set (the lab). Memory: 4 bytes per
// page id, 16 per queued page, more only for pages in flight, waiting or behind a closed gate. With a limit
// the queue keeps its best part in memory and the rest in a SpillStore (frontier/score_queue.h). Then only 8
// bytes per page id grow. If pages behind closed gates fill a quarter of the limit, next() waits for a gate
// to open instead of looking further down the queue. group_by_host() makes best_of() possible: then the queue
// has only the best page of each host, and the others are parked behind it, for 20 bytes more per queued
// page. Threads: one owner. Time is an argument and never runs backwards.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/result.h"
#include "base/spill_store.h"
#include "base/time.h"
#include "frontier/gates.h"
#include "frontier/off_queue.h"
#include "frontier/score_queue.h"
#include "frontier/strategy.h"
#include "policy/policy.h"

namespace bowerbird {

// Which process crawls the target of a link, if several processes share a crawl [001].
enum class LinkRoute : std::uint8_t {
  kLocal,
  kRemote,   // another process, to which the link is sent
  kDropped,  // the link is not sent: firewall mode, or a URL that every process knows
};

// A link as it was found on a page; distinct targets, in the order of out(v).
struct Link {
  PageId page = 0;
  bool other_host = false;
  LinkRoute route = LinkRoute::kLocal;
  bool on_topic = false;  // its text contains a word of the topic
};

struct SeedPage {
  PageId page = 0;
  double weight = 1;
  bool light = false;  // Seed::light
};

// What a page's URL shows; asked once per discovered page, and only if ordering or strategy needs it.
using HintSource = std::function<PageHints(PageId)>;
using HostSource = std::function<HostId(PageId)>;

struct FrontierOptions {
  std::string strategy = "all";      // a spec: all, sydney@8, sydney@8:budget=5%, shallow@8, truncated@8
  std::uint64_t expected_pages = 0;  // the pages of which a budget in percent is a share
  std::uint64_t seed = 1;            // of all random numbers in the strategy
  // upper bound of the ids, if known from the start (lab); grows with the ids otherwise
  PageId page_capacity = 0;
  std::uint64_t queue_bytes = 0;  // memory limit of the queued pages; 0: none
  // for the pages beyond the limit; outlives the frontier. Required with a limit
  SpillStore* spill = nullptr;
};

// A page that moves from one process to another.
struct MovedPage {
  PageId page = 0;
  std::uint32_t discovered = 0;
  bool done = false;
  Score score = 0;  // if it is not done
};

struct Job {
  PageId page = 0;
  bool links_only = false;  // already crawled: its remaining links are needed (lab: pass its links again)
};

struct FrontierCounts {
  std::uint64_t discovered = 0;  // in total
  std::uint64_t crawled = 0;
  std::uint64_t primary = 0;    // |P|: queued now (including waiting pages and pages to visit again)
  std::uint64_t secondary = 0;  // |S|
  std::uint64_t in_flight = 0;
  std::uint64_t waiting = 0;
  std::uint64_t links_only = 0;  // crawled pages that gave their remaining links
  std::uint64_t dropped = 0;     // links to new pages (seeds) rejected by a budget or a truncating strategy
  double dropped_worth = 0;      // their worth according to the ordering (Policy::merit), if it judges
  std::uint64_t peak = 0;        // largest |P| + |S|
};

class Frontier {
 public:
  // Fails on a bad strategy spec. hints / hosts may be empty if ordering, strategy and gates do not need
  // them.
  static Result<std::unique_ptr<Frontier>> make(const FrontierOptions& options,
                                                std::unique_ptr<Policy> policy, HintSource hints = {},
                                                HostSource hosts = {});
  Frontier(const Frontier&) = delete;
  Frontier& operator=(const Frontier&) = delete;

  // Discovers these pages as seeds; known pages are left unchanged. Their weights are relative to `total`, or
  // to their own sum if that is 0.
  void seed(std::span<const SeedPage> seeds, double total = 0);

  // The best page that may be fetched at `now`; none if the queue is empty or every gate is closed. No other
  // call may come between best() and take() or block() of its result.
  std::optional<Job> best(Time now);
  // The page is now in flight.
  void take(const Job& best);
  // No request may be sent to the host of the page before `opens`: a gate that only the caller knows. If it
  // is a shared gate, the host waits behind it until a page of the host is handed out. When the gate opens,
  // only the best page behind it returns to the queue, so that hosts with one address do not wake all at
  // once.
  void block(const Job& best, Time opens, SharedGateId gate = kOwnGate);
  // best() and take().
  std::optional<Job> next(Time now);
  // Hands out this job, whatever its score and gate: when a journal is replayed, and when another queue or a
  // command has chosen the page. False if that is impossible: the page is not queued, or has no links to
  // give.
  bool take_page(const Job& job, Time now);
  // The same for a call of best() that found nothing or a page that was blocked.
  void wait_until(Time now) { wake(now); }
  // From now on the pages are grouped by host. Only without a memory limit, a strategy and shared gates.
  void group_by_host();
  bool is_grouped() const { return grouped_; }
  // If grouped: the best page of this host that may be fetched at `now`. The ordering is not asked to advance
  // or to confirm it. take_page() hands it out.
  std::optional<QueueItem> best_of(HostId host, Time now);
  // Asks the ordering whether the queued page still has its score (Policy::confirm). True: it has a lower one
  // from now on.
  bool demote(PageId page);
  // For a page that is being visited again: how many pages were completed before it was.
  std::optional<std::uint64_t> row_in_visit(PageId page) const;
  // If nothing could be handed out: the earliest time at which something may be; none if the queue is empty.
  std::optional<Time> next_opening() const;

  // The page in flight has been fetched and has these links (none if it failed for good). Links that are not
  // local count in O(v) and do not enter. on_topic: the page's content is about the topic of the crawl.
  // Returns the worth of the page, which the owner of a remote link needs.
  Visit complete(PageId page, std::span<const Link> links, bool on_topic = false);
  // Another process has crawled a page with this worth, with these links to pages that are ours. No strategy
  // holds them back, but a budget may reject new ones.
  void receive(const Visit& visit, std::span<const Link> links);
  // Gives these pages to another process. Returns what is known about them, crawled ones first, the others in
  // order of discovery. The uncrawled ones are undiscovered here from now on, without notice to the ordering.
  // Crawled ones stay done: the ordering has counted them, and must never count them again.
  std::vector<MovedPage> release(std::span<const PageId> pages);
  // The page comes from another process with its score, or done; the ordering is not notified. A page that is
  // already discovered is left unchanged; one that does not fit into a budget is lost.
  void adopt(PageId page, bool done, Score score);
  // A page that is done is queued again, with this score.
  void reopen(PageId page, Score score);
  // Discovery numbers begin at 0 again. There must be no pages that are not done, and no ordering may use
  // them.
  void restart_numbers();
  // The page in flight no longer belongs to the crawl: it is now undiscovered; the ordering is not notified.
  void forget(PageId page);
  // Retries the page in flight, not before `due`.
  void retry(PageId page, Time due);
  // The waiting page is queued at once.
  void end_wait(PageId page);
  // Gives the queued page another score; the ordering is not notified.
  void change_score(PageId page, Score score);
  // No page of this host is handed out before `opens`; for a shared gate, no page of any host behind it.
  void set_gate(HostId host, Time opens, SharedGateId gate = kOwnGate);

  PageState state(PageId page) const;
  // One past the largest page ever discovered.
  PageId pages() const { return queue_.pages(); }
  std::optional<QueueItem> item(PageId page) const;  // of a discovered, uncrawled page
  std::optional<Score> score(PageId page) const;     // the same
  std::optional<Time> due(PageId page) const;        // of a page that waits for a retry
  std::vector<PageId> in_flight() const;             // after a restart: the pages to retry
  const FrontierCounts& counts() const { return counts_; }
  // The best queued pages in memory, best first, whether their gates are open or not. If the ordering
  // recomputes scores late (Policy::confirm), these are the stored ones.
  std::vector<QueueItem> best_queued(std::size_t most) const;
  // Hosts that have pages and whose gate is closed.
  std::uint64_t hosts_waiting() const;
  std::uint64_t bytes() const;  // all memory, including the ordering's
  // Changes the memory limit of the queued pages; only if there was a limit from the start.
  void limit_queue(std::uint64_t bytes);
  const ScoreQueue::SpillCounts& spilled() const { return queue_.spilled(); }
  // Lets the ordering recompute its ranks now, if it has any that are not up to date.
  void recompute_ranks();
  // How often the ordering has recomputed all scores since this object was created.
  std::uint64_t recomputations() const { return recomputations_; }
  // An error: the memory limit of the queue or the ordering is exceeded, because nothing can be written.
  Status status() const;
  // Errors of spilled data since the last call; the crawl continues.
  std::vector<std::string> take_troubles();
  Policy& policy() { return *policy_; }
  const Policy& policy() const { return *policy_; }

  // All state; for spilled pages only their location. load() into a Frontier made with the same options and a
  // new policy of the same spec; an error leaves it unusable.
  void save(ByteWriter& out) const;
  Status load(ByteReader& in);

 private:
  Frontier(const FrontierOptions& options, Strategy strategy, std::unique_ptr<Policy> policy,
           HintSource hints, HostSource hosts);

  // next()
  void wake(Time now);
  bool links_only_is_best() const;
  bool advance_policy();
  bool park_closed_top(Time now);
  void park_top(HostId host, SharedGateId gate);
  void enqueue(const QueueItem& item);
  void park_queued(PageId page, HostId host);
  void set_in_flight(const QueueItem& item);
  bool parked_enough() const;
  std::uint64_t parked() const { return gates_.parked() + shared_gates_.parked(); }
  std::optional<Time> next_gate_opening() const;
  Gates& table_of(SharedGateId gate) { return gate == kOwnGate ? gates_ : shared_gates_; }
  void park(OffQueue::Slot slot, HostId host, SharedGateId gate);
  SharedGateId parked_behind(PageId page) const;
  void unpark_shared(PageId page);
  void leave_shared_gate(HostId host);
  void release_better(Gates& gates, std::uint32_t id);
  void release_all();
  void drop_representative(PageId page);
  void replace_representative(PageId page);

  // complete()
  double worth_of_new();
  Visit take_visit(PageId page, std::span<const Link> links);
  void collect_open(std::span<const Link> links);
  void skip_given(std::uint32_t given_below);
  std::uint32_t number_new();
  void enter(const Visit& visit, const SecondaryPage* held);
  Admission choose(const Visit& visit, bool first, std::uint32_t new_links);
  bool below_median(Score score) const;
  void apply();
  void finish_links();

  // load()
  void load_done(ByteReader& in);
  void load_off_queue(ByteReader& in, const QueueItem& item, PageState state, Time due);
  bool fits(const QueueItem& item) const;

  std::span<OpenLink> open() { return {open_.data(), open_count_}; }
  QueueItem item_of(PageId page, ScoreQueue::Mark mark) const;
  void set_score(PageId page, ScoreQueue::Mark mark, Score score);
  void rescore_all();
  std::uint64_t primary() const;
  std::uint64_t budget_used() const;
  void note_lengths();

  FrontierOptions options_;
  std::unique_ptr<Policy> policy_;
  HintSource hints_;
  HostSource hosts_;
  Policy::Emit emit_;

  ScoreQueue queue_;
  OffQueue off_queue_;
  Gates gates_;                                               // of hosts
  Gates shared_gates_;                                        // by SharedGateId
  std::unordered_map<HostId, SharedGateId> behind_;           // hosts that were last blocked by a shared gate
  std::unordered_map<PageId, SharedGateId> representatives_;  // the representatives of shared gates
  std::set<std::pair<Time, PageId>> waiting_;
  Strategy strategy_;
  FrontierCounts counts_;
  Time now_{};
  std::uint64_t most_parked_ = ~std::uint64_t{0};
  std::uint64_t recomputations_ = 0;
  bool grouped_ = false;

  // Scratch of complete().
  std::vector<OpenLink> open_;
  std::size_t open_count_ = 0;
  std::uint32_t away_ = 0;
  std::vector<PageId> all_;
};

}  // namespace bowerbird
