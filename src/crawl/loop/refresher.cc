#include "crawl/loop/refresher.h"

#include <algorithm>
#include <map>

namespace bowerbird {

namespace {

constexpr double kDefaultDays = 30;  // days to fetch every page again, without --refresh-rate
constexpr double kBurst = 1.0 / 24;  // capacity of a bucket: the fetches of this many days
constexpr std::size_t kHeldTogether = 4096;
constexpr Duration kGivenUpFor = 24h;  // refresh time
// A server's freshness is believed for this long at most: many declare a year and change the page.
constexpr std::chrono::seconds kLongestFresh = 24h;
// Importances are updated for new links at least this often in refresh time, but not more often than this in
// the crawl's time.
constexpr Duration kImportanceEvery = 24h, kImportanceApart = 1s;
// Computing PageRank over links of this size takes about half a second.
constexpr std::uint64_t kMostLinksBytes = std::uint64_t{16} << 20;
constexpr std::uint64_t kFewPages = 100'000;
constexpr Duration kEstimateEvery = 5s, kEstimateManyEvery = 5min;

}  // namespace

Refresher::Refresher(CrawlState& state, const CrawlOptions& options)
    : state_(state), options_(options.refresh), shortest_(options.refresh.shortest) {
  most_links_bytes_ = std::min(kMostLinksBytes, graph_bytes_of(options));
  // A user who asks for PageRank gets it at any cost if the ordering computes no ranks.
  if (options_.importance == RefreshImportance::kPageRank && !state.frontier().policy().has_ranks())
    most_links_bytes_ = ~std::uint64_t{0};
  if (options_.round) return;
  for (const SiteSettings& site : options.sites)
    shortest_ = std::min(shortest_, site.refresh_interval.value_or(shortest_));
}

// ---- Start

bool Refresher::needs_fetch_times() const {
  if (options_.policy == "none") return false;
  for (PageId page = 0; page < state_.pages(); ++page) {
    if (state_.frontier().state(page) == PageState::kDone && !state_.refresh().knows(page) &&
        !state_.refresh().visits().get(page).was_visited())
      return true;
  }
  return false;
}

Status Refresher::begin(Time now, const std::unordered_map<PageId, RefreshTime>& fetched) {
  const bool was_on = is_on();
  const bool had_queue = state_.refresh().queue() != nullptr;
  const bool had_links = state_.refresh().links() != nullptr;
  const RefreshImportance before = state_.refresh().importance();
  if (options_.policy == "none" && !was_on) return {};
  RefreshStarted event;
  event.now = now;
  event.policy = options_.policy;
  event.shortest = rounded(shortest_);
  event.longest = rounded(options_.longest);
  event.least_new = options_.least_share();
  event.most_new = options_.most_new;
  event.scale = options_.time_scale;
  event.importance = static_cast<std::uint8_t>(options_.importance);
  event.round = options_.round;
  state_.start_refresh(event);
  if (!is_on()) return {};
  std::vector<FetchedBefore> held;
  const auto flush = [&] {
    holds_more_ = holds_more_ || !held.empty();
    if (!held.empty()) state_.hold(std::move(held));
    held.clear();
  };
  for (PageId page = 0; page < state_.pages(); ++page) {
    if (state_.frontier().state(page) != PageState::kDone || state_.refresh().knows(page)) continue;
    const VisitRecord known = state_.refresh().visits().get(page);
    if (known.missing >= kMissingIsGone) continue;
    RefreshTime time = known.visited;
    if (const auto found = fetched.find(page); time == RefreshTime{} && found != fetched.end())
      time = found->second;
    if (time <= RefreshTime{}) continue;
    held.push_back({page, time});
    if (held.size() == kHeldTogether) flush();
  }
  flush();
  ranks_ = state_.frontier().recomputations();
  last_importance_ = now;
  bucket_ = {counts_new() ? 1.0 : 0.0, state_.refresh().time(now)};
  const bool recount = holds_more_ || !had_queue || had_links || before != options_.importance;
  const bool by_rank =
      options_.importance == RefreshImportance::kAuto || options_.importance == RefreshImportance::kPageRank;
  if (by_rank) {
    state_.compute_ranks(ranks_from(RanksOf::kStoredLinks, recount));
  } else {
    state_.update_importance(recount);
  }
  return state_.status();
}

RanksComputed Refresher::ranks_from(RanksOf source, bool recount) const {
  return {static_cast<std::uint8_t>(source), most_links_bytes_, recount};
}

// ---- The rate

double Refresher::rate() const {
  return options_.rate.value_or(static_cast<double>(state_.refresh().queue()->counts().held) / kDefaultDays);
}

void Refresher::Bucket::fill(RefreshTime now, double per_day) {
  const double days = Days(std::max<Duration>(0ms, now - filled)).count();
  tokens = std::min(tokens + days * per_day, std::max(1.0, per_day * kBurst));
  filled = std::max(filled, now);
}

Time Refresher::when(const Bucket& bucket, double per_day, Time now) const {
  if (bucket.tokens >= 1) return now;
  if (!(per_day > 0)) return kNever;
  const Days wait((1 - bucket.tokens) / per_day);
  if (wait.count() > 36'500) return kNever;
  return state_.refresh().crawl_time(bucket.filled + std::chrono::ceil<Duration>(wait));
}

std::optional<RefreshWant> Refresher::want(Time now, bool new_pages) {
  const RefreshQueue& queue = *state_.refresh().queue();
  bucket_.fill(state_.refresh().time(now), rate());
  const bool held = options_.round || bucket_.tokens >= 1;
  if (held) return new_pages ? RefreshWant::kAny : RefreshWant::kHeld;
  if (counts_new() || !new_pages || !queue.new_is_allowed()) return {};
  return RefreshWant::kNew;
}

Time Refresher::next_token(Time now) const {
  return options_.round ? kNever : std::max(now + 1ms, when(bucket_, rate(), now));
}

Time Refresher::nothing_until(RefreshWant asked, Time now) {
  if (asked != RefreshWant::kHeld) new_ended_ = state_.refresh().next_opening(RefreshWant::kNew) >= kNever;
  const Time opens = state_.refresh().next_opening(asked);
  return asked == RefreshWant::kNew ? std::min(opens, next_token(now)) : opens;
}

void Refresher::taken(PageId page, Time now) {
  new_ended_ = false;
  if (counts_new() || state_.refresh().is_revisit(page)) bucket_.tokens -= 1;
  if (!(options_.host_rate > 0)) return;
  Bucket& bucket = hosts_[state_.host(page)];
  bucket.fill(state_.refresh().time(now), options_.host_rate);
  bucket.tokens -= 1;
}

void Refresher::put_back(PageId page) {
  bucket_.tokens += 1;
  if (const auto host = hosts_.find(state_.host(page)); host != hosts_.end()) host->second.tokens += 1;
}

Time Refresher::host_opens(HostId host, Time now) {
  if (!is_on() || !(options_.host_rate > 0) || options_.round) return now;
  const auto [found, is_new] = hosts_.try_emplace(host);
  if (is_new) found->second = {1, state_.refresh().time(now)};
  found->second.fill(state_.refresh().time(now), options_.host_rate);
  return found->second.tokens >= 1 ? now : std::max(now + 1ms, when(found->second, options_.host_rate, now));
}

Time Refresher::reopens(HostId host, Time now) {
  const RefreshTime time = state_.refresh().time(now);
  const auto [found, is_new] = given_up_.try_emplace(host, time + kGivenUpFor);
  const RefreshTime opens = found->second;
  if (opens <= time) {
    given_up_.erase(found);
    return now;
  }
  return std::max(now + 1ms, state_.refresh().crawl_time(opens));
}

// ---- Requests and answers

std::string Refresher::start_request(PageId page) {
  const VisitRecord known = state_.refresh().visits().get(page);
  // Without a digest a 304 could not confirm anything.
  std::string fields =
      known.digest == 0 ? "" : conditional_fields(known.etag(), static_cast<UnixTime>(known.modified));
  sent_[page] = fields;
  return fields;
}

std::string_view Refresher::sent_fields(PageId page) const {
  const auto found = sent_.find(page);
  return found == sent_.end() ? std::string_view() : std::string_view(found->second);
}

Time Refresher::fresh_until(PageId page, Time now) const {
  if (options_.round) return {};
  const VisitRecord known = state_.refresh().visits().get(page);
  if (known.fresh_until <= state_.refresh().time(now)) return {};
  return state_.refresh().crawl_time(known.fresh_until);
}

// The server's clock may differ from ours, so only differences between its dates are used.
PageVisited Refresher::visit_of(PageId page, const AnswerFacts& facts, std::uint64_t digest,
                                std::uint64_t bytes, const VisitRecord& known, Time now) const {
  PageVisited visit;
  visit.page = page;
  visit.time = state_.refresh().time(now);
  visit.answered = true;
  visit.comparable = known.digest != 0;
  visit.digest = digest;
  const bool changed = visit.comparable && digest != known.digest;
  visit.outcome = static_cast<std::uint8_t>(changed ? RefreshOutcome::kChanged : RefreshOutcome::kUnchanged);
  if (facts.etag.size() <= VisitRecord::kLongestTag) visit.etag = facts.etag;
  visit.modified = static_cast<std::uint64_t>(facts.modified);
  visit.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, ~std::uint32_t{0}));
  if (changed && facts.modified > 0 && facts.date > 0) {
    const RefreshTime at = visit.time - std::chrono::seconds(facts.date - facts.modified);
    if (credible_change_time(at, known.visited, visit.time)) visit.changed_at = at;
  }
  if (facts.fresh_for > 0)
    visit.fresh_until = visit.time + std::min(std::chrono::seconds(facts.fresh_for), kLongestFresh);
  return visit;
}

// A `lastmod` that differs from the last one means that the page has changed. The first one does only if it
// is later than our visit.
void Refresher::list(const ParsedPage& parsed, const std::vector<PageId>& pages, Time now) {
  const RefreshTime time = state_.refresh().time(now);
  // How far the server's clock is ahead.
  const Duration ahead =
      parsed.facts.date > 0 ? RefreshTime(std::chrono::seconds(parsed.facts.date)) - time : 0ms;
  std::map<HostId, PagesListed> hosts;
  for (const ListedLink& entry : parsed.listed) {
    const PageId page = entry.link < pages.size() ? pages[entry.link] : kNoPage;
    if (page == kNoPage || !state_.refresh().knows(page) || state_.refresh().is_new(page)) continue;
    const VisitRecord known = state_.refresh().visits().get(page);
    const auto modified = static_cast<std::uint64_t>(entry.modified);
    if (modified == known.listed || !known.was_visited()) continue;
    const bool due =
        known.listed != 0 || RefreshTime(std::chrono::seconds(entry.modified)) - ahead > known.visited;
    PagesListed& listed = hosts[state_.host(page)];
    listed.now = time;
    listed.host = state_.host(page);
    listed.pages.push_back({page, modified, due});
  }
  for (auto& [host, listed] : hosts) state_.list_pages(std::move(listed));
}

// ---- Periodic work

void Refresher::watch_importance(Time now) {
  const RefreshState& refresh = state_.refresh();
  const Frontier& frontier = state_.frontier();
  const bool moved = frontier.recomputations() != ranks_;
  // The ordering computes its own ranks as the crawl grows, but not if it stops growing.
  const bool own_ranks = refresh.links() == nullptr && frontier.policy().has_ranks() &&
                         options_.importance != RefreshImportance::kBacklinks &&
                         options_.importance != RefreshImportance::kEqual;
  const std::uint64_t waiting = refresh.links() != nullptr ? refresh.links()->rows_since()
                                : own_ranks ? (new_ended_ ? frontier.counts().crawled - ranked_ : 0)
                                            : refresh.links_uncounted();
  const std::uint64_t many = std::max<std::uint64_t>(100, refresh.queue()->counts().held / 10);
  const bool late = now - last_importance_ >= kImportanceApart &&
                    refresh.time(now) - refresh.time(last_importance_) >= kImportanceEvery;
  const bool due = own_ranks ? moved : waiting > many;
  if (!due && !(waiting > 0 && late)) return;
  last_importance_ = now;
  if (refresh.links() != nullptr) {
    state_.compute_ranks(ranks_from(RanksOf::kKeptLinks, true));
  } else if (own_ranks && !moved) {
    ranked_ = frontier.counts().crawled;
    state_.compute_ranks(ranks_from(RanksOf::kOrdering, false));
  } else {
    state_.update_importance(false);
  }
  ranks_ = frontier.recomputations();
}

void Refresher::watch(Time now, VisitCounts& counts) {
  if (!is_on()) return;
  watch_importance(now);
  const std::uint64_t pages = state_.refresh().queue()->counts().held;
  if (now - last_estimate_ >= (pages > kFewPages ? kEstimateManyEvery : kEstimateEvery)) {
    last_estimate_ = now;
    estimate(now, counts);
  }
}

void Refresher::estimate(Time now, VisitCounts& counts) const {
  if (!is_on()) return;
  const HeldEstimate held = state_.refresh().estimate(now);
  counts.freshness = held.freshness;
  counts.age = held.age;
  counts.overdue = state_.refresh().queue()->counts().overdue_choices;
}

}  // namespace bowerbird
