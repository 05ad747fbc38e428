#include "crawl/loop/crawler.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/units.h"
#include "crawl/config/connection_limits.h"
#include "crawl/config/kept_options.h"
#include "crawl/config/policy_choice.h"
#include "crawl/loop/fetch_setup.h"
#include "crawl/loop/request_ids.h"
#include "crawl/state/state_setup.h"
#include "parse/robots_text.h"
#include "sys/file_limit.h"
#include "sys/memory.h"

namespace bowerbird {

namespace {

constexpr Time kSnapshotEvery = 300'000;
constexpr Time kWatchEvery = 250;
// What is under way when the crawl is to stop has so long to end.
constexpr Time kGrace = 3000;
constexpr Time kHanging = 2000;
// So long a crawl waits for the first name that DNS resolves.
constexpr Time kDnsPatience = 45'000;

std::string wait_text(Time ms) {
  const Time s = (ms + 999) / 1000;
  return s < 90 ? fmt::format("{} s", s) : fmt::format("{} min", (s + 30) / 60);
}

}  // namespace

Crawler::Crawler(const CrawlOptions& options, const Clock* clock)
    : options_(options),
      clock_(clock == nullptr ? static_cast<const Clock&>(machine_) : *clock),
      memory_(options.memory.budget),
      read_memory_(resident_memory) {}

Crawler::~Crawler() {
  pool_.reset();
}

Result<std::unique_ptr<Crawler>> Crawler::open(const CrawlOptions& options, std::unique_ptr<Fetcher> fetcher,
                                               std::unique_ptr<Exchange> exchange, const Clock* clock) {
  BB_TRY_VOID(check_crawl_options(options));
  std::unique_ptr<Crawler> crawler(new Crawler(options, clock));
  BB_TRY_VOID(crawler->prepare(std::move(fetcher), std::move(exchange)));
  return crawler;
}

Status Crawler::prepare(std::unique_ptr<Fetcher> fetcher, std::unique_ptr<Exchange> exchange) {
  wall_start_us_ = wall_.now_us();
  start_us_ = clock_.now_us();
  token_ = robots_token_of(options_);
  BB_TRY(filter_, NetFilter::parse(options_.network.allow_net));
  BB_TRY(fields_,
         RequestFields::make({options_.network.headers, options_.network.cookies, options_.network.auth}));
  BB_TRY(types_, BodyTypes::make(options_.selection.types));
  if (options_.selection.requisites) {
    for (const char* type : {"image/", "text/css", "text/javascript", "application/javascript", "font/"}) {
      types_.add(type);
    }
  }
  note_types();
  BB_TRY(GatheredSeeds gathered, gather_seeds(options_));
  const std::vector<CrawlSeed>& seeds = gathered.seeds;
  if (!gathered.skipped.empty()) notes_.push_back(std::move(gathered.skipped));
  const bool there = CrawlStore::holds_crawl(options_.out);
  if (seeds.empty() && !there) {
    return error("no seeds: give at least one URL, --seed-file or --sitemap");
  }
  if (!there && options_.order.policy == kAutoPolicy) {
    PolicyChoice choice = choose_policy(options_, available_memory());
    options_.order.policy = std::move(choice.policy);
    policy_why_ = std::move(choice.why);
  }
  BB_TRY(crawl_, RestoredCrawl::open(options_, OpenPurpose::kResume));
  options_ = crawl_->options();
  resumed_ = crawl_->resumed();
  limit_connections();
  if (exchange != nullptr) exchange->live();
  if (auto topic = topic_of(options_)) {
    topic_ = std::make_unique<TopicJudge>(std::move(*topic), options_.order.topic_at);
  }
  BB_TRY_VOID(restore());
  state().record_to(&store());
  if (resumed_) reopen_hosts();
  BB_TRY(const bool seeds_added, add_seeds(seeds));
  if (state().pages() == 0) return error("{}: this crawl has no seeds; give at least one URL", options_.out);
  parser_settings_ = parser_settings_of(options_, *scope_, types_, token_, wall_.now_us() / 1'000'000);
  if (fetcher == nullptr) {
    BB_TRY(fetcher_, make_network_fetcher(options_, filter_, types_));
  } else {
    fetcher_ = std::move(fetcher);
  }
  pool_ = std::make_unique<ParserPool>(static_cast<unsigned>(std::min<std::uint64_t>(options_.parsers, 64)),
                                       parser_settings_, [this] { fetcher_->wake(); });
  if (state().fleet() != nullptr && state().fleet()->mode() == Mode::kExchange) {
    if (exchange == nullptr) return error("the mode exchange needs a fleet: give --fleet nats://HOST:PORT");
    session_ =
        std::make_unique<FleetSession>(state(), std::move(exchange), seeds, [this] { fetcher_->wake(); });
  }
  if (resumed_) BB_TRY_VOID(look_again(seeds_added));
  if (!resumed_) BB_TRY_VOID(write_rows());  // from here on a kill cannot lose the seeds
  return remember_options(options_);
}

void Crawler::limit_connections() {
  const std::uint64_t files = raise_file_limit();
  connections_ = connection_limits({options_.politeness.connections, 0}, files).under_way;
  if (connections_ == options_.politeness.connections) return;
  notes_.push_back(
      fmt::format("only {} pages are fetched at a time instead of {}: {} files may be open (ulimit -n)",
                  connections_, options_.politeness.connections, files));
}

// Links are found in HTML pages, and what is needed to show a page is no link of it.
void Crawler::note_types() {
  if (!types_.wants("text/html")) {
    notes_.push_back(
        fmt::format("--types {}: links are found in HTML pages only, so nothing but the seeds is "
                    "fetched; add html to --types",
                    fmt::join(options_.selection.types, ",")));
  }
  const auto is_part = [](const std::string& type) {
    return type == "image" || type == "style" || type == "script" || type.starts_with("image/");
  };
  if (!options_.selection.requisites && std::ranges::any_of(options_.selection.types, is_part)) {
    notes_.push_back(
        "images, styles and scripts that a page embeds are fetched only with --requisites; links to them are "
        "followed");
  }
}

// New seeds enter; the scope is that of all seeds there ever were.
Result<bool> Crawler::add_seeds(const std::vector<CrawlSeed>& seeds) {
  std::vector<std::string> urls = state().seed_urls();
  std::vector<SeedEntry> fresh;
  double total = 0;
  for (const CrawlSeed& seed : seeds) {
    urls.push_back(seed.url);
    total += seed.weight;
    const PageId page = state().intern(seed.url);
    if (seed.sitemap) given_sitemaps_.insert(page);
    if (state().place(page) == Place::kHere && state().frontier().state(page) == PageState::kUndiscovered)
      fresh.push_back({page, seed.weight, seed.sitemap});
  }
  BB_TRY(Scope scope, Scope::make(options_.scope, urls));
  scope_ = std::make_unique<Scope>(std::move(scope));
  if (!fresh.empty()) state().add_seeds(fresh, state().fleet() == nullptr ? 0 : total);
  changed_ = true;
  return !fresh.empty();
}

// ---- the loop

Time Crawler::clock_now() const {
  return (wall_start_us_ + clock_.now_us() - start_us_) / 1000;
}

Result<CrawlEnd> Crawler::run(const Watch& watch) {
  Result<CrawlEnd> end = loop(watch);
  if (!end.ok()) store().leave_note(end.error().text);
  return end;
}

Result<CrawlEnd> Crawler::loop(const Watch& watch) {
  Time stop_at = kNoTime;
  began_ = clock_now();
  last_commit_ = last_snapshot_ = rate_since_ = bandwidth_at_ = began_;
  end_ = CrawlEnd::kNotYet;
  for (;;) {
    step(waiting_time(clock_now()));
    const Time now = clock_now();
    counts_.run_ms = run_ms_before_ + static_cast<std::uint64_t>(now - began_);
    BB_TRY_VOID(store().status());
    BB_TRY_VOID(state().status());
    if (now - last_watch_ >= kWatchEvery) {
      refresh_rates(now);
      watch_memory(now);
      log_warnings();
      last_watch_ = now;
      const bool stop = watch && watch(status()) == CrawlWish::kStop;
      if (session_) session_->report(status(), idle());
      if ((stop || (session_ && session_->stop())) && !stopping_) {
        stopping_ = true;
        end_ = CrawlEnd::kStopped;
        stop_at = now + kGrace;
      }
    }
    if (!stopping_) {
      const CrawlEnd end = reached();
      if (end != CrawlEnd::kNotYet) {
        stopping_ = true;
        end_ = end;
        stop_at = end == CrawlEnd::kTime ? now + kGrace : now;
      }
    }
    if (stopping_ && (state().frontier().counts().in_flight == 0 || now >= stop_at || is_full())) break;
    if (!stopping_ && dns_is_silent(now)) {
      end_ = CrawlEnd::kNoDns;
      break;
    }
    if (session_ && !session_->lost().empty()) return error("{}: {}", options_.out, session_->lost());
    if (!stopping_ && idle() && alone_or(session_ && session_->ended())) {
      end_ = CrawlEnd::kNothingLeft;
      break;
    }
    const bool committed = store().commits_done() == store().commits_asked();
    if (session_ && committed) session_->durable();
    if (static_cast<double>(now - last_commit_) >= options_.storage.commit.count() * 1000 && committed &&
        alone_or(session_ && session_->may_work())) {
      commit(now - last_snapshot_ >= kSnapshotEvery);
    }
  }
  fetcher_->cancel_all();
  fetching_.clear();
  for (const PageId page : state().frontier().in_flight()) requeue(page);
  log_warnings();
  return end_;
}

void Crawler::step(Time wait) {
  outcomes_.clear();
  fetcher_->poll(outcomes_, static_cast<int>(wait));
  const Time now = clock_now();
  for (FetchOutcome& outcome : outcomes_) {
    const std::uint64_t id = outcome.id;
    if (is_page(id)) {
      take_page(std::move(outcome), now);
    } else if (is_resolve(id)) {
      take_resolved(host_of_request(id), outcome, now);
    } else {
      take_robots(host_of_request(id), std::move(outcome), now);
    }
  }
  pool_->flush();
  parsed_.clear();
  pool_->take(parsed_);
  for (ParsedPage& parsed : parsed_) wait_for_links(std::move(parsed), now);
  if (settle_due(now)) settle_links(now);
  limit_bodies();
  if (session_ && session_->step(now)) changed_ = true;
  if (stopping_) return;
  start_due_robots(now);
  hand_out(now);
}

// How long there is nothing to do unless something comes in.
Time Crawler::waiting_time(Time now) const {
  if (settle_due(now)) return 0;
  Time until = now + kWatchEvery;
  if (!unsettled_.empty()) until = std::min(until, now + 10);
  if (!stopping_ && alone_or(session_ && session_->may_work())) {
    if (may_start()) until = changed_ ? now : std::min(until, nothing_until_);
    if (bandwidth_used_up()) until = std::min(until, now + bandwidth_pause());
    if (!robots_due_.empty()) until = std::min(until, robots_due_.begin()->first);
  }
  return std::max<Time>(0, until - now);
}

// Pages between being handed out and being done, and hosts whose rules a page waits for: with one connection
// the next page is not taken before the best one has had its turn.
std::uint64_t Crawler::under_way() const {
  return state().frontier().counts().in_flight + hosts_preparing_;
}

bool Crawler::bandwidth_used_up() const {
  return options_.politeness.bandwidth > 0 && bandwidth_left_ <= 0;
}

// How long it is used up.
Time Crawler::bandwidth_pause() const {
  return static_cast<Time>(-bandwidth_left_ * 1000 / static_cast<double>(options_.politeness.bandwidth)) + 1;
}

// Whether connections, disk and budgets leave room for another page. While they do not, the loop waits for
// what is under way, whatever the frontier has.
bool Crawler::may_start() const {
  if (under_way() >= connections_ || store().congested() || bandwidth_used_up()) return false;
  if (memory_.stage() == MemoryStage::kFull && state().frontier().counts().in_flight > 0) return false;
  if (bodies_limit_ > 0 && bodies() >= bodies_limit_) return false;
  if (options_.budget.bytes > 0 && counts_.bytes + read_bytes_ >= options_.budget.bytes) return false;
  const std::uint64_t pages = counts_.pages + state().frontier().counts().in_flight;
  if (session_) return !session_->page_limit() || pages < *session_->page_limit();
  return options_.budget.pages == 0 || pages < options_.budget.pages ||
         pages - hanging() < options_.budget.pages;
}

// Pages that take much longer than others and may never come: others are started in their place.
std::uint64_t Crawler::hanging() const {
  const Time since = clock_now() - std::max(kHanging, static_cast<Time>(4 * fetch_ms_));
  return static_cast<std::uint64_t>(
      std::ranges::count_if(fetching_, [since](const auto& page) { return page.second < since; }));
}

// Nothing is under way and nothing will be.
bool Crawler::idle() const {
  return !changed_ && state().frontier().counts().in_flight == 0 && hosts_preparing_ == 0 &&
         nothing_until_ >= kNoTime;
}

// A crawl that has never fetched a page does not wait for DNS to come back: the network or its settings are
// wrong. The resolver has tried each name several times.
bool Crawler::dns_is_silent(Time now) const {
  if (any_resolved_ || counts_.pages > 0 || state().fleet() != nullptr) return false;
  if (state().frontier().counts().in_flight > 0) return false;
  if (hosts_preparing_ > 0) return now - began_ >= kDnsPatience;
  return dns_failed_ && !changed_ && nothing_until_ > now && nothing_until_ < kNoTime;
}

CrawlEnd Crawler::reached() const {
  if (session_) return CrawlEnd::kNotYet;
  if (options_.budget.pages > 0 && counts_.pages >= options_.budget.pages) return CrawlEnd::kPages;
  if (options_.budget.bytes > 0 && counts_.bytes >= options_.budget.bytes) return CrawlEnd::kBytes;
  if (options_.budget.stop_at_importance > 0 && state().bound() != nullptr &&
      state().bound()->covered() >= options_.budget.stop_at_importance) {
    return CrawlEnd::kImportance;
  }
  if (options_.budget.time.count() > 0 &&
      static_cast<double>(counts_.run_ms - run_ms_before_) >= options_.budget.time.count() * 1000) {
    return CrawlEnd::kTime;
  }
  return CrawlEnd::kNotYet;
}

// A budget is met to the page: what ends after that is queued again.
bool Crawler::is_full() const {
  const CrawlEnd end = reached();
  return end != CrawlEnd::kNotYet && end != CrawlEnd::kTime;
}

// ---- the end, and how it stands

Status Crawler::close() {
  Status closed = finish();
  if (!closed.ok()) store().leave_note(closed.error().text);
  return closed;
}

Status Crawler::finish() {
  if (!alone_or(session_ && session_->may_work())) {
    return error(
        "{}: the fleet's engine cannot be reached, so that it is not certain that this part of the crawl is "
        "still ours; what was committed before is safe",
        options_.out);
  }
  commit(true);
  BB_TRY_VOID(store().wait_for_commits());
  if (options_.memory.budget > 0) give_back_memory();  // the archive's index is still to be sorted
  if (session_) {
    session_->durable();
    session_->finish();
  }
  return store().close(state_text(end_));
}

void Crawler::refresh_rates(Time now) {
  const Time span = now - rate_since_;
  if (span < 1000) return;
  const double seconds = static_cast<double>(span) / 1000;
  pages_per_second_ = static_cast<double>(counts_.pages - rate_pages_) / seconds;
  bytes_per_second_ = static_cast<double>(counts_.bytes - rate_bytes_) / seconds;
  rate_pages_ = counts_.pages;
  rate_bytes_ = counts_.bytes;
  rate_since_ = now;
}

std::string Crawler::stall(Time now) const {
  if (!fetching_.empty() || stopping_) return {};
  if (store().congested()) return "the disk cannot keep up";
  if (bandwidth_used_up()) return "the bandwidth allowed is used up for now";
  if (hosts_preparing_ > 0) {
    return fmt::format("waiting for DNS or robots.txt of {}", plural(hosts_preparing_, "host"));
  }
  if (nothing_until_ >= kNoTime) return "no host is eligible for fetching";
  if (nothing_until_ > now + 1000) {
    return fmt::format("all remaining hosts are backing off; next request in {}{}",
                       wait_text(nothing_until_ - now),
                       host_trouble_.until >= nothing_until_ ? fmt::format(" ({})", host_trouble_.what) : "");
  }
  return {};
}

CrawlStatus Crawler::status() const {
  CrawlStatus status;
  status.counts = counts_;
  status.phase = stopping_ ? CrawlPhase::kStopping : CrawlPhase::kRunning;
  const FrontierCounts& frontier = state().frontier().counts();
  status.known = state().pages();
  status.queued = frontier.primary + frontier.secondary;
  status.under_way = under_way();
  status.hosts = hosts().size();
  const auto ended = [this](HostEnd end) { return hosts_ended_[static_cast<std::size_t>(end)]; };
  status.hosts_given_up = ended(HostEnd::kUnreachable);
  status.hosts_at_budget = ended(HostEnd::kBudget) + ended(HostEnd::kDomainBudget);
  status.hosts_repeating = ended(HostEnd::kNearDuplicates);
  status.hosts_active = hosts().active();
  status.hosts_waiting = state().frontier().hosts_waiting();
  status.memory = memory_use();
  status.policy = options_.order.policy;
  status.policy_why = policy_why_;
  status.has_topic = topic_ != nullptr;
  status.troubles = warnings_logged_;
  status.guaranteed = state().bound() == nullptr ? -1 : state().bound()->covered();
  status.seconds = static_cast<double>(counts_.run_ms - run_ms_before_) / 1000;
  status.pages_per_second = pages_per_second_;
  status.bytes_per_second = bytes_per_second_;
  status.page_budget = options_.budget.pages;
  status.byte_budget = options_.budget.bytes;
  status.time_budget = options_.budget.time.count();
  if (const FleetState* const fleet = state().fleet()) {
    const ExchangeCounts& counts = fleet->counts();
    status.shared = true;
    status.urls_sent = counts.urls_sent;
    status.urls_received = counts.urls_received;
    status.messages_sent = counts.messages_sent;
    status.bytes_sent = counts.bytes_sent;
    status.partitions = fleet->held().size();
  }
  if (end_ == CrawlEnd::kNoDns) {
    for (std::string& url : state().seed_urls())
      status.counts.add_failed_seed({std::move(url), std::string(rule_of(Outcome::kDnsFailed).what)});
  }
  status.stall = stall(clock_now());
  status.refused = refused_;
  status.redirected = redirected_;
  return status;
}

}  // namespace bowerbird
