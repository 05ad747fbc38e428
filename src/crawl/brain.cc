#include "crawl/brain.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/varint.h"
#include "crawl/journal_events.h"
#include "policy/registry.h"
#include "url/host.h"
#include "url/location.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kBrainFormat = 0x3130'6e69'6172'6262;  // changes with the layout of the snapshot

constexpr char kOtherOrder[] =
    "the journal was written by another version of the program: its order cannot be followed";

std::uint64_t bits_of(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

double double_of(std::uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <typename T>
void save_map(const std::unordered_map<PageId, T>& map, ByteWriter& out) {
  std::vector<std::pair<PageId, T>> entries(map.begin(), map.end());
  std::sort(entries.begin(), entries.end());
  out.put<std::uint64_t>(entries.size());
  for (const auto& [page, value] : entries) {
    out.put(page);
    out.put(value);
  }
}

template <typename T>
void load_map(ByteReader& in, std::unordered_map<PageId, T>& map) {
  for (auto count = in.get<std::uint64_t>(); count > 0 && in.ok(); --count) {
    const auto page = in.get<PageId>();
    map[page] = in.get<T>();
  }
}

template <typename T>
std::uint32_t value_or_zero(const std::unordered_map<PageId, T>& map, PageId page) {
  const auto found = map.find(page);
  return found == map.end() ? 0 : found->second;
}

}  // namespace

Result<std::unique_ptr<Brain>> Brain::make(const BrainOptions& options, HostTable& hosts, UrlSource& texts) {
  std::unique_ptr<Brain> brain(new Brain(hosts, texts, options.known));
  brain->topic_ = options.topic;
  brain->known_.set_reread(
      [b = brain.get()](PageId first, PageId end, const std::function<void(std::uint64_t)>& take) -> Status {
        for (PageId page = first; page < end; ++page) {
          BB_TRY(const std::string url, b->texts_.url(page));
          take(KnownUrls::fingerprint(url));
        }
        return {};
      });
  const auto host_of = [b = brain.get()](PageId page) { return b->host(page); };
  PolicyContext context;
  context.expected_pages = options.expected_pages;
  context.seed = options.random_seed;
  context.hosts = host_of;
  context.groups = [b = brain.get()](PageId page) { return b->directory(page); };
  context.threads = default_threads();
  context.spill = options.spill;
  context.graph_bytes = options.graph_bytes;
  context.rows = [b = brain.get()](std::uint64_t row, std::vector<PageId>& pages) {
    return b->read_crawled(row, pages);
  };
  BB_TRY(auto policy, make_policy(options.policy, context));
  FrontierOptions frontier;
  frontier.strategy = options.strategy;
  frontier.expected_pages = options.expected_pages;
  frontier.seed = options.random_seed;
  frontier.queue_bytes = options.queue_bytes;
  frontier.spill = options.spill;
  brain->queue_bytes_ = options.queue_bytes;
  const auto hints = [b = brain.get()](PageId page) {
    const std::string text = b->url(page);
    PageHints made;
    made.location = static_cast<float>(location_score(text));
    made.depth = static_cast<std::uint16_t>(std::min(path_depth(text), 0xffffu));
    made.on_topic = b->topic_ && b->topic_->found_in_url(text);
    return made;
  };
  BB_TRY(brain->frontier_, Frontier::make(frontier, std::move(policy), hints, host_of));
  if (options.bound) brain->bound_ = std::make_unique<RankMassBound>();
  brain->expected_pages_ = options.expected_pages;
  if (options.share.on()) {
    BB_TRY(brain->share_, Share::make(
                              options.share, [&hosts](HostId host) { return hosts[host].name; },
                              [b = brain.get()](PageId page) { return b->url(page); }));
  }
  return brain;
}

// From the moment at which the queue is limited its order is the journal's to tell.
void Brain::record_to(CrawlStore* store) {
  store_ = store;
  if (queue_bytes_ == 0) return;
  event_.clear();
  put_varint(event_, queue_bytes_);
  record(kEventLimit);
}

// ---- URLs

PageId Brain::intern(std::uint64_t fingerprint, std::string_view text, std::string_view host) {
  if (const PageId known = known_.find(fingerprint); known != kNoPage) return known;
  const PageId page = known_.add(fingerprint);
  page_host_.push_back(hosts_.intern(host));
  depth_.push_back(kUnknownDepth);
  if (store_ != nullptr) CHECK(store_->add_url(text) == page);
  return page;
}

PageId Brain::intern(std::string_view canonical) {
  Url url;
  CHECK(parse_url(canonical, nullptr, url) == UrlFault::kNone);
  return intern(KnownUrls::fingerprint(canonical), canonical, url.host());
}

std::string Brain::url(PageId page) const {
  auto text = texts_.url(page);
  if (text.ok()) return std::move(*text);
  if (status_.ok()) status_ = text.error();
  return {};
}

std::string Brain::target(PageId page) const {
  std::string text = url(page);
  const std::size_t host = text.find("//");
  const std::size_t path = host == std::string::npos ? host : text.find('/', host + 2);
  text.erase(0, path);
  return text;
}

std::uint32_t Brain::directory(PageId page) {
  while (directory_.size() <= page) {
    const auto next = static_cast<PageId>(directory_.size());
    const std::string text = url(next);
    std::string_view path = text;
    path = path.substr(0, path.find('?'));
    path = path.substr(0, path.rfind('/') + 1);
    const auto number = static_cast<std::uint32_t>(directories_.size());
    directory_.push_back(directories_.emplace(hash64(path), number).first->second);
  }
  return directory_[page];
}

std::uint32_t Brain::redirects(PageId page) const {
  return value_or_zero(redirect_hops_, page);
}

std::uint32_t Brain::tries(PageId page) const {
  return value_or_zero(tries_, page);
}

// ---- deciding

void Brain::seed(std::span<const BrainSeed> seeds, double total) {
  event_.clear();
  put_varint(event_, seeds.size());
  std::vector<SeedPage> pages;
  for (const BrainSeed& seed : seeds) {
    put_varint(event_, seed.page);
    put_varint(event_, bits_of(seed.weight));
    put_varint(event_, seed.sitemap ? 1 : 0);
    pages.push_back({seed.page, seed.weight});
    depth_[seed.page] = 0;
    if (seed.sitemap) sitemap_[seed.page] = 1;
    if (bound_ && !seed.sitemap) bound_->seed(seed.page, seed.weight);
  }
  if (total > 0) put_varint(event_, bits_of(total));
  record(kEventSeeds);
  frontier_->seed(pages, total);
}

std::optional<PageId> Brain::next(Time now) {
  now = std::max(now, now_);
  for (;;) {
    const auto job = frontier_->next(now);
    event_.clear();
    put_signed(event_, now - now_);
    put_varint(event_, job ? std::uint64_t{job->page} + 1 : 0);
    now_ = now;
    record(job && job->links_only ? kEventRevisit : kEventNext);
    if (!job) return {};
    if (!job->links_only) return job->page;
    visit_again(job->page);
  }
}

// The page gives the links that it held back, from the log of all links. One that cannot be read has none.
void Brain::visit_again(PageId page) {
  const auto row = frontier_->row_in_visit(page);
  CHECK(row.has_value());
  Status read = rows_ ? rows_(*row, row_) : error("nothing to read the links of page {} from", page);
  if (read.ok() && row_.page != page) read = error("row {} is not of page {}", *row, page);
  if (!read.ok()) {
    row_.links.clear();
    troubles_.push_back(fmt::format("links that page {} held back are lost: {}", page, read.error().text));
  }
  take_followed(row_.links);
  std::erase_if(links_, [this](const Link& link) { return link.page >= pages(); });
  frontier_->complete(page, links_);
}

// As the ordering was told of it.
Status Brain::read_crawled(std::uint64_t row, std::vector<PageId>& pages) {
  if (!rows_) return error("nothing to read the links of crawled pages from");
  PageLinks read;
  BB_TRY_VOID(rows_(row, read));
  pages.assign(1, read.page);
  for (const StoredLink& link : read.links) {
    if ((link.flags & kLinkNotFollowed) == 0) pages.push_back(link.page);
  }
  return {};
}

void Brain::take_followed(std::span<const StoredLink> links) {
  links_.clear();
  for (const StoredLink& link : links) {
    if ((link.flags & kLinkNotFollowed) != 0 || is_left_out(link.page)) continue;
    links_.push_back({link.page, (link.flags & kLinkOtherHost) != 0, place(link.page),
                      (link.flags & kLinkAnchorHint) != 0});
  }
}

void Brain::complete(PageId page, std::span<const StoredLink> links, bool on_topic, bool failed) {
  event_.clear();
  if (on_topic) record(kEventTopic);
  if (failed) record(kEventFailed);
  if (store_ != nullptr) store_->add_links(page, links);
  tries_.erase(page);
  targets_.clear();
  for (const StoredLink& link : links) {
    if ((link.flags & kLinkNotFollowed) == 0) discover(page, link);
  }
  take_followed(links);
  const Visit visit = frontier_->complete(page, links_, on_topic);
  if (share_) {
    share_->pass_on(
        visit, links_, [this](PageId to) { return tell(to); }, [this](PageId to) { return host(to); });
  }
  if (bound_ && !failed) {
    for (const Link& link : links_) targets_.push_back(link.page);
    bound_->crawled(page, targets_);
  }
}

std::vector<std::string> Brain::seed_urls() const {
  std::vector<std::string> urls;
  for (PageId page = 0; page < pages(); ++page) {
    if (depth(page) == 0 && !is_sitemap(page)) urls.push_back(url(page));
  }
  return urls;
}

void Brain::leave_out(PageId page) {
  event_.clear();
  put_varint(event_, page);
  record(kEventLeaveOut);
  frontier_->forget(page);
  depth_[page] = kLeftOutDepth;
  redirect_hops_.erase(page);
  tries_.erase(page);
}

void Brain::admit(PageId from, std::span<const StoredLink> links) {
  event_.clear();
  put_links_record(event_, from, links);
  record(kEventAdmit);
  std::vector<SeedPage> pages;
  for (const StoredLink& link : links) {
    discover(from, link);
    pages.push_back({link.page, 1});
  }
  seed_lightly(pages);
  drop_bound();
}

std::vector<std::string> Brain::take_troubles() {
  std::vector<std::string> all = frontier_->take_troubles();
  all.insert(all.end(), troubles_.begin(), troubles_.end());
  troubles_.clear();
  return all;
}

void Brain::discover(PageId from, const StoredLink& link) {
  std::uint8_t& depth = depth_[link.page];
  if (depth < kLeftOutDepth) return;
  const bool redirect = (link.flags & kLinkRedirect) != 0;
  const std::uint32_t step = redirect ? 0 : 1;
  depth = static_cast<std::uint8_t>(std::min<std::uint32_t>(depth_[from] + step, kLeftOutDepth - 1));
  if (redirect) redirect_hops_[link.page] = static_cast<std::uint8_t>(std::min(redirects(from) + 1, 255u));
  if ((link.flags & kLinkSitemap) != 0) sitemap_[link.page] = 1;
}

void Brain::retry(PageId page, Time due, bool counted) {
  event_.clear();
  put_varint(event_, page);
  put_signed(event_, due - now_);
  put_varint(event_, counted ? 1 : 0);
  record(kEventRetry);
  if (counted) {
    std::uint8_t& tries = tries_[page];
    if (tries < 255) ++tries;
  }
  frontier_->retry(page, due);
}

void Brain::gate(HostId host, Time opens) {
  event_.clear();
  put_varint(event_, host);
  put_varint(event_, opens >= kNoTime ? 0 : static_cast<std::uint64_t>(std::max<Time>(opens, 0)) + 1);
  record(kEventGate);
  frontier_->set_gate(host, opens);
  hosts_[host].gate = opens;
}

Brain::Bytes Brain::bytes() const {
  Bytes bytes;
  bytes.pages = page_host_.bytes() + depth_.size() + directory_.capacity() * sizeof(std::uint32_t) +
                64 * (redirect_hops_.size() + tries_.size() + sitemap_.size() + directories_.size()) +
                (share_ ? share_->bytes() : 0);
  bytes.frontier = frontier_->bytes();
  bytes.ordering = frontier_->policy().bytes();
  bytes.bound = bound_ ? bound_->bytes() : 0;
  return bytes;
}

// ---- state

void Brain::save(ByteWriter& out) const {
  out.put(kBrainFormat);
  out.put(now_);
  out.put_array(depth_.view());
  save_map(redirect_hops_, out);
  save_map(tries_, out);
  save_map(sitemap_, out);
  out.put<std::uint8_t>(bound_ ? 1 : 0);
  if (bound_) bound_->save(out);
  if (share_) share_->save(out);
  frontier_->save(out);
}

Status Brain::load(ByteReader& in) {
  if (in.get<std::uint64_t>() != kBrainFormat)
    return error("the saved state is of another version of the program");
  in.get(now_);
  PageId pages = 0;
  in.each<std::uint8_t>([&](std::uint8_t depth) {
    if (pages < depth_.size()) depth_[pages] = depth;
    ++pages;
  });
  if (pages > depth_.size()) return error("the saved state knows more URLs than the folder holds");
  load_map(in, redirect_hops_);
  load_map(in, tries_);
  load_map(in, sitemap_);
  if (in.get<std::uint8_t>() != 0) {
    RankMassBound loaded;
    loaded.load(in);
    if (bound_) *bound_ = std::move(loaded);
  } else {
    bound_.reset();  // it was given up
  }
  if (share_) share_->load(in);
  return frontier_->load(in);
}

// Without a limit the order is a function of the calls, and is held to that. With one, what lay on disk may
// have been rounded another way then.
bool Brain::by_journal() const {
  return by_journal_ || queue_bytes_ > 0 || frontier_->spilled().written > 0;
}

// The page that was handed out then.
Result<bool> Brain::replay_next(const Job& job) {
  bool same = false;
  if (by_journal()) {
    same = frontier_->next_again(job, now_);
  } else {
    const auto found = frontier_->next(now_);
    same = found && found->page == job.page && found->links_only == job.links_only;
  }
  if (!same) return error(kOtherOrder);
  if (job.links_only) visit_again(job.page);
  return true;
}

Result<bool> Brain::replay(const Event& event) {
  CHECK(store_ == nullptr);
  VarintReader in(event.payload);
  const auto known = [this](std::uint64_t page) { return page < pages(); };
  const auto bad = [] { return error("the journal does not fit the rest of the folder"); };
  switch (event.type) {
    case kLinksEvent: {
      const bool settled = event.page == std::exchange(settled_, kNoPage);
      if (!known(event.page)) return bad();
      for (const StoredLink& link : event.links) {
        if (!known(link.page)) return bad();
      }
      if (settled) return true;
      if (frontier_->state(event.page) != PageState::kInFlight) return bad();
      complete(event.page, event.links, std::exchange(on_topic_next_, false),
               std::exchange(failed_next_, false));
      return true;
    }
    case kEventSettle: {
      const std::uint64_t page = in.get();
      const auto depth = static_cast<std::uint32_t>(in.get_at_most(kUnknownDepth));
      const bool done = in.get() != 0;
      const double score = double_of(in.get());
      if (!in.ok() || !known(page) || std::isnan(score)) return bad();
      settled_ = static_cast<PageId>(page);
      settle(settled_, depth, done, score);
      return true;
    }
    case kEventTopic:
      on_topic_next_ = true;
      return true;
    case kEventFailed:
      failed_next_ = true;
      return true;
    case kEventLeaveOut: {
      const std::uint64_t page = in.get();
      if (!in.ok() || !known(page) || frontier_->state(static_cast<PageId>(page)) != PageState::kInFlight) {
        return bad();
      }
      leave_out(static_cast<PageId>(page));
      return true;
    }
    case kEventAdmit: {
      PageLinks admitted;
      get_links_record(in, admitted);
      if (!in.ok() || !known(admitted.page)) return bad();
      for (const StoredLink& link : admitted.links) {
        if (!known(link.page)) return bad();
      }
      admit(admitted.page, admitted.links);
      return true;
    }
    case kEventSeeds: {
      std::vector<BrainSeed> seeds;
      for (std::uint64_t count = in.get(); count > 0 && in.ok(); --count) {
        const std::uint64_t page = in.get();
        const double weight = double_of(in.get());
        const bool sitemap = in.get() != 0;
        if (!known(page)) return bad();
        seeds.push_back({static_cast<PageId>(page), weight, sitemap});
      }
      const double total = in.at_end() ? 0 : double_of(in.get());
      if (!in.ok()) return bad();
      seed(seeds, total);
      return true;
    }
    case kEventNext:
    case kEventRevisit: {
      const Time now = now_ + unzigzag(in.get());
      const std::uint64_t page = in.get();
      if (!in.ok() || (page > 0 && !known(page - 1))) return bad();
      now_ = std::max(now, now_);
      if (page > 0) return replay_next({static_cast<PageId>(page - 1), event.type == kEventRevisit});
      if (by_journal()) {
        frontier_->wait_until(now_);
      } else if (frontier_->next(now_)) {
        return error(kOtherOrder);
      }
      return true;
    }
    case kEventLimit:
      by_journal_ = true;
      return true;
    case kEventRetry: {
      const std::uint64_t page = in.get();
      const Time due = now_ + unzigzag(in.get());
      const bool counted = in.get() != 0;
      if (!in.ok() || !known(page) || frontier_->state(static_cast<PageId>(page)) != PageState::kInFlight) {
        return bad();
      }
      retry(static_cast<PageId>(page), due, counted);
      return true;
    }
    case kEventGate: {
      const std::uint64_t host = in.get();
      const std::uint64_t opens = in.get();
      if (!in.ok() || host >= hosts_.size()) return bad();
      gate(static_cast<HostId>(host), opens == 0 ? kNoTime : static_cast<Time>(opens - 1));
      return true;
    }
    default:
      return replay_share(event);
  }
}

}  // namespace bowerbird
