#include "crawl/state/crawl_state.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/parallel.h"
#include "parse/robots_text.h"
#include "policy/priorities.h"
#include "policy/registry.h"
#include "url/host.h"
#include "url/location.h"

namespace bowerbird {

// ---- Construction

CrawlState::CrawlState(const CrawlStateOptions& options, UrlSource& texts)
    : hosts_(options.politeness, options.hosts),
      texts_(texts),
      known_(options.known),
      robots_token_(options.robots_token),
      expected_pages_(options.expected_pages),
      queue_bytes_(options.queue_bytes),
      refresh_([this](PageId page) { return host(page); }) {
  url_hints_.topic = options.topic;
}

Result<std::unique_ptr<CrawlState>> CrawlState::make(const CrawlStateOptions& options, UrlSource& texts) {
  std::unique_ptr<CrawlState> made(new CrawlState(options, texts));
  CrawlState* const state = made.get();
  state->known_.set_reread(
      [state](PageId first, PageId end, const std::function<void(std::uint64_t)>& take) -> Status {
        for (PageId page = first; page < end; ++page) {
          BB_TRY(const std::string url, state->texts_.url(page));
          take(KnownUrls::fingerprint(url));
        }
        return {};
      });
  BB_TRY_VOID(state->make_frontier(options));
  if (options.bound) state->bound_ = std::make_unique<RankMassBound>();
  if (options.parallel.on()) {
    BB_TRY(state->fleet_, FleetState::make(
                              options.parallel, [state](HostId host) { return state->hosts_[host].name; },
                              [state](PageId page) { return state->url(page); }));
  }
  return made;
}

Status CrawlState::make_frontier(const CrawlStateOptions& options) {
  const auto host_of = [this](PageId page) { return host(page); };
  PolicyContext context;
  context.expected_pages = options.expected_pages;
  context.seed = options.random_seed;
  context.hosts = host_of;
  context.groups = [this](PageId page) {
    return url_hints_.directories.number(page, [this](PageId of) { return url(of); });
  };
  context.threads = default_threads();
  context.spill = options.spill;
  context.graph_bytes = options.graph_bytes;
  context.rows = [this](std::uint64_t row, std::vector<PageId>& pages) { return read_crawled(row, pages); };
  BB_TRY(auto policy, make_policy(options.policy, context));
  url_hints_.priorities = PagePriorities(options.sites);
  if (url_hints_.priorities.any())
    policy =
        with_priorities(std::move(policy), [this](PageId page) { return url_hints_.priorities.of(page); });
  FrontierOptions frontier;
  frontier.strategy = options.strategy;
  frontier.expected_pages = options.expected_pages;
  frontier.seed = options.random_seed;
  frontier.queue_bytes = options.queue_bytes;
  frontier.spill = options.spill;
  BB_TRY(frontier_, Frontier::make(
                        frontier, std::move(policy), [this](PageId page) { return hints(page); }, host_of));
  return {};
}

PageHints CrawlState::hints(PageId page) const {
  const PageHints* const recent = url_hints_.recent.find(page);
  return recent != nullptr ? *recent : hints_of(url(page));
}

PageHints CrawlState::hints_of(std::string_view text) const {
  static const LocationOptions kLocation;
  PageHints made;
  made.location = static_cast<float>(location_score(text, kLocation));
  made.depth = static_cast<std::uint16_t>(std::min(path_depth(text), 0xffffu));
  made.on_topic = url_hints_.topic && url_hints_.topic->found_in_url(text);
  return made;
}

void CrawlState::record_to(CrawlStore* store) {
  store_ = store;
  if (queue_bytes_ > 0) record(QueueLimited{queue_bytes_});
}

// ---- URLs

PageId CrawlState::intern(std::uint64_t fingerprint, std::string_view text, std::string_view host) {
  if (const PageId known = known_.find(fingerprint); known != kNoPage) return known;
  const PageId page = known_.add(fingerprint);
  page_host_.push_back(hosts_.intern(host));
  facts_.add_page();
  url_hints_.directories.add(page, text);
  url_hints_.priorities.add(text);
  if (frontier_->policy().wants_hints()) url_hints_.recent.add(page, hints_of(text));
  if (store_ != nullptr) CHECK(store_->add_url(text) == page);
  return page;
}

PageId CrawlState::intern(std::string_view canonical) {
  Url url;
  CHECK(parse_url(canonical, nullptr, url) == UrlFault::kNone);
  return intern(KnownUrls::fingerprint(canonical), canonical, url.host());
}

std::string CrawlState::url(PageId page) const {
  auto text = texts_.url(page);
  if (text.ok()) return std::move(*text);
  if (status_.ok()) status_ = text.error();
  return {};
}

std::string CrawlState::target(PageId page) const {
  std::string text = url(page);
  const std::size_t host = text.find("//");
  const std::size_t path = host == std::string::npos ? host : text.find('/', host + 2);
  text.erase(0, path);
  return text;
}

std::vector<std::string> CrawlState::seed_urls() const {
  std::vector<std::string> urls;
  for (PageId page = 0; page < pages(); ++page) {
    if (facts_.depth(page) == 0 && !facts_.is_sitemap(page)) urls.push_back(url(page));
  }
  return urls;
}

// ---- Seeds and pages

void CrawlState::add_seeds(std::vector<SeedEntry> seeds, double total) {
  decide(SeedsAdded{std::move(seeds), total});
}

void CrawlState::apply(const SeedsAdded& event) {
  std::vector<SeedPage> pages;
  for (const SeedEntry& seed : event.seeds) {
    pages.push_back({seed.page, seed.weight});
    facts_.set_depth(seed.page, 0);
    if (seed.sitemap) facts_.set_sitemap(seed.page);
    if (bound_ && !seed.sitemap) bound_->seed(seed.page, seed.weight);
  }
  frontier_->seed(pages, event.total);
  for (const SeedEntry& seed : event.seeds) note_discovered(seed.page);
}

void CrawlState::apply(const SitemapsFound& event) {
  std::vector<SeedPage> pages;
  for (const PageId page : event.pages) {
    pages.push_back({page, 1});
    facts_.set_depth(page, 0);
    facts_.set_sitemap(page);
  }
  add_light_seeds(std::move(pages));
}

// Requisites of other processes are sent to them. A leaf that was fetched as a page is not fetched again.
void CrawlState::apply(const RequisitesFound& event) {
  const auto sent =
      requisites_.apply(event, [this](PageId page) { return frontier_->state(page) == PageState::kDone; });
  if (!fleet_) return;
  for (const PendingRequisite& one : sent)
    fleet_->pass_on(fleet_->partition(one.page, host(one.page)), describe_requisite(one));
}

// The frontier chooses the page, so the choice is made first and then recorded.
std::optional<PageId> CrawlState::next(Time now, const PageGate& gate) {
  now = std::max(now, now_);
  for (;;) {
    const auto best = frontier_->best(now);
    if (best && !best->links_only && gate) {
      const auto opening = gate(best->page);
      if (!opening || opening->at > now) {
        const Opening until = opening.value_or(now);
        record(PageBlocked{now, opening ? best->page : kNoPage, until.at, until.gate});
        now_ = now;
        if (!opening) return {};
        block(*best, until);
        // Searching further would let the ordering act as if this page did not exist.
        if (until.ends_search) return {};
        continue;
      }
    }
    record(PageTaken{now, best ? best->page : kNoPage, best && best->links_only});
    now_ = now;
    changed_ = best.has_value();
    if (!best) return {};
    frontier_->take(*best);
    if (!best->links_only) {
      control_.drop_request(best->page);
      return best->page;
    }
    give_held_links(best->page);
    if (gate) return {};
  }
}

void CrawlState::block(const Job& best, const Opening& opening) {
  frontier_->block(best, opening.at, opening.gate);
  if (opening.gate == kOwnGate) hosts_[host(best.page)].gate = opening.at;
}

// The page gives the links that the strategy held back. If they cannot be read, it has none.
void CrawlState::give_held_links(PageId page) {
  const auto row = frontier_->row_in_visit(page);
  CHECK(row.has_value());
  Status read = rows_.first ? rows_.first(*row, buffers_.row) : error("links.log is missing");
  if (read.ok() && buffers_.row.page != page) read = error("row {} is not page {}'s", *row, page);
  if (read.ok() && !all_known(buffers_.row.links))
    read = error("row {} does not match the rest of the folder", *row);
  if (!read.ok()) {
    buffers_.row.links.clear();
    warnings_.push_back(fmt::format("the links held back by page {} are lost: {}", page, read.error().text));
  }
  take_followed(buffers_.row.links);
  frontier_->complete(page, buffers_.links);
  note_links(page);
}

// The page of this row, then the links that the ordering got.
Status CrawlState::read_crawled(std::uint64_t row, std::vector<PageId>& pages) {
  if (!rows_.first) return error("links.log is missing");
  PageLinks read;
  BB_TRY_VOID(rows_.first(row, read));
  pages.assign(1, read.page);
  for (const StoredLink& link : read.links) {
    const bool followed = (link.flags & kLinkNotFollowed) == 0 && !facts_.is_again(read.page);
    if (followed) pages.push_back(link.page);
  }
  return {};
}

void CrawlState::take_followed(std::span<const StoredLink> links) {
  buffers_.links.clear();
  for (const StoredLink& link : links) {
    if ((link.flags & kLinkNotFollowed) != 0 || facts_.is_excluded(link.page)) continue;
    buffers_.links.push_back({link.page, (link.flags & kLinkOtherHost) != 0, route(link.page),
                              (link.flags & kLinkAnchorHint) != 0});
  }
}

void CrawlState::record(const PageDone& done) {
  if (store_ == nullptr) return;
  buffers_.event.clear();
  encode_event(done, now_, buffers_.event);
  store_->add_links(done.page, done.links, buffers_.event);
}

void CrawlState::apply(const PageDone& event) {
  facts_.clear_tries(event.page);
  if (event.merged) {
    frontier_->adopt(event.page, true, 0);
    return;
  }
  // Another process has passed on the links of a page that is fetched again.
  const auto links = facts_.is_again(event.page) ? std::span<const StoredLink>() : event.links;
  for (const StoredLink& link : links) {
    if ((link.flags & kLinkNotFollowed) == 0) discover(event.page, link);
  }
  take_followed(links);
  const Visit visit = frontier_->complete(event.page, buffers_.links, event.on_topic);
  keep_links(event.page, event.links);
  note_links(event.page);
  if (refresh_.visits().is_open() && !event.failed) {
    VisitRecord record;
    record.set_first_visit(visit);
    for (const StoredLink& link : event.links) record.add_link(link.page);
    refresh_.visits().put(event.page, record);
  }
  if (fleet_) {
    fleet_->pass_on(
        visit, buffers_.links, [this](PageId to) { return describe(to); },
        [this](PageId to) { return host(to); });
  }
  if (bound_ && !event.failed) {
    std::vector<PageId> targets;
    targets.reserve(buffers_.links.size());
    for (const Link& link : buffers_.links) targets.push_back(link.page);
    bound_->crawled(event.page, targets);
  }
}

void CrawlState::discover(PageId from, const StoredLink& link) {
  if (facts_.belongs(link.page)) return;
  const bool redirect = (link.flags & kLinkRedirect) != 0;
  facts_.set_depth(link.page, facts_.depth(from) + (redirect ? 0 : 1));
  facts_.set_via(link.page, from);
  if (redirect) facts_.set_redirects(link.page, facts_.redirects(from) + 1);
  if ((link.flags & kLinkSitemap) != 0) facts_.set_sitemap(link.page);
}

void CrawlState::apply(const PageRetried& event) {
  if (event.counted) facts_.set_tries(event.page, facts_.tries(event.page) + 1);
  frontier_->retry(event.page, event.due);
  if (refresh_.is_on() && refresh_.knows(event.page)) refresh_.postpone(event.page, event.due, false);
}

void CrawlState::apply(const PageExcluded& event) {
  frontier_->forget(event.page);
  facts_.exclude(event.page);
  if (refresh_.is_on() && refresh_.knows(event.page)) refresh_.remove(event.page);
}

// The targets enter as seeds of small weight. New seeds change the importance that the RankMass bound is
// about, so the bound is dropped.
void CrawlState::apply(const LinksAdmitted& event) {
  std::vector<SeedPage> pages;
  for (const StoredLink& link : event.links) {
    discover(event.from, link);
    pages.push_back({link.page, 1});
  }
  add_light_seeds(std::move(pages));
  drop_bound();
}

// Each one gets the weight of an average page.
void CrawlState::add_light_seeds(std::vector<SeedPage> seeds) {
  if (seeds.empty()) return;
  for (SeedPage& seed : seeds) seed.light = true;
  const std::uint64_t all = expected_pages_ > 0 ? expected_pages_ : frontier_->counts().discovered;
  frontier_->seed(seeds, static_cast<double>(std::max<std::uint64_t>(all, seeds.size())));
  for (const SeedPage& seed : seeds) note_discovered(seed.page);
}

void CrawlState::apply(const PageMerged& event) {
  if (facts_.depth(event.page) == PageFacts::kUnknownDepth && event.depth < PageFacts::kExcludedDepth)
    facts_.set_depth(event.page, event.depth);
  frontier_->adopt(event.page, event.done, event.score);
}

void CrawlState::apply(const QueueLimited&) {
  queue_was_limited_ = true;
}

// ---- Hosts

void CrawlState::apply(const GateSet& event) {
  frontier_->set_gate(event.host, event.opens);
  hosts_[event.host].gate = event.opens;
  if (refresh_.is_on()) refresh_.set_gate(event.host, event.opens, now_);
}

void CrawlState::open_gate(HostId id, Time now) {
  const Time opens = hosts_.own_gate(id);
  const Time known = hosts_[id].gate;
  if (known > now && opens < known) set_gate(id, opens);
}

void CrawlState::record_host(HostId host) {
  HostChanged event{host, {}};
  ByteWriter out(event.facts);
  hosts_.save_host(host, out);
  record(event);
}

void CrawlState::apply(const HostChanged& event) {
  ByteReader in(event.facts);
  hosts_.load_host(event.host, in);
}

void CrawlState::record_robots(HostId id, bool https) {
  const OriginRules& origin = hosts_[id].origins[https];
  record(RobotsChanged{id, origin.until, origin.reached, origin.rules->to_text(), https});
}

// If the host has answered only with errors, everything is forbidden, and the text is not used.
void CrawlState::apply(const RobotsChanged& event) {
  OriginRules& origin = hosts_[event.host].origins[event.https];
  origin.until = event.until;
  origin.reached = event.reached;
  origin.rules =
      std::make_shared<RobotsRules>(event.reached ? RobotsRules::make(parse_robots(event.text), robots_token_)
                                                  : RobotsRules::none_allowed());
}

// ---- Memory, errors and warnings

Status CrawlState::status() const {
  BB_TRY_VOID(status_);
  BB_TRY_VOID(known_.status());
  BB_TRY_VOID(hosts_.status());
  BB_TRY_VOID(refresh_.visits().status());
  return frontier_->status();
}

std::vector<std::string> CrawlState::take_warnings() {
  std::vector<std::string> all = frontier_->take_troubles();
  for (std::string& text : std::exchange(warnings_, {})) all.push_back(std::move(text));
  for (std::string& text : known_.take_reports()) all.push_back(std::move(text));
  for (std::string& text : hosts_.take_warnings()) all.push_back(std::move(text));
  return all;
}

CrawlState::Bytes CrawlState::bytes() const {
  Bytes bytes;
  bytes.pages = page_host_.bytes() + facts_.bytes() + url_hints_.directories.bytes() +
                url_hints_.recent.bytes() + url_hints_.priorities.bytes() + (fleet_ ? fleet_->bytes() : 0);
  bytes.frontier = frontier_->bytes();
  bytes.ordering = frontier_->policy().bytes();
  bytes.bound = bound_ ? bound_->bytes() : 0;
  bytes.requisites = requisites_.bytes() + control_.bytes();
  bytes.refresh = refresh_.bytes();
  return bytes;
}

}  // namespace bowerbird
