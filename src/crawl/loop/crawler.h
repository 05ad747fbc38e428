// The live crawl: the loop that connects the core with the I/O side.
//
// One thread runs it and owns everything here. Parsers (parser_pool.h) and the store's writer are threads
// of their own; batches go to them and come back. docs/architecture.md describes the life of a URL; steps
// 3 to 10 are here. CrawlState and its HostTable decide, and their decisions are journalled; this class
// and its parts hold only work in progress. Use: open(), run(), close(). Destroying it without close() is
// like a crash: the folder can be resumed.
//
// A page is handed out once, when it can be fetched. gate() tells the frontier about everything that
// keeps the best page from being fetched now (a delay, an address, a budget, a missing robots.txt, the
// shares of connections in request_slots.h), and the frontier looks for the next best one. Requisites
// (host_queues.h) go through the same gates, but the frontier does not know them.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "archive/capture_library.h"
#include "base/result.h"
#include "base/time.h"
#include "crawl/config/options.h"
#include "crawl/config/request_fields.h"
#include "crawl/config/seeds.h"
#include "crawl/judge/body_types.h"
#include "crawl/judge/page_filter.h"
#include "crawl/judge/scope.h"
#include "crawl/judge/topic_judge.h"
#include "crawl/loop/activity.h"
#include "crawl/loop/committer.h"
#include "crawl/loop/crawl_clock.h"
#include "crawl/loop/host_failures.h"
#include "crawl/loop/host_preparer.h"
#include "crawl/loop/host_queues.h"
#include "crawl/loop/link_batcher.h"
#include "crawl/loop/live_command.h"
#include "crawl/loop/live_view.h"
#include "crawl/loop/memory_guard.h"
#include "crawl/loop/meter.h"
#include "crawl/loop/parser_pool.h"
#include "crawl/loop/refresher.h"
#include "crawl/loop/request_cookies.h"
#include "crawl/loop/request_slots.h"
#include "crawl/loop/step_meter.h"
#include "crawl/state/crawl_status.h"
#include "crawl/state/restored_crawl.h"
#include "fetch/fetcher.h"
#include "fetch/net_filter.h"
#include "fleet/exchange/session.h"
#include "parse/simhash_index.h"
#include "pdf/pdf_reader.h"
#include "sys/clock.h"

namespace bowerbird {

// What the watcher of a crawl wants it to do.
enum class CrawlRequest : std::uint8_t {
  kContinue,
  kStop,  // requests in flight may finish, for a few seconds
};

class Crawler {
 public:
  // Called by run() about four times a second.
  using Watch = std::function<CrawlRequest(const CrawlStatus&)>;

  // Opens or resumes the crawl of options.out. fetcher: null: the network. exchange: the fleet, if
  // options.parallel.mode is kExchange. clock: monotonic, outlives the crawler; null: the system's.
  static Result<std::unique_ptr<Crawler>> open(const CrawlOptions& options,
                                               std::unique_ptr<Fetcher> fetcher = nullptr,
                                               std::unique_ptr<Exchange> exchange = nullptr,
                                               const Clock* clock = nullptr);
  ~Crawler();
  Crawler(const Crawler&) = delete;
  Crawler& operator=(const Crawler&) = delete;

  bool resumed() const { return crawl_->resumed(); }
  // Notes for the user who resumes the crawl.
  const std::vector<std::string>& notes() const { return notes_.list; }
  // Runs until nothing is left, a budget is used up, or the watcher stops it. An error: the store failed;
  // everything committed is safe.
  Result<CrawlEnd> run(const Watch& watch = {});
  // Makes the last commit and gives the archive files their final names.
  Status close();

  CrawlStatus status() const;
  // For tests: replaces the resident memory as --memory sees it.
  void read_memory_from(std::function<std::uint64_t()> read) { memory_->read_from(std::move(read)); }
  const CrawlState& state() const { return crawl_->state(); }
  const HostTable& hosts() const { return state().hosts(); }

  // ---- For the live page and commands, from the thread of run() (crawler_view.cc).
  const CrawlOptions& options() const { return options_; }
  const Activity& activity() const { return live_.activity; }
  // To add what earlier runs have logged.
  Activity& earlier_activity() { return live_.activity; }
  // kNoPage: not known.
  PageId find_page(std::string_view url) { return state().find(KnownUrls::fingerprint(url)); }
  Time now() const { return clock_.now(); }
  std::uint64_t slots() const { return slots_->slots(); }
  std::uint64_t commits() const { return store().commits_done(); }
  // Some of the hosts that were closed for this reason.
  const std::vector<HostId>& closed_hosts(HostEnd end) const { return failures_->examples(end); }
  bool may_crawl() const { return may_work(); }
  // queued: whether the host has queued pages, as far as the caller knows.
  HostView host_view(HostId id, Time now, bool queued) const;
  std::vector<RulesView> host_rules(HostId id) const;
  // Null: there are no [[site]] tables.
  const SiteRules* sites() const { return rules_.sites.get(); }
  std::vector<QueuedView> best_queued(std::size_t most) const;
  QueuedView view_of(const QueueItem& item, Time now) const;
  // Carries out a command and makes it durable (crawler_control.cc).
  CommandResult execute(const LiveCommand& command);
  // From any thread: makes run() call the watcher soon.
  void call_watch() {
    live_.watch_asked.store(true, std::memory_order_release);
    fetcher_->wake();
  }

 private:
  // The rules for URLs and requests, from the options.
  struct Rules {
    std::string token;  // our name in robots.txt
    NetFilter filter;
    BodyTypes types;
    RequestFields fields;
    std::shared_ptr<const SiteRules> sites;   // null: there are no [[site]] tables
    std::unique_ptr<RequestCookies> cookies;  // the user's cookies and those that hosts set
    PageFilter links_from;
    PageFilter keep;
    std::unique_ptr<PdfReader> pdf;            // null: PDF files are not wanted
    std::unique_ptr<CaptureLibrary> captures;  // earlier captures to compare pages with; null: not needed
    std::unique_ptr<Scope> scope;
    ParserSettings parser;
    ScopeCache scope_cache;
  };
  struct Notes {
    std::vector<std::string> list;
    std::string policy_why;  // empty unless the ordering was chosen automatically
    std::string redirected;  // the first seed that leads out of scope, and its target
  };
  struct Run {
    Time began{};
    Time last_step{};
    Time last_watch{};
    std::uint64_t ms_before = 0;     // run time of earlier runs
    std::uint64_t pages_before = 0;  // pages of earlier runs
    std::uint64_t bytes_before = 0;  // bytes of earlier runs
    bool stopping = false;
    CrawlEnd end = CrawlEnd::kNotYet;
    Time nothing_until{};           // when to ask the frontier again after it had no page
    std::uint64_t robots_work = 0;  // cost of robots.txt checks in this turn
    struct Ended {
      PageId page = kNoPage;
      Outcome outcome = Outcome::kFetched;
      int status = 0;
    };
    Ended last, failed;            // the last page that finished, and the last one that failed
    std::uint64_t read_bytes = 0;  // bodies of pages that were fetched and are not finished
    StepMeter meter;
    RateMeter rates;
    std::unordered_set<PageId> given_sitemaps;
  };
  // Pages whose links were looked up, to be finished in this order.
  struct LookedUp {
    std::deque<ParsedPage> pages;
    std::size_t interned = 0;  // links of the first page that already have ids; a page may have very many
  };
  // State for the live page and commands.
  struct Live {
    Activity activity;
    std::atomic<bool> watch_asked{false};
    ScopeBox scope;                         // for the parser threads
    std::unique_ptr<HostQueues> requested;  // requested pages, by host
    std::unordered_set<PageId> repeated;    // requested pages in flight that had been done before
    bool is_request = false;                // gate() and decide() are called for a requested page
    std::vector<std::string> replaced;      // options set by commands that this run replaces
    std::optional<PageId> release_from;     // next suspended page to check
    std::optional<std::uint64_t>
        admit_from;  // next row of links.log to check for links that are in scope now
    std::uint64_t admit_to = 0;
  };
  // What happens to the page that gate() let through. Only with kFetch is a request sent.
  enum class Verdict : std::uint8_t {
    kFetch,
    kUnreachable,    // its host was given up
    kLeftOut,        // out of scope, or over the budget of a [[site]] table
    kForbidden,      // by robots.txt
    kFetchedBefore,  // as a requisite; its response is in the archive
    kSuspended,      // it matches a paused or blocked pattern
  };
  // How long a host waits at a time while its partition moves to another process.
  static constexpr Duration kLeavingWait = 500ms;
  struct Buffers {
    std::vector<FetchOutcome> outcomes;
    std::vector<ParsedPage> parsed;
    std::vector<StoredLink> links;
    Url url;
  };

  Crawler(const CrawlOptions& options, const Clock* clock);
  CrawlState& state() { return crawl_->state(); }
  HostTable& hosts() { return crawl_->state().hosts(); }
  CrawlStore& store() { return crawl_->store(); }
  const CrawlStore& store() const { return crawl_->store(); }

  // crawler.cc
  Status prepare(std::unique_ptr<Fetcher> fetcher, std::unique_ptr<Exchange> exchange);
  Status make_rules();
  Status make_parts(std::unique_ptr<Fetcher> fetcher, std::unique_ptr<Exchange> exchange,
                    const std::vector<CrawlSeed>& seeds);
  HostPreparer::Archive host_archive();
  std::uint64_t connections();
  void note_types();
  // Returns whether there were any new seeds.
  Result<bool> add_seeds(const std::vector<CrawlSeed>& seeds);
  Result<CrawlEnd> loop(const Watch& watch);
  void do_periodic_work(const Watch& watch, Time now, Time& stop_at);
  void step(Duration wait);
  void take(FetchOutcome outcome, Time now);
  void end_step() { run_.meter.end_step(state().frontier().recomputations(), counts_.longest); }
  Duration waiting_time(Time now) const;
  CrawlEnd reached() const;
  CrawlEnd pages_reached() const;
  CrawlEnd limits_reached() const;
  bool is_full() const;
  bool idle() const;
  bool may_work() const { return session_ == nullptr || session_->may_work(); }
  bool log_is_behind() const { return session_ != nullptr && session_->log_is_behind(); }
  // Pages that are handed out and not finished; these and requisites; these and lookups and robots.txt.
  std::uint64_t in_flight() const { return state().in_flight() + live_.repeated.size(); }
  std::uint64_t requests() const { return in_flight() + (requisites_ ? requisites_->in_flight() : 0); }
  std::uint64_t under_way() const { return requests() + slots_->preparing(); }
  bool dns_is_silent(Time now) const;
  std::uint64_t budgeted_bytes() const;
  bool has_room() const;
  bool may_start(Time now) const;
  void free_slots(Time now);
  Status finish();

  // crawler_status.cc
  std::string stall(Time now) const;
  MemoryUse memory_use() const;

  // crawler_view.cc
  void explain_wait(QueuedView& view, Time now) const;
  HostView view_of(const Host& host, HostId id, Time opens, Time now, bool queued) const;
  void note_result(PageId page, Outcome outcome, const FetchOutcome* fetch, std::uint64_t bytes);

  // crawler_control.cc
  CommandResult change_rule(const LiveCommand& command, RuleKind kind, bool on);
  CommandResult set_option(const LiveCommand& command);
  CommandResult seed(const LiveCommand& command);
  CommandResult retry_pages(const LiveCommand& command);
  CommandResult fetch_now(const LiveCommand& command);
  void note_command(const LiveCommand& command, std::string text);
  Status adopt_changed_options();
  void forget_replaced_options();
  void adopt(const CrawlOptions& options);
  Status renew_scope();
  void reopen_closed();
  void reopen(HostId id, Time now);
  bool is_paused() const { return state().control().is_paused(); }
  // The pause or block that applies to the page; null: none.
  const ControlRule* rule_against(PageId page) const;
  void follow_commands();
  void release_some();
  void admit_some();
  void restore_requested(Time now);
  void hand_out_requested(Time now);
  void start_requested(HostId id, PageId page, Time now);
  // Whether the page was done, and is in flight again because a command requested it.
  bool is_repeated(PageId page) const { return live_.repeated.contains(page); }
  void end_repeated(PageId page, Outcome outcome);
  // Whether the page is in flight, also if a command had it fetched again.
  bool in_progress(PageId page) const { return state().is_in_flight(page) || is_repeated(page); }

  // crawler_resume.cc
  Status restore();
  void reopen_hosts();
  void requeue_all();
  void commit(bool with_snapshot);
  // end: set by the last commit only; it tells a finished crawl from one that was killed.
  std::string state_text(CrawlEnd end = CrawlEnd::kNotYet) const;

  // crawler_scope.cc
  bool out_of_scope(PageId page);
  bool left_out(PageId page);
  Status apply_changed_scope(bool seeds_added);
  std::uint64_t admit_row(const PageLinks& row, std::vector<bool>* out, std::uint64_t& had_been_excluded);
  Status admit_left_out();
  Status scope_is_pending() const;
  void scope_is_judged() const;

  // crawler_gate.cc
  void hand_out(Time now);
  bool cross_over();
  std::optional<Opening> gate(PageId page, Time now);
  std::optional<Opening> gate_of_request(PageId page, HostId id, Time now);
  Opening wait_for_answer(Time now) const;
  Time fleet_slot(HostId id, Time now);
  std::optional<Opening> gate_of_closed(PageId page, HostId id, Time now);
  static RequestSlots::Kind request_needed(const Host& host, const OriginRules& origin, Time now);

  // crawler_fetch.cc
  void decide(PageId page, Time now);
  void count_page(PageId page, int change);
  void retry(PageId page, Time due, bool counted);
  void requeue(PageId page) { retry(page, state().now(), false); }
  void start_page(PageId page, HostId id, Time now);
  void note_answer(HostId id, const FetchOutcome& fetch);
  void take_page(FetchOutcome outcome, Time now);
  // sniffed_type: of a body whose type the server does not name.
  void finish_failed(PageId page, Outcome outcome, FetchOutcome* fetch, Time now,
                     std::string_view sniffed_type = {});

  // crawler_pages.cc
  void look_up_batch();
  void finish_looked_up(Time now);
  bool links_are_known(const ParsedPage& parsed);
  std::uint64_t bodies() const { return fetcher_->body_bytes() + run_.read_bytes; }
  void limit_bodies();
  void finish_page(ParsedPage parsed, Time now);
  void gather_links(const ParsedPage& parsed);
  double worth_of_link(PageId page, std::size_t links) const;
  bool turn_away(std::uint64_t fingerprint, double worth);
  void complete(PageId page, Outcome outcome, std::span<const StoredLink> links, bool on_topic = false);
  void fail(PageId page, Outcome outcome, int status = 0);
  bool is_seed(PageId page) const;
  void add_seeds_of_slow_hosts(CrawlCounts& counts) const;
  void compare_with_others(const ParsedPage& parsed);
  void log_page(PageId page, Outcome outcome, const FetchOutcome* fetch, std::string_view visit = {});

  // crawler_archive.cc
  // visit: the outcome of a further visit; empty: the first visit.
  void store_page(ParsedPage& parsed, Score score, const std::optional<TopicVerdict>& topic,
                  std::string_view visit = {});
  StoredFetch stored_exchange(PageId page, std::string url, FetchOutcome& fetch);
  StoredFetch stored_fetch(PageId page, std::string url, Outcome outcome, FetchOutcome& fetch, Score score);
  std::string archived_request(const std::string& url, std::string_view conditions,
                               const FetchOutcome& fetch) const;
  bool is_kept(Outcome outcome, const FetchOutcome* fetch) const;
  bool keeps(const std::string& url, const FetchOutcome& fetch) const;
  void store_robots(const std::string& url, FetchOutcome fetch);
  void store_dns(const std::string& host, const FetchOutcome& outcome);

  // crawler_sites.cc
  std::span<const std::uint16_t> tables_of(PageId page);
  std::uint64_t most_depth(PageId page);
  bool site_is_full(PageId page);
  void count_site_pages(PageId page, int change);
  void count_site_bytes(PageId page, std::uint64_t bytes);
  void wait_after(PageId page, HostId id, Time now);
  Time site_rests_until(PageId page, Time now);
  Status open_cookies();
  std::string fields_of(std::uint64_t request, const std::string& url, Time now);

  // crawler_requisites.cc; requisites_ is not null.
  void restore_requisites(Time now);
  void hand_out_requisites(Time now);
  void try_requisite(HostId id, Time now);
  Time requisite_opens(HostId id, const Url& url, Time now);
  void start_requisite(HostId id, const PendingRequisite& pending, Time now);
  void take_requisite(FetchOutcome outcome, Time now);
  void finish_requisite(ParsedPage parsed, Time now);
  void finish_failed_requisite(PageId page, Outcome outcome, FetchOutcome& fetch, Time now);
  void add_requisites(PageId from, bool of_page, const ParsedPage& parsed, Time now);
  void add_arrived_requisites(Time now);
  void store_requisite(PageId page, const RequisiteEnd& end, FetchOutcome& fetch, bool noarchive);
  void log_requisite(PageId page, std::string_view outcome, const FetchOutcome* fetch);
  void end_requisite(PageId page, const RequisiteEnd& end, std::uint64_t bytes);
  RequisiteEnd::Use use_as_page(Outcome outcome, const FetchOutcome& fetch) const;
  bool was_requisite(PageId page, RequisiteEnd& end) const;
  void complete_from_requisite(PageId page);
  void note_done(PageId page, Outcome outcome);
  RequisiteKind kind_of_part(const FoundPart& part, PageId page, bool of_page);
  bool is_unwanted_frame(PageId page, Outcome outcome, const FetchOutcome& fetch) const;

  // crawler_refresh.cc
  Status begin_refresh();
  void note_pages_not_due();
  Status find_bodies();
  void note_body(const ParsedPage& parsed, const VisitRecord& known, PageVisited& visit) const;
  bool may_start_new() const;
  std::optional<PageId> next_of_queue(Time now, const PageGate& gate);
  bool is_revisit(PageId page) const { return state().refresh().is_revisit(page) || is_repeated(page); }
  bool was_fetched(PageId page) const {
    return refresher_->is_on() && state().refresh().knows(page) && !state().refresh().is_new(page);
  }
  void note_first_visit(const ParsedPage& parsed, std::uint64_t bytes, Time now);
  void note_first_failure(PageId page, Outcome outcome);
  void list_pages(const ParsedPage& parsed, Time now);
  bool is_declared_fresh(PageId page, Time now);
  void finish_visit(ParsedPage parsed, Time now);
  void finish_not_modified(PageId page, FetchOutcome& fetch, Time now);
  void fail_visit(PageId page, Outcome outcome, FetchOutcome* fetch, Time now);
  void end_visit(const PageVisited& visit);
  void log_visit(const PageVisited& visit, Outcome outcome, const FetchOutcome* fetch);

  CrawlOptions options_;
  CrawlClock clock_;
  Rules rules_;
  std::unique_ptr<RestoredCrawl> crawl_;  // the folder and the state
  std::unique_ptr<Fetcher> fetcher_;
  std::unique_ptr<ParserPool> pool_;
  std::unique_ptr<FleetSession> session_;  // null: alone, or without a broker
  SimhashIndex simhashes_;
  std::unique_ptr<TopicJudge> topic_;  // null without a topic
  Notes notes_;

  // Parts.
  std::unique_ptr<RequestSlots> slots_;
  std::unique_ptr<HostFailures> failures_;
  std::unique_ptr<HostPreparer> preparer_;
  std::unique_ptr<HostQueues> requisites_;  // null: they are not fetched
  std::unique_ptr<MemoryGuard> memory_;
  std::unique_ptr<Committer> committer_;
  std::unique_ptr<Refresher> refresher_;
  LinkBatcher batcher_;
  LookedUp looked_up_;
  BandwidthLimit bandwidth_;

  CrawlCounts counts_;
  Live live_;
  Run run_;
  Verdict verdict_ = Verdict::kFetch;
  Buffers buffers_;
};

}  // namespace bowerbird
