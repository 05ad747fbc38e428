// The state of one process of a fleet: links and partitions that arrive and leave.
#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_set>
#include <utility>

#include "base/check.h"
#include "crawl/state/crawl_state.h"
#include "url/url.h"

namespace bowerbird {

namespace {

// Decodes a piece of a partition. An error: it is something else.
Result<PartitionTransfer> transfer_of(const Message& piece) {
  BB_TRY(MessageBody content, unpack(*piece.content));
  PartitionTransfer* const transfer = std::get_if<PartitionTransfer>(&content);
  if (transfer == nullptr) return error("one of its pieces is a batch of links");
  return std::move(*transfer);
}

// Splits the state of a partition into messages of limited size.
class TransferPieces {
 public:
  TransferPieces(FleetState& fleet, std::uint32_t partition) : fleet_(fleet), partition_(partition) {
    piece_.epoch = fleet.epoch(partition) + 1;
    piece_.first = true;
  }

  void add(PartitionTransfer::Page page) {
    bytes_ += page.url.bytes() + page.visits.size();
    piece_.pages.push_back(std::move(page));
    send_if_full();
  }
  void add(PartitionTransfer::HostNote host) {
    bytes_ += host.bytes();
    piece_.hosts.push_back(std::move(host));
    send_if_full();
  }
  void add(SentRequisite requisite) {
    bytes_ += requisite.bytes();
    piece_.requisites.push_back(std::move(requisite));
    send_if_full();
  }
  void finish() {
    piece_.last = true;
    piece_.last_sequences = fleet_.end_hold(partition_);
    fleet_.add_transfer(partition_, piece_);
  }

 private:
  void send_if_full() {
    if (bytes_ < kMessageBytes) return;
    fleet_.add_transfer(partition_, piece_);
    piece_.pages.clear();
    piece_.hosts.clear();
    piece_.requisites.clear();
    piece_.first = false;
    bytes_ = 0;
  }

  FleetState& fleet_;
  std::uint32_t partition_;
  PartitionTransfer piece_;
  std::size_t bytes_ = 0;
};

}  // namespace

// ---- URLs in messages

// The id of a URL from another process; kNoPage if the URL is not canonical.
PageId CrawlState::take_text(const std::string& text) {
  Url url;
  if (parse_url(text, nullptr, url) != UrlFault::kNone || url.text() != text) return kNoPage;
  return intern(text);
}

PageId CrawlState::take_url(const SentUrl& sent) {
  const PageId page = take_text(sent.url);
  if (page != kNoPage && !facts_.belongs(page)) {
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

// A requisite that we have to fetch, or how it ended. kNoPage: it is invalid, or of another partition and
// sent by mistake.
PageId CrawlState::take_requisite(const SentRequisite& sent, std::uint32_t partition) {
  const PageId page = take_text(sent.url);
  if (page == kNoPage || fleet_->partition(page, host(page)) != partition) return kNoPage;
  if (sent.end != 0) return requisites_.arrive_ended(page, sent.end) ? page : kNoPage;
  PendingRequisite one;
  one.page = page;
  one.root = take_text(sent.root);
  one.depth = sent.depth;
  one.frames = sent.frames;
  one.links = sent.links;
  one.kind = static_cast<RequisiteKind>(sent.kind);
  if (one.root == kNoPage || sent.kind > static_cast<std::uint8_t>(kLastRequisiteKind) || sent.depth == 0 ||
      sent.depth > Requisites::kMostDepth || sent.frames > Requisites::kMostFrames)
    return kNoPage;
  requisites_.arrive(one, sent.found, frontier_->state(page) == PageState::kDone);
  return page;
}

SentRequisite CrawlState::describe_requisite(const PendingRequisite& one) const {
  SentRequisite sent;
  sent.url = url(one.page);
  sent.kind = static_cast<std::uint8_t>(one.kind);
  sent.depth = one.depth;
  sent.frames = one.frames;
  sent.root = url(one.root);
  sent.links = facts_.belongs(one.root) ? static_cast<std::uint8_t>(facts_.depth(one.root)) : one.links;
  sent.found = requisites_.counts_of(one.root).found;
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
    for (const SentUrl& url : batch->urls) {
      pages.push_back(take_url(url));
      if (url.again && pages.back() != kNoPage && route(pages.back()) == LinkRoute::kLocal)
        fetch_again(pages.back());
    }
    urls = pages.size();
    std::vector<Link> links;
    std::unordered_set<PageId> seen;
    for (const LinkBatch::Group& group : batch->groups) {
      links.clear();
      seen.clear();
      for (const SentLink& link : group.links) {
        const PageId page = pages[link.url];
        // A page of another partition, or a duplicate link, was sent by mistake.
        if (page != kNoPage && route(page) == LinkRoute::kLocal && seen.insert(page).second) {
          links.push_back({page, link.other_host, LinkRoute::kLocal});
        }
      }
      if (!links.empty()) enter(group.visit, links);
    }
    for (const SentRequisite& one : batch->requisites) take_requisite(one, message.id.partition);
    urls += batch->requisites.size();
  }
  fleet_->taken(message.id, urls);
}

// The page is done, and its body is lost.
void CrawlState::fetch_again(PageId page) {
  if (frontier_->state(page) != PageState::kDone) return;
  facts_.set_again(page);
  frontier_->reopen(page, 0);
  note_discovered(page);
}

// Links from other processes enter with the worth of their page or, if the ordering cannot use that, as
// seeds of small weight.
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

// One event per piece: an event has to fit into one frame of the journal.
Status CrawlState::adopt(std::vector<Message> pieces) {
  if (pieces.empty()) return error("some of its pieces are missing");
  const PartitionAdopted adopted{std::move(pieces.back())};
  pieces.pop_back();
  BB_TRY_VOID(check_pieces(pieces, adopted.last));
  for (Message& piece : pieces) decide(PieceArrived{std::move(piece)});
  decide(adopted);
  return {};
}

void CrawlState::apply(const PieceArrived& event) {
  fleet_->add_piece(event.piece);
}

void CrawlState::apply(const PartitionAdopted& event) {
  const std::uint32_t partition = event.last.id.partition;
  const bool travels = frontier_->policy().travels();
  std::vector<Message> pieces = fleet_->take_pieces();
  pieces.push_back(event.last);
  std::vector<SeedPage> seeds;
  std::unordered_set<HostId> hosts;
  std::vector<PartitionTransfer::HostNote> notes;
  std::vector<SentRequisite> moved_requisites;
  PartitionTransfer transfer;
  for (const Message& piece : pieces) {
    transfer = transfer_of(piece).value();
    for (const PartitionTransfer::Page& moved : transfer.pages) {
      const PageId page = take_url(moved.url);
      // A page of another partition was sent by mistake.
      if (page == kNoPage || fleet_->partition(page, host(page)) != partition) continue;
      hosts.insert(host(page));
      const bool known = frontier_->state(page) != PageState::kUndiscovered;
      if (moved.url.again) {
        if (known && frontier_->state(page) != PageState::kDone) continue;
        facts_.set_again(page);
        if (known) frontier_->reopen(page, moved.score);
      }
      if (moved.done || travels) {
        frontier_->adopt(page, moved.done, moved.score);
        if (moved.done && !moved.visits.empty()) refresh_.adopt(page, moved.visits);
      } else {
        seeds.push_back({page, 1});
      }
    }
    std::move(transfer.hosts.begin(), transfer.hosts.end(), std::back_inserter(notes));
    std::move(transfer.requisites.begin(), transfer.requisites.end(), std::back_inserter(moved_requisites));
  }
  add_light_seeds(std::move(seeds));
  for (const SentRequisite& one : moved_requisites) {
    const PageId page = take_requisite(one, partition);
    if (page != kNoPage) hosts.insert(host(page));
  }
  adopted_hosts_.clear();
  for (const PartitionTransfer::HostNote& note : notes) {
    // The host may be known here or not; a replay knows all hosts from the start.
    const HostId id = hosts_.find(note.name);
    if (id == kNoHost || !hosts.contains(id)) continue;
    Host& host = hosts_[id];
    host.opens = std::max(host.opens, note.opens);
    host.failures = note.failures;
    host.pages = std::max(host.pages, note.pages);
    if (host.answer_ms == 0) host.answer_ms = note.answer_ms;
    adopted_hosts_.push_back(id);
  }
  fleet_->begin_hold(event.last.id, transfer);
}

void CrawlState::delay_adopted_hosts(Time now) {
  for (const HostId id : std::exchange(adopted_hosts_, {})) {
    if (const Duration wait = hosts_.interval(hosts_[id]); wait > 0ms) hosts_.back_off(id, now + wait);
  }
}

void CrawlState::apply(const PartitionsGiven& event) {
  std::map<std::uint32_t, std::vector<PageId>> pages, requisites;
  std::map<std::uint32_t, std::vector<HostId>> hosts;
  for (const std::uint32_t p : event.partitions) {
    pages[p];
    // Our own messages to the partition from before we owned it that have not come back to us yet are applied
    // first, so that they leave with it: the next owner expects only our messages after the transfer.
    for (const Message& own : fleet_->own_untaken(p)) take_links(own);
  }
  for (PageId page = 0; page < known_.size(); ++page) {
    const auto found = pages.find(fleet_->partition(page, host(page)));
    if (found == pages.end()) continue;
    const bool requisite = requisites_.is_known(page) && !requisites_.is_elsewhere(page);
    const bool discovered = frontier_->state(page) != PageState::kUndiscovered;
    if (requisites_.is_awaited(page)) {
      requisites_.leave(page);  // with its page
    } else if (requisite) {
      requisites[found->first].push_back(page);
    }
    if (discovered) found->second.push_back(page);
    if (!requisite && !discovered) continue;
    std::vector<HostId>& known = hosts[found->first];
    if (known.empty() || known.back() != host(page)) known.push_back(host(page));
  }
  for (auto& [p, own] : pages) {
    TransferPieces pieces(*fleet_, p);
    for (const MovedPage& moved : frontier_->release(own)) {
      PartitionTransfer::Page page{describe(moved.page), moved.done, moved.score, refresh_.give(moved.page)};
      const bool lost = moved.done && moved.page < lost_bodies_.size() && lost_bodies_[moved.page];
      if (lost) page = {page.url, false, 0, {}};
      page.url.again = lost || (!moved.done && facts_.is_again(moved.page));
      pieces.add(std::move(page));
    }
    for (const PageId page : requisites[p]) pieces.add(give_requisite(page));
    std::vector<HostId>& known = hosts[p];
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    for (const HostId id : known) {
      const Host& host = hosts_[id];
      pieces.add(
          PartitionTransfer::HostNote{host.name, host.opens, host.failures, host.pages, host.answer_ms});
    }
    pieces.finish();
  }
}

void CrawlState::lose_archive(const std::vector<PageId>& fetched) {
  lost_bodies_.assign(pages(), false);
  std::map<std::uint32_t, LinkBatch> elsewhere;
  for (const PageId page : fetched) {
    if (page >= pages()) continue;
    const std::uint32_t p = fleet_->partition(page, host(page));
    if (fleet_->holds(p)) {
      lost_bodies_[page] = true;
      continue;
    }
    SentUrl sent = describe(page);
    sent.again = true;
    LinkBatch& batch = elsewhere[p];
    batch.urls.push_back(std::move(sent));
    if (batch.urls.size() < fleet_->options().batch) continue;
    fleet_->add_batch(p, batch);
    batch.urls.clear();
  }
  for (const auto& [p, batch] : elsewhere) {
    if (!batch.urls.empty()) fleet_->add_batch(p, batch);
  }
}

// From now on another process fetches it.
SentRequisite CrawlState::give_requisite(PageId page) {
  SentRequisite sent;
  if (const PendingRequisite* const pending = requisites_.find(page); pending != nullptr)
    sent = describe_requisite(*pending);
  sent.url = url(page);
  sent.end = requisites_.leave(page);
  return sent;
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

bool CrawlState::fits(const PieceArrived& event) const {
  return are_ours({&event.piece, 1});
}

bool CrawlState::fits(const PartitionAdopted& event) const {
  return fleet_ != nullptr && check_pieces(fleet_->pieces(), event.last).ok();
}

Status CrawlState::check_pieces(std::span<const Message> pieces, const Message& last) const {
  if (!are_ours(pieces) || !are_ours({&last, 1})) return error("there is no such partition");
  for (std::size_t i = 0; i <= pieces.size(); ++i) {
    const Message& piece = i < pieces.size() ? pieces[i] : last;
    if (piece.id.partition != last.id.partition) return error("its pieces do not belong together");
    BB_TRY(const PartitionTransfer transfer, transfer_of(piece));
    if (transfer.first != (i == 0) || transfer.last != (i == pieces.size()))
      return error("some of its pieces are missing");
  }
  if (fleet_->holds(last.id.partition)) return error("this process already has it");
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
