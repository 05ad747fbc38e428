#include "crawl/loop/crawler.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "crawl/config/connection_limits.h"
#include "crawl/config/kept_options.h"
#include "crawl/config/policy_choice.h"
#include "crawl/loop/fetch_setup.h"
#include "crawl/loop/request_ids.h"
#include "crawl/state/state_setup.h"
#include "sys/file_limit.h"
#include "sys/memory.h"

namespace bowerbird {

namespace {

constexpr Duration kWatchEvery = 250ms;
// How long requests in flight may take to finish when the crawl stops.
constexpr Duration kGrace = 3s;
// Limit in bytes for parsed pages that wait for the crawl's thread, without a memory budget.
constexpr std::uint64_t kMostParsed = std::uint64_t{64} << 20;
// How long a crawl waits for the first host name to be resolved.
constexpr Duration kDnsPatience = 45s;

}  // namespace

Crawler::Crawler(const CrawlOptions& options, const Clock* clock)
    : options_(options), clock_(clock), bandwidth_(options.politeness.bandwidth) {}

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
  complete_refresh_options(options_);
  BB_TRY_VOID(make_rules());
  BB_TRY(GatheredSeeds gathered, gather_seeds(options_));
  if (!gathered.bad.empty()) return Error{gathered.bad};
  const std::vector<CrawlSeed>& seeds = gathered.seeds;
  std::ranges::move(gathered.notes, std::back_inserter(notes_.list));
  const bool there = CrawlStore::holds_crawl(options_.out);
  if (seeds.empty() && !there) {
    return error("no seeds: give at least one URL, --seed-file or --sitemap");
  }
  if (!there && options_.order.policy == kAutoPolicy) {
    PolicyChoice choice = choose_policy(options_, available_memory());
    options_.order.policy = std::move(choice.policy);
    notes_.policy_why = std::move(choice.why);
  }
  BB_TRY(crawl_, RestoredCrawl::open(options_, OpenPurpose::kResume));
  options_ = crawl_->options();
  if (exchange != nullptr) exchange->live();
  if (auto topic = topic_of(options_)) {
    topic_ = std::make_unique<TopicJudge>(std::move(*topic), options_.order.topic_at);
  }
  memory_ = std::make_unique<MemoryGuard>(options_);
  committer_ =
      std::make_unique<Committer>(*crawl_, std::chrono::duration_cast<Duration>(options_.storage.commit),
                                  [this] { return state_text(); });
  BB_TRY_VOID(restore());
  BB_TRY_VOID(adopt_changed_options());
  refresher_ = std::make_unique<Refresher>(state(), options_);
  state().record_to(&store());
  if (resumed()) reopen_hosts();
  BB_TRY(const bool seeds_added, add_seeds(seeds));
  if (state().pages() == 0) return error("{}: this crawl has no seeds; give at least one URL", options_.out);
  BB_TRY_VOID(open_cookies());
  BB_TRY_VOID(make_parts(std::move(fetcher), std::move(exchange), seeds));
  restore_requested(clock_.now());
  if (wants_requisites(options_)) restore_requisites(clock_.now());
  if (resumed()) {
    BB_TRY_VOID(apply_changed_scope(seeds_added));
  } else {
    BB_TRY_VOID(committer_->commit_and_wait());  // a kill can no longer lose the seeds
  }
  BB_TRY_VOID(begin_refresh());
  return options_.refresh.round ? Status() : remember_options(options_);
}

Status Crawler::make_rules() {
  rules_.token = robots_token_of(options_);
  BB_TRY(rules_.filter, NetFilter::parse(options_.network.allow_net));
  BB_TRY(rules_.fields, RequestFields::make(request_fields_of(options_)));
  rules_.sites = site_rules_of(options_);
  BB_TRY(rules_.links_from, PageFilter::make(options_.selection.links_from));
  BB_TRY(rules_.keep, PageFilter::make(options_.selection.keep));
  BB_TRY(rules_.types, BodyTypes::make(options_.selection.types));
  if (rules_.types.wants("application/pdf")) rules_.pdf = std::make_unique<PdfReader>();
  note_types();
  return {};
}

Status Crawler::make_parts(std::unique_ptr<Fetcher> fetcher, std::unique_ptr<Exchange> exchange,
                           const std::vector<CrawlSeed>& seeds) {
  rules_.parser = parser_settings_of(options_, *rules_.scope, rules_.types, rules_.token,
                                     milliseconds_of(clock_.now()) / 1000);
  rules_.parser.pdf = rules_.pdf.get();
  if (resumed() && rules_.parser.text_digests) {
    BB_TRY(rules_.captures, CaptureLibrary::open_indexed(options_.out));
    rules_.parser.captures = rules_.captures.get();
  }
  if (!rules_.links_from.all()) rules_.parser.links_from = &rules_.links_from;
  if (!rules_.keep.all()) rules_.parser.keep = &rules_.keep;
  live_.scope.set(*rules_.scope);
  rules_.parser.live_scope = &live_.scope;
  if (fetcher == nullptr) {
    BB_TRY(fetcher_, make_network_fetcher(options_, rules_.filter, rules_.types));
  } else {
    fetcher_ = std::move(fetcher);
  }
  const auto wake = [this] { fetcher_->wake(); };
  const auto threads = static_cast<unsigned>(std::min<std::uint64_t>(options_.parsers, 64));
  const std::uint64_t limit = memory_->bodies_limit();
  pool_ = std::make_unique<ParserPool>(threads, rules_.parser, wake, limit > 0 ? limit : kMostParsed);
  if (state().fleet() != nullptr && state().fleet()->mode() == Mode::kExchange) {
    if (exchange == nullptr) return error("--mode exchange needs a fleet: give --fleet nats://HOST:PORT");
    session_ = std::make_unique<FleetSession>(state(), std::move(exchange), seeds, wake);
  }
  slots_ = std::make_unique<RequestSlots>(connections());
  failures_ = std::make_unique<HostFailures>(state(), options_.politeness.patience);
  preparer_ = std::make_unique<HostPreparer>(HostPreparer::Parts{
      state(), *fetcher_, *slots_, *failures_, session_.get(), counts_, clock_, rules_.filter, rules_.fields,
      *rules_.scope, rules_.token, options_.selection.follow_sitemaps,
      [this](std::uint64_t fingerprint) { return turn_away(fingerprint, 0); }, host_archive()});
  return {};
}

// The archive for DNS answers and robots.txt. With a proxy or --connect-to no names are looked up.
HostPreparer::Archive Crawler::host_archive() {
  HostPreparer::Archive archive;
  if (!options_.storage.robots) return archive;
  archive.robots = [this](const std::string& url, const FetchOutcome& fetch) { store_robots(url, fetch); };
  if (options_.network.connect_to.empty() && options_.network.proxy.empty())
    archive.dns = [this](const std::string& host, const FetchOutcome& outcome) { store_dns(host, outcome); };
  return archive;
}

// --connections, reduced to what the limit of open files allows.
std::uint64_t Crawler::connections() {
  const std::uint64_t files = raise_file_limit();
  const std::uint64_t connections = connection_limits({options_.politeness.connections, 0}, files).under_way;
  if (connections < options_.politeness.connections) {
    notes_.list.push_back(
        fmt::format("only {} requests at a time instead of {}: the limit of open files is {} (ulimit -n)",
                    connections, options_.politeness.connections, files));
  }
  return connections;
}

// Links are only found in HTML pages and PDF files. Requisites are not links.
void Crawler::note_types() {
  const bool reads_pdf = rules_.pdf != nullptr && rules_.pdf->available();
  if (rules_.pdf != nullptr && !reads_pdf) {
    notes_.list.push_back(
        "links in PDF files are not followed: pdftohtml was not found (Debian package poppler-utils)");
  }
  if (!rules_.types.wants("text/html") && !reads_pdf) {
    notes_.list.push_back(
        fmt::format("--types {}: links are found in HTML pages only, so nothing but the seeds is "
                    "fetched; add html to --types",
                    fmt::join(options_.selection.types, ",")));
  }
  const auto is_part = [](const std::string& type) {
    return type == "image" || type == "style" || type == "script" || type.starts_with("image/");
  };
  if (!options_.selection.requisites && std::ranges::any_of(options_.selection.types, is_part)) {
    notes_.list.push_back(
        "images, styles and scripts that a page embeds are fetched only with --requisites; links to them are "
        "followed");
  }
}

// Adds new seeds. The scope is made from all seeds so far.
Result<bool> Crawler::add_seeds(const std::vector<CrawlSeed>& seeds) {
  std::vector<std::string> urls = state().seed_urls();
  std::vector<SeedEntry> fresh;
  double total = 0;
  for (const CrawlSeed& seed : seeds) {
    urls.push_back(seed.url);
    total += seed.weight;
    const PageId page = state().intern(seed.url);
    if (seed.sitemap) run_.given_sitemaps.insert(page);
    if (state().route(page) == LinkRoute::kLocal &&
        state().frontier().state(page) == PageState::kUndiscovered)
      fresh.push_back({page, seed.weight, seed.sitemap});
  }
  BB_TRY(Scope scope, Scope::make(options_.scope, urls, rules_.sites));
  rules_.scope = std::make_unique<Scope>(std::move(scope));
  if (!fresh.empty()) state().add_seeds(fresh, state().fleet() == nullptr ? 0 : total);
  return !fresh.empty();
}

// ---- the loop

Result<CrawlEnd> Crawler::run(const Watch& watch) {
  Result<CrawlEnd> end = loop(watch);
  if (!end.ok()) store().leave_note(end.error().text);
  return end;
}

Result<CrawlEnd> Crawler::loop(const Watch& watch) {
  Time stop_at = kNever;
  run_.began = run_.last_step = clock_.now();
  run_.end = CrawlEnd::kNotYet;
  committer_->begin(run_.began);
  if (session_) store().set_fence(session_->fence());
  run_.rates = RateMeter(run_.began, counts_.pages, counts_.bytes);
  bandwidth_ = BandwidthLimit(options_.politeness.bandwidth, run_.began);
  for (;;) {
    step(waiting_time(clock_.now()));
    const Time now = clock_.now();
    if (is_paused()) run_.began += now - run_.last_step;  // a pause does not count as crawling
    run_.last_step = now;
    counts_.run_ms = run_.ms_before + static_cast<std::uint64_t>((now - run_.began).count());
    BB_TRY_VOID(store().status());
    BB_TRY_VOID(state().status());
    do_periodic_work(watch, now, stop_at);
    if (run_.stopping && (requests() == 0 || now >= stop_at || is_full())) break;
    if (!run_.stopping && dns_is_silent(now)) {
      run_.end = CrawlEnd::kNoDns;
      break;
    }
    if (session_ && !session_->lost().empty()) {
      const std::string& why = session_->lost();
      return why.starts_with(options_.out) ? error("{}", why) : error("{}: {}", options_.out, why);
    }
    if (!run_.stopping && idle() && (session_ == nullptr || session_->ended())) {
      run_.end = CrawlEnd::kNothingLeft;
      break;
    }
    if (session_ && committer_->idle()) session_->durable(store().counts().commits);
    if (committer_->is_due(now) && may_work() && !log_is_behind()) commit(committer_->snapshot_is_due(now));
  }
  fetcher_->cancel_all();
  rules_.cookies->clear_requests();
  slots_->clear();
  requeue_all();
  refresher_->estimate(clock_.now(), counts_.refresh);
  committer_->log_warnings();
  return run_.end;
}

// Periodic work, and the check whether to stop.
void Crawler::do_periodic_work(const Watch& watch, Time now, Time& stop_at) {
  if (now - run_.last_watch >= kWatchEvery || live_.watch_asked.exchange(false, std::memory_order_acq_rel)) {
    run_.last_watch = now;
    run_.rates.update(now, counts_.pages, counts_.bytes);
    memory_->watch(now, state(), store());
    if (memory_->budget() > 0) fetcher_->limit_idle(memory_->connections_limit());
    if (requisites_) requisites_->wake(now);
    live_.requested->wake(now);
    refresher_->watch(now, counts_.refresh);
    committer_->log_warnings();
    const bool stop = watch && watch(status()) == CrawlRequest::kStop;
    if (session_) session_->report(status(), idle());
    if ((stop || (session_ && session_->stop())) && !run_.stopping) {
      run_.stopping = true;
      run_.end = CrawlEnd::kStopped;
      stop_at = now + kGrace;
    }
  }
  if (run_.stopping) return;
  CrawlEnd end = reached();
  // The last pages still get their requisites.
  if (requisites_ && !requisites_->idle() && pages_reached() != CrawlEnd::kNotYet) end = limits_reached();
  if (end == CrawlEnd::kNotYet) return;
  run_.stopping = true;
  run_.end = end;
  stop_at = end == CrawlEnd::kTime ? now + kGrace : now;
}

void Crawler::step(Duration wait) {
  buffers_.outcomes.clear();
  fetcher_->poll(buffers_.outcomes, static_cast<int>(wait.count()));
  const Time now = clock_.now();
  run_.meter.begin(state().frontier().recomputations());
  for (FetchOutcome& outcome : buffers_.outcomes) {
    take(std::move(outcome), now);
    end_step();
  }
  if (requisites_ && !buffers_.outcomes.empty()) requisites_->wake(now);
  if (!buffers_.outcomes.empty()) live_.requested->wake(now);
  pool_->flush();
  buffers_.parsed.clear();
  pool_->take(buffers_.parsed);
  for (ParsedPage& parsed : buffers_.parsed) batcher_.add(std::move(parsed), now);
  if (batcher_.is_due(now, state().known().all_in_memory(), slots_->pages() > 0)) look_up_batch();
  finish_looked_up(now);
  limit_bodies();
  if (session_) {
    static const std::set<PageId> kNone;
    session_->step(now, requisites_ ? requisites_->in_flight_pages() : kNone);
    add_arrived_requisites(now);
  }
  if (run_.stopping) return;
  follow_commands();
  free_slots(now);
  if (!is_paused()) preparer_->start_due(now);
  hand_out(now);
  end_step();
}

void Crawler::take(FetchOutcome outcome, Time now) {
  const std::uint64_t id = outcome.id;
  slots_->end(id, now);
  bandwidth_.spend(outcome.body.size() + outcome.head.size());
  outcome.with_cookies = rules_.cookies->take(id, outcome, milliseconds_of(now) / 1000);
  if (is_page(id)) {
    take_page(std::move(outcome), now);
  } else if (is_requisite(id)) {
    take_requisite(std::move(outcome), now);
  } else if (is_resolve(id)) {
    preparer_->take_resolved(host_of_request(id), outcome, now);
  } else {
    preparer_->take_robots(host_of_request(id), std::move(outcome), now);
  }
}

// How long the loop may sleep unless something arrives.
Duration Crawler::waiting_time(Time now) const {
  if (!looked_up_.pages.empty() || live_.release_from) return 0ms;
  if (live_.admit_from && *live_.admit_from < state().frontier().counts().crawled) return 0ms;
  if (batcher_.is_due(now, state().known().all_in_memory(), slots_->pages() > 0)) return 0ms;
  Time until = now + kWatchEvery;
  if (!batcher_.empty()) until = std::min(until, now + 10ms);
  if (!run_.stopping && may_work() && !is_paused()) {
    until = std::min(until, live_.requested->next_due());
    if (may_start(now)) until = state().has_changed() ? now : std::min(until, run_.nothing_until);
    if (requisites_ && has_room()) until = std::min(until, requisites_->next_due());
    if (bandwidth_.used_up()) until = std::min(until, now + bandwidth_.pause());
    until = std::min(until, preparer_->next_due());
  }
  return std::max<Duration>(0ms, until - now);
}

// Whether connections, disk and budgets leave room for another page. If not, the loop waits for pages in
// flight. Slow pages may never finish, so with a page budget others are started in their place.
bool Crawler::may_start(Time now) const {
  if (!has_room() || (requisites_ && requisites_->is_crowded())) return false;
  if (refresher_->is_forever() || refresher_->is_round()) return refresher_->round_has_room();
  const std::uint64_t pages = counts_.pages + state().frontier().counts().in_flight;
  if (session_) return !session_->page_limit() || pages < *session_->page_limit();
  return options_.budget.pages == 0 || pages < options_.budget.pages ||
         pages - slots_->slow_pages(now) < options_.budget.pages;
}

// The same for a requisite; page budgets do not apply.
bool Crawler::has_room() const {
  if (under_way() >= slots_->slots() || store().congested() || bandwidth_.used_up()) return false;
  if (log_is_behind()) return false;
  if (slots_->crowded() || (memory_->is_full() && requests() > 0)) return false;
  if (memory_->bodies_limit() > 0 && bodies() >= memory_->bodies_limit()) return false;
  return options_.budget.bytes == 0 || budgeted_bytes() + run_.read_bytes < options_.budget.bytes;
}

// What --bytes limits: the bytes of all runs, or of this round.
std::uint64_t Crawler::budgeted_bytes() const {
  return counts_.bytes - (refresher_->is_round() ? run_.bytes_before : 0);
}

// Nothing is in flight, and nothing can be started.
bool Crawler::idle() const {
  if (state().control().any_pause() || !live_.requested->idle() || live_.release_from || live_.admit_from)
    return false;
  if (state().has_changed() || in_flight() > 0 || preparer_->hosts() > 0 || slots_->waiting() > 0)
    return false;
  if (refresher_->is_forever() || (requisites_ && !requisites_->idle())) return false;
  if (refresher_->is_on() && !refresher_->is_round()) return refresher_->new_pages_ended();
  return run_.nothing_until >= kNever;
}

// Whether DNS does not work at all. A crawl that has never fetched a page then ends rather than wait: the
// network or its settings are wrong. The resolver has tried each name several times.
bool Crawler::dns_is_silent(Time now) const {
  if (preparer_->any_resolved() || counts_.pages > 0 || state().control().any_pause() ||
      state().fleet() != nullptr || in_flight() > 0)
    return false;
  if (preparer_->hosts() > 0) return now - run_.began >= kDnsPatience;
  return preparer_->dns_failed() && !state().has_changed() && run_.nothing_until > now &&
         run_.nothing_until < kNever;
}

CrawlEnd Crawler::reached() const {
  const CrawlEnd pages = pages_reached();
  return pages != CrawlEnd::kNotYet ? pages : limits_reached();
}

// The reason to fetch no more pages, if there is one.
CrawlEnd Crawler::pages_reached() const {
  if (session_) return CrawlEnd::kNotYet;
  if (refresher_->is_round_full()) return CrawlEnd::kPages;
  if (!refresher_->is_forever() && options_.budget.pages > 0 && counts_.pages >= options_.budget.pages)
    return CrawlEnd::kPages;
  if (options_.budget.stop_at_importance > 0 && state().bound() != nullptr &&
      state().bound()->covered() >= options_.budget.stop_at_importance) {
    return CrawlEnd::kImportance;
  }
  return CrawlEnd::kNotYet;
}

// The reason to fetch nothing more, not even requisites, if there is one.
CrawlEnd Crawler::limits_reached() const {
  if (session_) return CrawlEnd::kNotYet;
  if (options_.budget.bytes > 0 && budgeted_bytes() >= options_.budget.bytes) return CrawlEnd::kBytes;
  if (options_.budget.time.count() > 0 &&
      static_cast<double>(counts_.run_ms - run_.ms_before) >= options_.budget.time.count() * 1000) {
    return CrawlEnd::kTime;
  }
  return CrawlEnd::kNotYet;
}

// A page budget is met exactly: pages that finish after that are queued again.
bool Crawler::is_full() const {
  const CrawlEnd end = reached();
  return end != CrawlEnd::kNotYet && end != CrawlEnd::kTime;
}

// ---- the end

Status Crawler::close() {
  Status closed = finish();
  if (!closed.ok()) store().leave_note(closed.error().text);
  return closed;
}

Status Crawler::finish() {
  if (!may_work()) {
    return error(
        "{}: the NATS server cannot be reached, so this process may have lost its partitions; committed work "
        "is kept",
        options_.out);
  }
  // Fetching and parsing are over, and sorting the archive's index needs memory.
  pool_.reset();
  simhashes_ = SimhashIndex();
  if (memory_->budget() > 0) MemoryGuard::release_caches(state(), store());
  if (session_) session_->end_waiting();
  commit(true);
  BB_TRY_VOID(state().status());
  BB_TRY_VOID(store().wait_for_commits());
  BB_TRY_VOID(rules_.cookies->save());
  if (memory_->budget() > 0) MemoryGuard::release_caches(state(), store());
  if (session_) {
    session_->durable(store().counts().commits);
    session_->finish();
    store().set_fence({});  // the lease is released; closing the files needs none
  }
  return store().close(state_text(run_.end));
}

}  // namespace bowerbird
