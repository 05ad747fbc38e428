// The brain of one process among several: what comes from the others and what goes to them.
#include <algorithm>
#include <bit>

#include "base/check.h"
#include "base/varint.h"
#include "crawl/brain.h"
#include "crawl/journal_events.h"
#include "url/url.h"

namespace bowerbird {

namespace {

// Pages in one piece of a partition that moves.
constexpr std::size_t kPiece = 2000;

}  // namespace

// The id of a URL that another process sent; kNoPage where it is none.
PageId Brain::take_url(const SentUrl& sent) {
  Url url;
  if (parse_url(sent.url, nullptr, url) != UrlFault::kNone || url.text() != sent.url) return kNoPage;
  const PageId page = intern(sent.url);
  if (!belongs(page)) {
    depth_[page] = std::min<std::uint8_t>(sent.depth, kLeftOutDepth - 1);
    if (sent.hops > 0) redirect_hops_[page] = sent.hops;
    if (sent.tries > 0) tries_[page] = sent.tries;
    if (sent.sitemap) sitemap_[page] = 1;
  }
  return page;
}

SentUrl Brain::tell(PageId page) const {
  SentUrl sent;
  sent.url = url(page);
  sent.depth = depth_[page];
  sent.hops = static_cast<std::uint8_t>(redirects(page));
  sent.tries = static_cast<std::uint8_t>(tries(page));
  sent.sitemap = is_sitemap(page);
  return sent;
}

// Links from elsewhere enter by what they are worth, or, where the ordering cannot tell, as seeds of little
// weight.
void Brain::enter(const Visit& visit, std::span<const Link> links) {
  if (frontier_->policy().travels()) {
    frontier_->receive(visit, links);
    return;
  }
  std::vector<SeedPage> seeds;
  for (const Link& link : links) seeds.push_back({link.page, 1});
  seed_lightly(seeds);
}

// Each as one of all the pages there may be.
void Brain::seed_lightly(std::span<const SeedPage> seeds) {
  if (seeds.empty()) return;
  const std::uint64_t all = expected_pages_ > 0 ? expected_pages_ : frontier_->counts().discovered;
  frontier_->seed(seeds, static_cast<double>(std::max<std::uint64_t>(all, seeds.size())));
}

// The URLs in it become known before the event that tells of them.
void Brain::receive(const Parcel& parcel) {
  take_links(parcel);
  event_.clear();
  put_parcel(event_, parcel);
  record(kEventReceive);
}

void Brain::take_links(const Parcel& parcel) {
  std::uint64_t urls = 0;
  const auto content = unpack(*parcel.content);
  if (const auto* const sent = content.ok() ? std::get_if<LinkParcel>(&*content) : nullptr) {
    std::vector<PageId> pages;
    for (const SentUrl& url : sent->urls) pages.push_back(take_url(url));
    urls = pages.size();
    std::vector<Link> links;
    for (const LinkParcel::Group& group : sent->groups) {
      links.clear();
      for (const SentLink& link : group.links) {
        const PageId page = pages[link.url];
        // A page of another partition has strayed here.
        if (page != kNoPage && place(page) == Place::kHere) {
          links.push_back({page, link.other_host, Place::kHere});
        }
      }
      if (!links.empty()) enter(group.visit, links);
    }
  }
  share_->taken(parcel.id, urls);
}

bool Brain::adopt(std::span<const Parcel> pieces) {
  CHECK(!pieces.empty());
  std::vector<MoveParcel> moves;
  for (const Parcel& piece : pieces) {
    auto content = unpack(*piece.content);
    MoveParcel* const move = content.ok() ? std::get_if<MoveParcel>(&*content) : nullptr;
    if (move == nullptr) return false;
    moves.push_back(std::move(*move));
  }
  if (!moves.front().first || !moves.back().last) return false;
  std::string event;
  put_varint(event, pieces.size());
  for (const Parcel& piece : pieces) put_parcel(event, piece);
  const bool travels = frontier_->policy().travels();
  std::vector<SeedPage> seeds;
  for (const MoveParcel& move : moves) {
    for (const MoveParcel::Page& moved : move.pages) {
      const PageId page = take_url(moved.url);
      if (page == kNoPage) continue;
      if (moved.done || travels) {
        frontier_->adopt(page, moved.done, moved.score);
      } else {
        seeds.push_back({page, 1});
      }
    }
  }
  seed_lightly(seeds);
  for (const MoveParcel::HostNote& note : moves.back().hosts) {
    const HostId id = hosts_.find(note.name);
    if (id == kNoHost) continue;
    Host& host = hosts_[id];
    host.opens = std::max(host.opens, note.opens);
    host.failures = note.failures;
    host.pages = std::max(host.pages, note.pages);
    if (host.answer_ms == 0) host.answer_ms = note.answer_ms;
  }
  event_ = event;
  record(kEventAdopt);
  share_->begin_hold(pieces.back().id, moves.back());
  return true;
}

void Brain::give(std::span<const std::uint32_t> partitions) {
  event_.clear();
  put_varint(event_, partitions.size());
  for (const std::uint32_t p : partitions) put_varint(event_, p);
  record(kEventGive);
  std::map<std::uint32_t, std::vector<PageId>> pages;
  std::map<std::uint32_t, std::vector<HostId>> hosts;
  for (const std::uint32_t p : partitions) {
    CHECK(share_->holds(p));
    pages[p];
    // What we sent to it before it was ours, and has not come back to us yet, goes with it: whoever takes it
    // over counts our numbers from the move on.
    for (const Parcel& own : share_->own_untaken(p)) take_links(own);
  }
  for (PageId page = 0; page < known_.size(); ++page) {
    const auto found = pages.find(share_->partition(page, host(page)));
    if (found == pages.end() || frontier_->state(page) == PageState::kUndiscovered) continue;
    found->second.push_back(page);
    std::vector<HostId>& known = hosts[found->first];
    if (known.empty() || known.back() != host(page)) known.push_back(host(page));
  }
  for (auto& [p, own] : pages) {
    MoveParcel piece;
    piece.tenure = share_->tenure(p) + 1;
    piece.first = true;
    for (const MovedPage& moved : frontier_->release(own)) {
      if (piece.pages.size() == kPiece) {
        share_->add_move(p, piece);
        piece.pages.clear();
        piece.first = false;
      }
      piece.pages.push_back({tell(moved.page), moved.done, moved.score});
    }
    piece.last = true;
    std::vector<HostId>& known = hosts[p];
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    for (const HostId id : known) {
      const Host& host = hosts_[id];
      piece.hosts.push_back({host.name, host.opens, host.failures, host.pages, host.answer_ms});
    }
    piece.marks = share_->end_hold(p);
    share_->add_move(p, piece);
  }
}

void Brain::cut() {
  event_.clear();
  record(kEventCut);
  share_->cut();
}

void Brain::confirm(const ParcelId& id) {
  event_.clear();
  put_string(event_, id.sender);
  put_varint(event_, id.partition);
  put_varint(event_, id.number);
  record(kEventConfirm);
  share_->confirm(id);
}

void Brain::absorb(const std::string& member, std::span<const Parcel> parcels) {
  event_.clear();
  put_string(event_, member);
  put_varint(event_, parcels.size());
  for (const Parcel& parcel : parcels) put_parcel(event_, parcel);
  record(kEventAbsorb);
  share_->note_absorbed(member);
  for (const Parcel& parcel : parcels) share_->absorb(parcel);
}

bool Brain::cross() {
  const auto foreign = share_->take_foreign();
  if (!foreign) return false;
  event_.clear();
  record(kEventCross);
  enter(foreign->visit, {&foreign->link, 1});
  return true;
}

void Brain::settle(PageId page, std::uint32_t depth, bool done, Score score) {
  event_.clear();
  put_varint(event_, page);
  put_varint(event_, depth);
  put_varint(event_, done ? 1 : 0);
  put_varint(event_, std::bit_cast<std::uint64_t>(score));
  record(kEventSettle);
  if (depth_[page] == kUnknownDepth) depth_[page] = static_cast<std::uint8_t>(std::min(depth, kUnknownDepth));
  frontier_->adopt(page, done, score);
}

Result<bool> Brain::replay_share(const Event& event) {
  if (event.type < kEventReceive || event.type > kEventCross) return false;
  const auto bad = [] { return error("the journal does not fit the rest of the folder"); };
  if (!share_) return bad();
  VarintReader in(event.payload);
  const auto get_parcels = [&] {
    std::vector<Parcel> parcels;
    for (std::uint64_t count = in.get_at_most(in.left()); count > 0 && in.ok(); --count) {
      parcels.push_back(get_parcel(in));
      if (parcels.back().id.partition >= share_->partitions()) in.reject();
    }
    return parcels;
  };
  switch (event.type) {
    case kEventReceive: {
      const Parcel parcel = get_parcel(in);
      if (!in.ok() || parcel.id.partition >= share_->partitions()) return bad();
      receive(parcel);
      return true;
    }
    case kEventAdopt: {
      const std::vector<Parcel> pieces = get_parcels();
      if (!in.ok() || pieces.empty() || !adopt(pieces)) return bad();
      return true;
    }
    case kEventGive: {
      std::vector<std::uint32_t> partitions;
      for (std::uint64_t count = in.get_at_most(share_->partitions()); count > 0 && in.ok(); --count) {
        partitions.push_back(static_cast<std::uint32_t>(in.get_at_most(share_->partitions() - 1)));
        if (!share_->holds(partitions.back())) in.reject();
      }
      if (!in.ok()) return bad();
      give(partitions);
      return true;
    }
    case kEventCut:
      cut();
      return true;
    case kEventConfirm: {
      ParcelId id;
      id.sender = in.get_string();
      id.partition = static_cast<std::uint32_t>(in.get_at_most(share_->partitions() - 1));
      id.number = in.get();
      if (!in.ok()) return bad();
      confirm(id);
      return true;
    }
    case kEventAbsorb: {
      const std::string member(in.get_string());
      const std::vector<Parcel> parcels = get_parcels();
      if (!in.ok()) return bad();
      absorb(member, parcels);
      return true;
    }
    default:
      if (!cross()) return bad();
      return true;
  }
}

}  // namespace bowerbird
