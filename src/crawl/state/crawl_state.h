// The state of a crawl: everything that must survive a crash, and nothing else.
//
// It has the known URLs, the frontier with its ordering, distances from the seeds, hosts and their rules,
// and this process's part of a fleet. Problem: after kill -9 the crawl must continue as if it had never
// stopped. Every change is an event (events.h). The running crawl writes it to the journal and applies
// it; a restored crawl loads a snapshot and applies the events after it. The state is a function of the
// events, so the result is exactly the same. Memory per known page: its entry in the frontier, its host,
// its depth and the page that links to it. Fingerprints, URL texts, the tail of the queue and idle hosts may
// be on disk. Ownership: texts, spill and store outlive it. Threads: one, the crawl's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/run_array.h"
#include "base/time.h"
#include "crawl/judge/page_parser.h"
#include "crawl/state/events.h"
#include "crawl/state/hosts.h"
#include "crawl/state/page_facts.h"
#include "crawl/state/page_priorities.h"
#include "crawl/state/recent_hints.h"
#include "crawl/state/refresh_state.h"
#include "fleet/batch/fleet_state.h"
#include "frontier/frontier.h"
#include "policy/rankmass_bound.h"
#include "store/crawl_store.h"
#include "store/known_urls.h"
#include "store/url_texts.h"
#include "url/directory_numbers.h"

namespace bowerbird {

struct CrawlStateOptions {
  std::string policy = "fpr@100";
  std::string strategy = "all";
  std::uint64_t random_seed = 1;
  std::uint64_t expected_pages = 0;
  bool bound = false;  // track the RankMass bound
  KnownUrlsOptions known;
  PolitenessOptions politeness;
  HostTableOptions hosts;
  std::string robots_token = "bowerbird";  // our name in robots.txt
  std::optional<Topic> topic = {};         // links whose words contain one of it are marked for the ordering
  std::uint64_t queue_bytes = 0;           // memory limit of the queue; 0: none
  std::uint64_t graph_bytes = ~std::uint64_t{0};  // memory limit of the ordering's growing graph
  SpillStore* spill = nullptr;                    // where queue and graph spill to; outlives the state
  std::shared_ptr<const SiteRules> sites = {};    // priorities of pages; null: none
  ParallelOptions parallel;
};

// Reads the links of the row-th completed page. Needed when a strategy asks for links that it held back,
// and when an ordering has to rebuild its own copy.
using RowSource = std::function<Status(std::uint64_t row, PageLinks& links)>;
// Visits the first `rows` rows with links found by later visits of a page.
using LaterRows =
    std::function<Status(std::uint64_t rows, const std::function<void(const PageLinks&)>& visit)>;

// When a host may be asked, and which gate decides that.
struct Opening {
  Opening(Time opens, SharedGateId by = kOwnGate, RefreshWant which = RefreshWant::kAny)
      : at(opens), gate(by), pages(which) {}
  Time at;
  SharedGateId gate;
  RefreshWant pages;         // which pages of the host have to wait, if pages are refreshed
  bool ends_search = false;  // no other page can be fetched now either
};

// Returns when the host of a page may be asked; none: end the search. It must not change the state.
using PageGate = std::function<std::optional<Opening>(PageId)>;

class CrawlState {
 public:
  // texts: the URL of each page, which must be there when the page gets its id.
  static Result<std::unique_ptr<CrawlState>> make(const CrawlStateOptions& options, UrlSource& texts);
  CrawlState(const CrawlState&) = delete;
  CrawlState& operator=(const CrawlState&) = delete;

  // URLs and events are written to this store from now on; null: to none.
  void record_to(CrawlStore* store);
  bool recording() const { return store_ != nullptr; }
  void read_rows_from(RowSource rows, LaterRows later) { rows_ = {std::move(rows), std::move(later)}; }

  // ---- URLs
  PageId pages() const { return known_.size(); }
  PageId find(std::uint64_t fingerprint) { return known_.find(fingerprint); }
  KnownUrls& known() { return known_; }
  const KnownUrls& known() const { return known_; }
  // The id of a canonical URL; a new id if the URL is unknown.
  PageId intern(std::uint64_t fingerprint, std::string_view text, std::string_view host);
  PageId intern(std::string_view canonical);
  // Empty if the text cannot be read; status() has the error then.
  std::string url(PageId page) const;
  std::string target(PageId page) const;  // path and query
  HostId host(PageId page) const { return page_host_[page]; }
  const PageFacts& facts() const { return facts_; }
  // All seeds so far, and the targets of their redirects. The scope is made from them.
  std::vector<std::string> seed_urls() const;
  HostTable& hosts() { return hosts_; }
  const HostTable& hosts() const { return hosts_; }

  // ---- Decisions: each one is recorded and then applied
  void add_seeds(std::vector<SeedEntry> seeds, double total = 0);
  void add_sitemaps(std::vector<PageId> pages) { decide(SitemapsFound{std::move(pages)}); }
  // Requisites of a finished page, or of a pending requisite.
  const Requisites& requisites() const { return requisites_; }
  void add_requisites(const RequisitesFound& found) { decide(found); }
  // Whether another process fetches the page if it is a requisite.
  bool is_sent_away(PageId page) {
    return fleet_ && fleet_->mode() == Mode::kExchange && !fleet_->holds(fleet_->partition(page, host(page)));
  }
  // Requisites that arrived from other processes.
  std::vector<PageId> take_arrived_requisites() { return requisites_.take_arrived(); }
  void end_requisite(PageId page, const RequisiteEnd& end, std::uint64_t bytes = 0) {
    decide(RequisiteEnded{page, end.coded(), bytes});
  }
  // Hands out the best page whose gate is open; it is in flight from now on. Without `gate`, all gates are
  // open. With it, the search ends when a page gives links that the strategy had held back: the result is
  // none, and has_changed() is true.
  std::optional<PageId> next(Time now, const PageGate& gate = {});
  void complete(const PageDone& done) { decide(done); }
  void exclude(PageId page) { decide(PageExcluded{page}); }
  void admit(PageId from, std::vector<StoredLink> links) { decide(LinksAdmitted{from, std::move(links)}); }
  void retry(PageId page, Time due, bool counted) { decide(PageRetried{page, due, counted}); }
  void set_gate(HostId host, Time opens) { decide(GateSet{host, std::max(opens, Time{})}); }
  // Opens the host's gate in the frontier if the host may be asked earlier than the frontier knows.
  void open_gate(HostId host, Time now);
  void merge_page(PageId page, std::uint32_t depth, bool done, Score score) {
    decide(PageMerged{page, depth, done, score});
  }
  // Records the current facts about a host in hosts().
  void record_host(HostId host);
  // Records all hosts that have changed since the last call.
  void record_changed_hosts() {
    for (const HostId host : hosts_.take_changed()) record_host(host);
  }
  // Records the current robots.txt rules of a host in hosts().
  void record_robots(HostId host, bool https);

  // ---- Refreshing (crawl_state_refresh.cc)
  RefreshState& refresh() { return refresh_; }
  const RefreshState& refresh() const { return refresh_; }
  // Whether the page is in flight, for the first time or again.
  bool is_in_flight(PageId page) const;
  std::uint64_t in_flight() const { return frontier_->counts().in_flight + refresh_.revisits().size(); }
  void start_refresh(const RefreshStarted& event) { decide(event); }
  void hold(std::vector<FetchedBefore> pages) { decide(PagesHeld{std::move(pages)}); }
  // Like next(), but from the refresh queue, which must be on.
  std::optional<PageId> next_visit(Time now, RefreshWant want, const PageGate& gate = {});
  void visited(const PageVisited& visit) { decide(visit); }
  void postpone_visit(PageId page, Time until, bool counted) { decide(VisitPostponed{page, until, counted}); }
  void list_pages(PagesListed listed) { decide(listed); }
  void update_importance(bool recount) { decide(ImportanceUpdated{recount}); }
  void compute_ranks(const RanksComputed& event) { decide(event); }

  // ---- Commands to the running crawl (crawl_state_control.cc)
  const ControlState& control() const { return control_; }
  void change_rule(const RuleChanged& event) { decide(event); }
  void change_option(const OptionChanged& event) { decide(event); }
  void note_change(const ChangeNoted& event) { decide(event); }
  void request(std::vector<RequestedPage> pages) { decide(PagesRequested{std::move(pages)}); }
  void drop_requests(std::vector<PageId> pages) { decide(RequestsDropped{std::move(pages)}); }
  void enter_pages(std::vector<PageId> pages) { decide(PagesEntered{std::move(pages)}); }
  void suspend(PageId page) { decide(PageSuspended{page}); }
  void release(std::vector<PageId> pages) { decide(PagesReleased{std::move(pages)}); }
  // Hands out a requested page that is queued, or held by the refresh queue. False: this is not possible
  // now.
  bool take_requested(PageId page, Time now);

  // ---- Fleet (crawl_state_fleet.cc); null: a crawl by one process
  FleetState* fleet() { return fleet_.get(); }
  const FleetState* fleet() const { return fleet_.get(); }
  LinkRoute route(PageId page) { return fleet_ ? fleet_->route(page, host(page)) : LinkRoute::kLocal; }
  // Applies links from another process. The message must be the next one in sequence.
  void receive(Message message) { decide(LinksReceived{std::move(message)}); }
  // Adopts a partition. An error (permanent): its pieces are damaged, and nothing has changed.
  Status adopt(std::vector<Message> pieces);
  // After adopt(): closes the gates of the partition's hosts for one delay from `now`, because the last
  // requests of a lost process are unknown.
  void delay_adopted_hosts(Time now);
  // Gives partitions away. Their pages in flight are removed.
  void give(std::vector<std::uint32_t> partitions) { decide(PartitionsGiven{std::move(partitions)}); }
  void flush_batches() { decide(BatchesFlushed{}); }
  void confirm(const MessageId& id) { decide(MessageConfirmed{id}); }
  void absorb(const std::string& member, std::vector<Message> messages) {
    decide(OrphanAbsorbed{member, std::move(messages)});
  }
  // For a takeover of a process whose archive is lost: give() passes on the pages that it has fetched as
  // pages to be fetched again. Pages of partitions that it gave away earlier are passed on at once.
  void lose_archive(const std::vector<PageId>& fetched);
  // Cross-over: lets a page of another process enter; false: there is none.
  bool enter_foreign();

  const Frontier& frontier() const { return *frontier_; }
  // Whether an event since next() last found no page may have changed which page is next.
  bool has_changed() const { return changed_; }
  // The caller found no page without calling next(): has_changed() is false until the next event.
  void found_nothing() { changed_ = false; }
  // Only allowed if the queue had a limit from the start.
  void limit_queue(std::uint64_t bytes) {
    queue_bytes_ = bytes;
    frontier_->limit_queue(bytes);
  }
  void limit_graph(std::uint64_t bytes) { frontier_->policy().limit_graph(bytes); }
  // Warnings about files since the last call, with what was done about them.
  std::vector<std::string> take_warnings();
  void add_warning(std::string text) { warnings_.push_back(std::move(text)); }
  const RankMassBound* bound() const { return bound_.get(); }
  // Drops the RankMass bound: it takes memory and decides nothing.
  void drop_bound() { bound_.reset(); }
  Time now() const { return now_; }
  // Bytes of memory by part.
  struct Bytes {
    std::uint64_t pages = 0;     // host, depth and other facts of known pages
    std::uint64_t frontier = 0;  // including the ordering
    std::uint64_t ordering = 0;  // part of `frontier`
    std::uint64_t bound = 0;
    std::uint64_t requisites = 0;
    std::uint64_t refresh = 0;  // queue, rates, and visits that are not on disk yet
  };
  Bytes bytes() const;
  // An error: a file failed, and the crawl cannot continue.
  Status status() const;

  // ---- Snapshot and replay
  Status save(ByteWriter& out) const;
  Status load(ByteReader& in);
  // Decodes an event of the journal.
  Result<CrawlEvent> decode(const Event& event) const { return decode_event(event, now_); }
  // Applies an event of the journal. An error: it does not fit the state.
  Status replay(const CrawlEvent& event);

 private:
  CrawlState(const CrawlStateOptions& options, UrlSource& texts);
  Status make_frontier(const CrawlStateOptions& options);
  PageHints hints(PageId page) const;
  PageHints hints_of(std::string_view url) const;

  template <typename E>
  void record(const E& event) {
    if (store_ == nullptr) return;
    buffers_.event.clear();
    encode_event(event, now_, buffers_.event);
    store_->add_event(event_number<E>(), buffers_.event);
  }
  void record(const PageDone& done);
  void record(const PageVisited& visit);
  template <typename E>
  void decide(const E& event) {
    constexpr bool kOfMessages = std::is_same_v<E, BatchesFlushed> || std::is_same_v<E, MessageConfirmed> ||
                                 std::is_same_v<E, OrphanAbsorbed>;
    constexpr bool kOfRequisites = std::is_same_v<E, RequisitesFound> || std::is_same_v<E, RequisiteEnded>;
    constexpr bool kOfRequests = std::is_same_v<E, PagesRequested> || std::is_same_v<E, RequestsDropped>;
    if (!kOfMessages && !kOfRequisites && !kOfRequests) changed_ = true;
    record(event);
    apply(event);
  }

  void apply(const PageDone& event);
  void apply(const SeedsAdded& event);
  void apply(const SitemapsFound& event);
  void apply(const RequisitesFound& event);
  void apply(const RequisiteEnded& event) { requisites_.apply(event); }
  void apply(const PageRetried& event);
  void apply(const PageExcluded& event);
  void apply(const LinksAdmitted& event);
  void apply(const GateSet& event);
  void apply(const HostChanged& event);
  void apply(const RobotsChanged& event);
  void apply(const QueueLimited& event);
  void apply(const PageMerged& event);
  void apply(const LinksReceived& event);
  void apply(const PieceArrived& event);
  void apply(const PartitionAdopted& event);
  void apply(const PartitionsGiven& event);
  void apply(const BatchesFlushed& event);
  void apply(const MessageConfirmed& event);
  void apply(const OrphanAbsorbed& event);
  void apply(const ForeignPageEntered& event);
  void apply(const RefreshStarted& event);
  void apply(const PagesHeld& event);
  void apply(const PageVisited& event);
  void apply(const VisitPostponed& event);
  void apply(const PagesListed& event);
  void apply(const ImportanceUpdated& event);
  void apply(const RanksComputed& event);
  void apply(const RuleChanged& event) { control_.apply(event); }
  void apply(const OptionChanged& event) { control_.apply(event); }
  void apply(const ChangeNoted& event) { control_.apply(event); }
  void apply(const PagesRequested& event);
  void apply(const RequestsDropped& event);
  void apply(const PagesEntered& event);
  void apply(const PageSuspended& event);
  void apply(const PagesReleased& event);
  bool can_take(PageId page) const;
  void take_now(PageId page);
  void block(const Job& best, const Opening& opening);
  Status replay_event(const PageTaken& event);
  Status replay_event(const PageBlocked& event);
  Status replay_event(const RefreshTaken& event);
  Status replay_event(const RefreshBlocked& event);
  Status replay_event(const RequestTaken& event);
  template <typename E>
  Status replay_event(const E& event) {
    if (!fits(event)) return error("the journal does not match the rest of the folder");
    apply(event);
    return {};
  }

  // Whether the event is possible in this state. Journals may be forged.
  bool fits(const PageDone& event) const;
  bool fits(const SeedsAdded& event) const;
  bool fits(const SitemapsFound& event) const;
  bool fits(const RequisitesFound& event) const { return requisites_.fits(event, pages()); }
  bool fits(const RequisiteEnded& event) const { return requisites_.fits(event, pages()); }
  bool fits(const PageRetried& event) const { return is_first_in_flight(event.page); }
  bool fits(const PageExcluded& event) const { return is_first_in_flight(event.page); }
  bool fits(const LinksAdmitted& event) const;
  bool fits(const GateSet& event) const { return event.host < hosts_.size(); }
  bool fits(const HostChanged& event) const { return event.host < hosts_.size(); }
  bool fits(const RobotsChanged& event) const { return event.host < hosts_.size(); }
  bool fits(const QueueLimited&) const { return true; }
  bool fits(const PageMerged& event) const { return event.page < pages(); }
  bool fits(const LinksReceived& event) const;
  bool fits(const PieceArrived& event) const;
  bool fits(const PartitionAdopted& event) const;
  Status check_pieces(std::span<const Message> pieces, const Message& last) const;
  bool fits(const PartitionsGiven& event) const;
  bool fits(const BatchesFlushed&) const { return fleet_ != nullptr; }
  bool fits(const MessageConfirmed& event) const;
  bool fits(const OrphanAbsorbed& event) const;
  bool fits(const ForeignPageEntered&) const { return fleet_ != nullptr && fleet_->has_foreign(); }
  bool fits(const RefreshStarted& event) const { return RefreshState::is_sound(event) && fleet_ == nullptr; }
  bool fits(const PagesHeld& event) const;
  bool fits(const PageVisited& event) const;
  bool fits(const VisitPostponed& event) const;
  bool fits(const PagesListed& event) const;
  bool fits(const ImportanceUpdated&) const { return refresh_.is_on(); }
  bool fits(const RanksComputed& event) const {
    return refresh_.is_on() && event.source <= static_cast<std::uint8_t>(RanksOf::kOrdering);
  }
  bool fits(const RuleChanged& event) const { return ControlState::is_sound(event); }
  bool fits(const OptionChanged&) const { return true; }
  bool fits(const ChangeNoted&) const { return true; }
  bool fits(const PagesRequested& event) const;
  bool fits(const RequestsDropped& event) const { return are_known(event.pages); }
  bool fits(const PagesEntered& event) const { return are_known(event.pages); }
  bool fits(const PageSuspended& event) const { return is_first_in_flight(event.page); }
  bool fits(const PagesReleased& event) const;
  bool are_known(std::span<const PageId> pages) const;
  bool is_first_in_flight(PageId page) const;
  bool all_known(std::span<const StoredLink> links) const;
  bool are_ours(std::span<const Message> messages) const;

  void discover(PageId from, const StoredLink& link);
  void take_followed(std::span<const StoredLink> links);
  Status read_crawled(std::uint64_t row, std::vector<PageId>& pages);
  void give_held_links(PageId page);
  bool follows_journal() const;
  void take_links(const Message& message);
  PageId take_url(const SentUrl& url);
  PageId take_text(const std::string& url);
  PageId take_requisite(const SentRequisite& sent, std::uint32_t partition);
  SentRequisite describe_requisite(const PendingRequisite& one) const;
  SentRequisite give_requisite(PageId page);
  SentUrl describe(PageId page) const;
  void enter(const Visit& visit, std::span<const Link> links);
  void fetch_again(PageId page);
  void add_light_seeds(std::vector<SeedPage> seeds);
  bool take_visit(const RefreshChoice& choice);
  void block_visit(const RefreshBlocked& event);
  void note_discovered(PageId page, double passed_on = 0);
  void note_links(PageId from);
  void stop_keeping_links();
  void keep_links(PageId from, std::span<const StoredLink> links);
  Status read_links(const std::function<bool(const PageLinks&)>& visit);
  double importance_of(PageId page) const;
  bool counts_links() const;
  Status recount_links();

  HostTable hosts_;
  UrlSource& texts_;
  CrawlStore* store_ = nullptr;
  KnownUrls known_;
  RunArray page_host_;
  mutable Status status_;
  std::unique_ptr<Frontier> frontier_;
  std::unique_ptr<RankMassBound> bound_;
  std::unique_ptr<FleetState> fleet_;
  std::vector<HostId> adopted_hosts_;  // of the partition adopted last
  std::vector<bool> lost_bodies_;      // by page; empty unless the archive is lost
  std::string robots_token_;
  std::uint64_t expected_pages_ = 0;
  std::uint64_t queue_bytes_ = 0;
  Time now_{};
  bool queue_was_limited_ = false;
  bool changed_ = true;

  PageFacts facts_;
  Requisites requisites_;
  // What the ordering may be told about URLs.
  struct UrlHints {
    std::optional<Topic> topic;
    DirectoryNumbers directories;
    RecentHints recent;
    PagePriorities priorities;
  } url_hints_;
  RefreshState refresh_;
  ControlState control_;
  // Reading links.log; empty: it cannot be read.
  struct LinkSources {
    RowSource first;
    LaterRows later;
  } rows_;
  std::vector<std::string> warnings_;

  struct Buffers {
    std::string event;
    std::vector<Link> links;
    PageLinks row;
  } buffers_;
};

}  // namespace bowerbird
