// The state of one process among several: what comes from the others, and what goes to them.
#include <algorithm>
#include <map>
#include <unordered_set>

#include "base/check.h"
#include "crawl/state/crawl_state.h"
#include "url/url.h"

namespace bowerbird {

namespace {

constexpr std::size_t kPagesPerPiece = 2000;

// The pieces of a partition that moved. An error: they do not belong together.
Result<std::vector<PartitionTransfer>> transfers_of(std::span<const Message> pieces) {
  std::vector<PartitionTransfer> transfers;
  for (const Message& piece : pieces) {
    BB_TRY(MessageBody content, unpack(*piece.content));
    PartitionTransfer* const transfer = std::get_if<PartitionTransfer>(&content);
    if (transfer == nullptr || piece.id.partition != pieces.front().id.partition)
      return error("its pieces do not belong together");
    transfers.push_back(std::move(*transfer));
  }
  if (transfers.empty() || !transfers.front().first || !transfers.back().last)
    return error("some of its pieces are missing");
  return transfers;
}

}  // namespace

// ---- URLs on their way

// The id of a URL that another process sent; kNoPage if it is not canonical.
PageId CrawlState::take_url(const SentUrl& sent) {
  Url url;
  if (parse_url(sent.url, nullptr, url) != UrlFault::kNone || url.text() != sent.url) return kNoPage;
  const PageId page = intern(sent.url);
  if (!facts_.belongs(page)) {
    facts_.set_depth(page, sent.depth);
    facts_.set_redirects(page, sent.hops);
    facts_.set_tries(page, sent.tries);
    if (sent.sitemap) facts_.set_sitemap(page);
  }
  return page;
}

SentUrl CrawlState::describe(PageId page) const {
  SentUrl sent;
  sent.url = url(page);
  sent.depth = static_cast<std::uint8_t>(facts_.depth(page));
  sent.hops = static_cast<std::uint8_t>(facts_.redirects(page));
  sent.tries = static_cast<std::uint8_t>(facts_.tries(page));
  sent.sitemap = facts_.is_sitemap(page);
  return sent;
}

// ---- Links from others

void CrawlState::apply(const LinksReceived& event) {
  take_links(event.message);
}

void CrawlState::take_links(const Message& message) {
  std::uint64_t urls = 0;
  const auto content = unpack(*message.content);
  if (!content.ok()) {
    warnings_.push_back(fmt::format("links from {} for partition {} are lost: {}", message.id.sender,
                                    message.id.partition, content.error().text));
  } else if (const auto* const batch = std::get_if<LinkBatch>(&*content)) {
    std::vector<PageId> pages;
    for (const SentUrl& url : batch->urls) pages.push_back(take_url(url));
    urls = pages.size();
    std::vector<Link> links;
    std::unordered_set<PageId> seen;
    for (const LinkBatch::Group& group : batch->groups) {
      links.clear();
      seen.clear();
      for (const SentLink& link : group.links) {
        const PageId page = pages[link.url];
        // A page of another partition, or a link that is there twice, was sent by mistake.
        if (page != kNoPage && route(page) == LinkRoute::kLocal && seen.insert(page).second) {
          links.push_back({page, link.other_host, LinkRoute::kLocal});
        }
      }
      if (!links.empty()) enter(group.visit, links);
    }
  }
  fleet_->taken(message.id, urls);
}

// Links from elsewhere enter with what their page was worth or, if the ordering cannot use that, as seeds of
// small weight.
void CrawlState::enter(const Visit& visit, std::span<const Link> links) {
  if (frontier_->policy().travels()) {
    frontier_->receive(visit, links);
    return;
  }
  std::vector<SeedPage> seeds;
  for (const Link& link : links) seeds.push_back({link.page, 1});
  add_light_seeds(std::move(seeds));
}

bool CrawlState::enter_foreign() {
  if (!fleet_->has_foreign()) return false;
  decide(ForeignPageEntered{});
  return true;
}

void CrawlState::apply(const ForeignPageEntered&) {
  const FleetState::Foreign foreign = fleet_->take_foreign();
  enter(foreign.visit, {&foreign.link, 1});
}

// ---- Partitions

Status CrawlState::adopt(std::vector<Message> pieces) {
  const PartitionAdopted event{std::move(pieces)};
  BB_TRY_VOID(check(event));
  decide(event);
  return {};
}

void CrawlState::apply(const PartitionAdopted& event) {
  const auto transfers = transfers_of(event.pieces);
  const std::uint32_t partition = event.pieces.back().id.partition;
  const bool travels = frontier_->policy().travels();
  std::vector<SeedPage> seeds;
  std::unordered_set<HostId> hosts;
  for (const PartitionTransfer& transfer : *transfers) {
    for (const PartitionTransfer::Page& moved : transfer.pages) {
      const PageId page = take_url(moved.url);
      // A page of another partition was sent by mistake.
      if (page == kNoPage || fleet_->partition(page, host(page)) != partition) continue;
      hosts.insert(host(page));
      if (moved.done || travels) {
        frontier_->adopt(page, moved.done, moved.score);
      } else {
        seeds.push_back({page, 1});
      }
    }
  }
  add_light_seeds(std::move(seeds));
  for (const PartitionTransfer::HostNote& note : transfers->back().hosts) {
    // Other hosts may be known here or not, and replay knows all of them from the start.
    const HostId id = hosts_.find(note.name);
    if (id == kNoHost || !hosts.contains(id)) continue;
    Host& host = hosts_[id];
    host.opens = std::max(host.opens, note.opens);
    host.failures = note.failures;
    host.pages = std::max(host.pages, note.pages);
    if (host.answer_ms == 0) host.answer_ms = note.answer_ms;
  }
  fleet_->begin_hold(event.pieces.back().id, transfers->back());
}

void CrawlState::apply(const PartitionsGiven& event) {
  std::map<std::uint32_t, std::vector<PageId>> pages;
  std::map<std::uint32_t, std::vector<HostId>> hosts;
  for (const std::uint32_t p : event.partitions) {
    pages[p];
    // What we sent to the partition before it was ours, and has not come back to us yet, leaves with it: its
    // next owner counts our messages from the transfer on.
    for (const Message& own : fleet_->own_untaken(p)) take_links(own);
  }
  for (PageId page = 0; page < known_.size(); ++page) {
    const auto found = pages.find(fleet_->partition(page, host(page)));
    if (found == pages.end() || frontier_->state(page) == PageState::kUndiscovered) continue;
    found->second.push_back(page);
    std::vector<HostId>& known = hosts[found->first];
    if (known.empty() || known.back() != host(page)) known.push_back(host(page));
  }
  for (auto& [p, own] : pages) {
    PartitionTransfer piece;
    piece.epoch = fleet_->epoch(p) + 1;
    piece.first = true;
    for (const MovedPage& moved : frontier_->release(own)) {
      if (piece.pages.size() == kPagesPerPiece) {
        fleet_->add_transfer(p, piece);
        piece.pages.clear();
        piece.first = false;
      }
      piece.pages.push_back({describe(moved.page), moved.done, moved.score});
    }
    piece.last = true;
    std::vector<HostId>& known = hosts[p];
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    for (const HostId id : known) {
      const Host& host = hosts_[id];
      piece.hosts.push_back({host.name, host.opens, host.failures, host.pages, host.answer_ms});
    }
    piece.last_sequences = fleet_->end_hold(p);
    fleet_->add_transfer(p, piece);
  }
}

// ---- Messages

void CrawlState::apply(const BatchesFlushed&) {
  fleet_->flush();
}

void CrawlState::apply(const MessageConfirmed& event) {
  fleet_->confirm(event.id);
}

void CrawlState::apply(const OrphanAbsorbed& event) {
  fleet_->note_absorbed(event.member);
  for (const Message& message : event.messages) fleet_->absorb(message);
}

// ---- Replay

bool CrawlState::are_ours(std::span<const Message> messages) const {
  return fleet_ != nullptr && std::all_of(messages.begin(), messages.end(), [this](const Message& message) {
           return message.id.partition < fleet_->partitions();
         });
}

bool CrawlState::fits(const LinksReceived& event) const {
  return are_ours({&event.message, 1});
}

Status CrawlState::check(const PartitionAdopted& event) const {
  if (!are_ours(event.pieces)) return error("there is no such partition");
  BB_TRY_VOID(transfers_of(event.pieces));
  if (fleet_->holds(event.pieces.front().id.partition)) return error("this process already has it");
  return {};
}

bool CrawlState::fits(const PartitionsGiven& event) const {
  return fleet_ != nullptr &&
         std::all_of(event.partitions.begin(), event.partitions.end(), [this](std::uint32_t partition) {
           return partition < fleet_->partitions() && fleet_->holds(partition);
         });
}

bool CrawlState::fits(const MessageConfirmed& event) const {
  return fleet_ != nullptr && event.id.partition < fleet_->partitions();
}

bool CrawlState::fits(const OrphanAbsorbed& event) const {
  return are_ours(event.messages);
}

}  // namespace bowerbird
