// The live crawl: the loop that connects the core with the I/O side.
//
// One thread runs it and owns everything here; parsers (parser_pool.h) and the store's writer are threads of
// their own that it feeds and hears from in batches. The life of a URL is in docs/architecture.md; here are
// its steps 6 to 10. What is decided is decided by CrawlState and HostTable, and written down; what is in
// this class besides is only what is under way. Use: open(), run(), close(). Destroying it without close() is
// like a crash: the folder can be resumed.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "crawl/config/memory_budget.h"
#include "crawl/config/options.h"
#include "crawl/config/request_fields.h"
#include "crawl/config/seeds.h"
#include "crawl/judge/body_types.h"
#include "crawl/judge/scope.h"
#include "crawl/judge/topic_judge.h"
#include "crawl/loop/parser_pool.h"
#include "crawl/state/crawl_status.h"
#include "crawl/state/restored_crawl.h"
#include "fetch/fetcher.h"
#include "fetch/net_filter.h"
#include "fleet/exchange/session.h"
#include "parse/simhash_index.h"
#include "sys/clock.h"

namespace bowerbird {

// What a crawl is asked to do while it runs.
enum class CrawlWish : std::uint8_t {
  kGoOn,
  kStop,  // what is under way may end within a few seconds
};

class Crawler {
 public:
  // Called about four times a second from run().
  using Watch = std::function<CrawlWish(const CrawlStatus&)>;

  // Opens or resumes the crawl of options.out. fetcher: null makes the one for the network.
  // exchange: the fleet, for options.parallel.mode exchange. clock: monotonic; null: the machine's. It
  // outlives the crawler.
  static Result<std::unique_ptr<Crawler>> open(const CrawlOptions& options,
                                               std::unique_ptr<Fetcher> fetcher = nullptr,
                                               std::unique_ptr<Exchange> exchange = nullptr,
                                               const Clock* clock = nullptr);
  ~Crawler();
  Crawler(const Crawler&) = delete;
  Crawler& operator=(const Crawler&) = delete;

  bool resumed() const { return resumed_; }
  // What somebody who goes on with a crawl should know.
  const std::vector<std::string>& notes() const { return notes_; }
  // Until there is nothing left, a budget is used up, or the watcher wishes so. An error: the store failed;
  // what was committed is safe.
  Result<CrawlEnd> run(const Watch& watch = {});
  // The last commit; the archive gets its final names.
  Status close();

  CrawlStatus status() const;
  // What the watch over --memory takes for the resident memory (tests).
  void read_memory_from(std::function<std::uint64_t()> read) { read_memory_ = std::move(read); }
  const CrawlState& state() const { return crawl_->state(); }
  const HostTable& hosts() const { return state().hosts(); }

 private:
  Crawler(const CrawlOptions& options, const Clock* clock);
  CrawlState& state() { return crawl_->state(); }
  HostTable& hosts() { return crawl_->state().hosts(); }
  CrawlStore& store() { return crawl_->store(); }
  const CrawlStore& store() const { return crawl_->store(); }

  // crawler.cc
  Result<CrawlEnd> loop(const Watch& watch);
  Status finish();
  Status prepare(std::unique_ptr<Fetcher> fetcher, std::unique_ptr<Exchange> exchange);
  void limit_connections();
  void note_types();
  // Whether there were any new ones.
  Result<bool> add_seeds(const std::vector<CrawlSeed>& seeds);
  void step(Time wait);
  Time waiting_time(Time now) const;
  CrawlEnd reached() const;
  bool is_full() const;
  bool idle() const;
  bool alone_or(bool fleet_says) const { return session_ == nullptr || fleet_says; }
  std::uint64_t under_way() const;
  std::uint64_t hanging() const;
  bool dns_is_silent(Time now) const;
  bool bandwidth_used_up() const;
  Time bandwidth_pause() const;
  bool may_start() const;
  std::string stall(Time now) const;
  void refresh_rates(Time now);
  Time clock_now() const;
  // A time that has not come yet when a request that began at `now` has been started: what gates count from.
  Time after(Time now) const { return std::max(now, clock_now()) + 1; }

  // crawler_resume.cc
  Status restore();
  Status write_rows();
  void log_warnings();
  void reopen_hosts();
  void commit(bool with_snapshot);
  void record_touched_hosts();
  // What a commit keeps besides the journal. end: set by the last one only, so that a kill while the crawl
  // stops is told from its end.
  std::string state_text(CrawlEnd end = CrawlEnd::kNotYet) const;

  // crawler_scope.cc
  bool out_of_scope(PageId page);
  bool left_out(PageId page);
  Status look_again(bool seeds_added);
  Status admit_left_out();

  // crawler_memory.cc
  bool settle_due(Time now) const;
  void wait_for_links(ParsedPage parsed, Time now);
  void settle_links(Time now);
  double worth_of_link(PageId page, std::size_t links) const;
  bool turn_away(std::uint64_t fingerprint, double worth);
  void watch_memory(Time now);
  void give_back_memory();
  bool may_give_up_account() const;
  bool account_too_large() const;
  void give_up_account();
  MemoryUse memory_use() const;
  std::uint64_t bodies() const { return fetcher_->body_bytes() + read_bytes_; }
  void limit_bodies();

  // crawler_pages.cc
  void hand_out(Time now);
  bool cross_over();
  void consider(PageId page, Time now);
  bool out_of_budget(HostId id, PageId page);
  void put_back(PageId page, HostId id, Time opens);
  void requeue(PageId page);
  void start_page(PageId page, HostId id, Time now);
  void take_page(FetchOutcome outcome, Time now);
  void finish_page(ParsedPage parsed, Time now);
  void finish_failed(PageId page, Outcome outcome, FetchOutcome* fetch, Time now);
  void complete(PageId page, Outcome outcome, std::span<const StoredLink> links, bool on_topic = false);
  void fail(PageId page, Outcome outcome, int status = 0);
  bool is_seed(PageId page) const;
  void gather_links(const ParsedPage& parsed);
  void store_page(ParsedPage& parsed, Score score, const std::optional<TopicVerdict>& topic);
  bool is_kept(Outcome outcome, const FetchOutcome* fetch) const;
  StoredFetch stored_fetch(PageId page, std::string url, Outcome outcome, FetchOutcome& fetch, Score score);
  void judge_duplicates(const ParsedPage& parsed);
  void log_page(PageId page, Outcome outcome, const FetchOutcome* fetch);

  // crawler_hosts.cc
  Time fleet_slot(HostId id, Time now);
  void prepare_host(HostId id, bool https, Time now);
  void end_preparing(HostId id, Time now);
  void know_rules(HostId id, bool https, OriginRules rules);
  void start_due_robots(Time now);
  void take_resolved(HostId id, const FetchOutcome& outcome, Time now);
  void take_robots(HostId id, FetchOutcome outcome, Time now);
  void robots_failed(HostId id, Outcome outcome, std::int64_t retry_after, Time now);
  void note_refusal(const FetchOutcome& fetch);
  void host_failed(HostId id, Outcome outcome, std::int64_t retry_after, Time now);
  void follow_sitemaps(HostId id, const std::vector<std::string>& sitemaps);
  void tell_gate(HostId id, Time now);
  void touched(HostId id);

  struct RobotsAsk {
    bool https = false;  // whose rules they are
    std::string url;
    unsigned hops = 0;
    bool both = false;  // redirected to the robots.txt of the other scheme: its rules, too
  };

  CrawlOptions options_;
  std::uint64_t connections_ = 0;  // pages under way at most
  std::string token_;
  NetFilter filter_;
  BodyTypes types_;
  RequestFields fields_;
  std::unique_ptr<Scope> scope_;
  ParserSettings parser_settings_;

  std::unique_ptr<RestoredCrawl> crawl_;  // the folder and the state
  std::vector<std::string> warnings_;     // about files, and what was done about it; not yet logged
  std::uint64_t warnings_logged_ = 0;
  std::unique_ptr<Fetcher> fetcher_;
  std::unique_ptr<ParserPool> pool_;
  std::unique_ptr<FleetSession> session_;  // null: alone, or without an engine
  SimhashIndex prints_;
  std::unique_ptr<TopicJudge> topic_;  // null without a topic
  bool resumed_ = false;
  std::vector<std::string> notes_;
  std::string policy_why_;  // where the ordering was chosen for the user

  // Under way.
  std::unordered_map<HostId, RobotsAsk> asks_;
  std::set<std::pair<Time, HostId>> robots_due_;
  std::vector<HostId> touched_hosts_;
  std::vector<bool> is_touched_;
  // Read pages whose links are not looked up yet.
  std::vector<ParsedPage> unsettled_;
  std::size_t unsettled_links_ = 0;
  std::uint64_t read_bytes_ = 0;  // bodies of pages that were fetched and are not done
  Time unsettled_since_ = 0;
  std::uint64_t hosts_preparing_ = 0;
  std::unordered_map<PageId, Time> fetching_;  // since when
  double fetch_ms_ = 0;                        // smoothed time that a page takes
  std::array<std::uint64_t, kHostEnds> hosts_ended_{};
  std::unordered_set<PageId> given_sitemaps_;  // in this run
  bool any_resolved_ = false;                  // the name of any host, in this run
  bool dns_failed_ = false;                    // for any host, in this run
  bool stopping_ = false;
  bool changed_ = true;  // since the frontier last had nothing
  Time nothing_until_ = 0;

  // Time.
  MonotonicClock machine_;
  const Clock& clock_;
  WallClock wall_;
  std::int64_t wall_start_us_ = 0;
  std::int64_t start_us_ = 0;
  Time began_ = 0;  // of run()
  Time last_commit_ = 0;
  Time last_snapshot_ = 0;
  Time last_watch_ = 0;

  MemoryWatch memory_;
  std::function<std::uint64_t()> read_memory_;
  Time last_memory_act_ = 0;
  Time last_tidy_ = 0;
  std::uint64_t bodies_limit_ = 0;  // 0: none
  std::uint64_t known_limit_ = 0;
  std::uint64_t queue_limit_ = 0;
  std::uint64_t graph_limit_ = 0;
  bool bound_given_up_ = false;
  std::uint64_t prints_limit_ = ~std::uint64_t{0};

  CrawlCounts counts_;
  std::string refused_;     // the first address that was
  std::string redirected_;  // the first seed that leads out of scope, and where
  struct HostTrouble {
    std::string what;
    Time until = 0;
  };
  HostTrouble host_trouble_;  // that of the last host that failed
  CrawlEnd end_ = CrawlEnd::kNotYet;
  std::uint64_t run_ms_before_ = 0;
  std::uint64_t rate_pages_ = 0, rate_bytes_ = 0;
  Time rate_since_ = 0;
  double pages_per_second_ = 0, bytes_per_second_ = 0;
  double bandwidth_left_ = 0;
  Time bandwidth_at_ = 0;

  // Scratch.
  std::vector<FetchOutcome> outcomes_;
  std::vector<ParsedPage> parsed_;
  std::vector<StoredLink> links_;
  std::vector<std::uint64_t> fingerprints_;
  ScopeCache scope_cache_;
  Url url_;
};

}  // namespace bowerbird
