// Restoring a CrawlState: its snapshot, and the replay of events, which may be forged.
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "crawl/state/crawl_state.h"

namespace bowerbird {

namespace {

constexpr std::uint64_t kStateFormat = 0x3331'6574'6174'7362;  // changes with the layout of the snapshot
constexpr Time kLatestSaved{Duration{std::int64_t{1} << 50}};  // the limit in events.cc is the same
constexpr double kMostWeight = 1e18;                           // of all seeds together

}  // namespace

// ---- Snapshot

Status CrawlState::save(ByteWriter& out) const {
  out.put(kStateFormat);
  out.put(now_);
  facts_.save(out);
  requisites_.save(out);
  out.put<std::uint8_t>(bound_ ? 1 : 0);
  if (bound_) bound_->save(out);
  if (fleet_) fleet_->save(out);
  frontier_->save(out);
  hosts_.save(out);
  refresh_.save(out);
  control_.save(out);
  return hosts_.status();
}

Status CrawlState::load(ByteReader& in) {
  if (in.get<std::uint64_t>() != kStateFormat)
    return error("the snapshot was written by another version of the program");
  in.get(now_);
  if (now_ < Time{} || now_ > kLatestSaved) return error("the snapshot is damaged");
  BB_TRY_VOID(facts_.load(in));
  BB_TRY_VOID(requisites_.load(in, pages()));
  if (in.get<std::uint8_t>() != 0) {
    RankMassBound loaded;
    loaded.load(in);
    if (bound_) *bound_ = std::move(loaded);
  } else {
    bound_.reset();  // the snapshot was written after it was dropped
  }
  if (fleet_) fleet_->load(in, pages());
  BB_TRY_VOID(frontier_->load(in));
  if (frontier_->pages() > pages()) return error("the snapshot refers to more URLs than the folder contains");
  BB_TRY_VOID(hosts_.load(in, now_));
  BB_TRY_VOID(refresh_.load(in, pages(), static_cast<HostId>(hosts_.size())));
  BB_TRY_VOID(control_.load(in, pages()));
  if (!in.ok()) return error("the snapshot is damaged");
  return {};
}

// ---- Replay

Status CrawlState::replay(const CrawlEvent& event) {
  CHECK(store_ == nullptr);
  return std::visit([this](const auto& one) { return replay_event(one); }, event);
}

// Without a memory limit the order is a function of the events, and replay checks it. With one, scores
// that were on disk may have been rounded differently, so replay follows the journal.
bool CrawlState::follows_journal() const {
  return queue_was_limited_ || queue_bytes_ > 0 || frontier_->spilled().written > 0;
}

Status CrawlState::replay_event(const PageTaken& event) {
  const bool none = event.page == kNoPage;
  if ((none ? event.links_again : event.page >= pages()) || event.now >= kNever)
    return error("the journal does not match the rest of the folder");
  now_ = std::max(now_, event.now);
  const Job job{event.page, event.links_again};
  bool same = true;
  if (!follows_journal()) {
    const auto found = frontier_->next(now_);
    same = none ? !found : found && found->page == job.page && found->links_only == job.links_only;
  } else if (none) {
    frontier_->wait_until(now_);
  } else {
    same = frontier_->take_page(job, now_);
  }
  if (!same)
    return error("the journal was written by another version of the program: its order cannot be repeated");
  if (event.links_again) {
    give_held_links(event.page);
  } else if (!none) {
    control_.drop_request(event.page);
  }
  return {};
}

Status CrawlState::replay_event(const PageBlocked& event) {
  const bool none = event.page == kNoPage;
  if ((!none && event.page >= pages()) || event.now >= kNever)
    return error("the journal does not match the rest of the folder");
  now_ = std::max(now_, event.now);
  if (follows_journal()) {
    frontier_->wait_until(now_);
    if (none) return {};
    if (event.gate == kOwnGate) {
      apply(GateSet{host(event.page), event.opens});
    } else {
      frontier_->set_gate(host(event.page), event.opens, event.gate);
    }
    return {};
  }
  const auto best = frontier_->best(now_);
  if (none) return {};
  if (!best || best->links_only || best->page != event.page)
    return error("the journal was written by another version of the program: its order cannot be repeated");
  block(*best, {event.opens, event.gate});
  return {};
}

bool CrawlState::is_first_in_flight(PageId page) const {
  return page < pages() && frontier_->state(page) == PageState::kInFlight;
}

// The links of a page are distinct.
bool CrawlState::all_known(std::span<const StoredLink> links) const {
  std::vector<PageId> pages_linked;
  pages_linked.reserve(links.size());
  for (const StoredLink& link : links) {
    if (link.page >= pages()) return false;
    pages_linked.push_back(link.page);
  }
  std::sort(pages_linked.begin(), pages_linked.end());
  return std::adjacent_find(pages_linked.begin(), pages_linked.end()) == pages_linked.end();
}

bool CrawlState::fits(const PageDone& event) const {
  return all_known(event.links) && (event.merged ? event.page < pages() : is_first_in_flight(event.page));
}

bool CrawlState::fits(const SeedsAdded& event) const {
  double sum = 0;
  for (const SeedEntry& seed : event.seeds) {
    if (seed.page >= pages() || !(seed.weight > 0)) return false;
    sum += seed.weight;
  }
  return sum <= kMostWeight && event.total >= 0 && event.total <= kMostWeight;
}

bool CrawlState::fits(const SitemapsFound& event) const {
  return are_known(event.pages);
}

bool CrawlState::fits(const LinksAdmitted& event) const {
  return event.from < pages() && all_known(event.links);
}

}  // namespace bowerbird
