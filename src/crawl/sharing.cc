#include "crawl/sharing.h"

#include <algorithm>

namespace bowerbird {

namespace {

constexpr Time kCutEvery = 2000;
constexpr Time kDrain = 10'000;
constexpr std::size_t kLinesAtOnce = 100;

}  // namespace

Sharing::Sharing(Brain& brain, std::unique_ptr<Exchange> exchange, std::vector<CrawlSeed> seeds,
                 std::function<void()> wake)
    : brain_(brain), exchange_(std::move(exchange)), seeds_(std::move(seeds)) {
  for (const CrawlSeed& seed : seeds_) seed_weight_ += seed.weight;
  // What a resumed crawl has in its outbox was committed.
  brain_.share()->take_new();
  held_ = brain_.share()->tenures();
  exchange_->begin(std::move(wake));
  exchange_->send(brain_.share()->outbox());
}

bool Sharing::step(Time now) {
  changed_ = false;
  news_.parcels.clear();
  news_.confirmed.clear();
  news_.legacies.clear();
  news_.plan.reset();
  exchange_->take(news_);
  for (const ParcelId& id : news_.confirmed) brain_.confirm(id);
  // Before the parcels: those of a partition that is to be ours come right after the plan that says so.
  if (news_.plan) {
    wanted_ = std::move(news_.plan->ours);
    inbox_.expect(std::move(news_.plan->tenures));
    leaving_.clear();
    for (const std::uint32_t p : brain_.share()->held()) {
      if (!wanted_[p]) leaving_.push_back(p);
    }
    leave_by_ = now + kDrain;
    inbox_.keep([this](std::uint32_t p) { return ours(p); });
  }
  for (Parcel& parcel : news_.parcels) {
    if (ours(parcel.id.partition)) inbox_.add(std::move(parcel));
  }
  for (const Legacy& legacy : news_.legacies) {
    // In pieces that fit into the journal; they are of one commit.
    std::span<const Parcel> rest(legacy.parcels);
    do {
      const std::size_t count = std::min(kLinesAtOnce, rest.size());
      brain_.absorb(legacy.member, rest.first(count));
      rest = rest.subspan(count);
    } while (!rest.empty());
    absorbed_.push_back(legacy.member);
  }
  // Without a plan we do not know what is for us: after a restart the queue of a partition that we gave away
  // may still lead here, with the very parcel in which it goes.
  if (exchange_->may_work() && !wanted_.empty()) {
    take_turns();
    give_what_is_drained(now);
  }
  return changed_;
}

// Held, or to be. What comes for other partitions, because their queue still leads here, is left to be
// delivered to the one who is to have them; a partition that we gave away must not come back that way.
bool Sharing::ours(std::uint32_t partition) const {
  return brain_.share()->holds(partition) || wanted_.empty() || wanted_[partition];
}

void Sharing::take_turns() {
  while (auto turn = inbox_.next(*brain_.share())) {
    receipts_.insert(receipts_.end(), turn->repeats.begin(), turn->repeats.end());
    for (const Parcel& links : turn->links) {
      brain_.receive(links);
      receipts_.push_back(links.id);
      changed_ = true;
    }
    if (turn->pieces.empty()) continue;
    for (const Parcel& piece : turn->pieces) receipts_.push_back(piece.id);
    if (!brain_.adopt(turn->pieces)) continue;
    changed_ = true;
    const std::uint32_t p = turn->pieces.back().id.partition;
    if (brain_.share()->tenure(p) == 1) sow(p);
    if (!wanted_.empty() && !wanted_[p]) leaving_.push_back(p);
  }
}

// The seeds of a partition that nobody has held before.
void Sharing::sow(std::uint32_t partition) {
  std::vector<BrainSeed> fresh;
  for (const CrawlSeed& seed : seeds_) {
    const PageId page = brain_.intern(seed.url);
    if (brain_.share()->partition(page, brain_.host(page)) != partition) continue;
    if (brain_.frontier().state(page) == PageState::kUndiscovered) {
      fresh.push_back({page, seed.weight, seed.sitemap});
    }
  }
  if (!fresh.empty()) brain_.seed(fresh, seed_weight_);
}

bool Sharing::leaving(PageId page) {
  if (leaving_.empty()) return false;
  const std::uint32_t p = brain_.share()->partition(page, brain_.host(page));
  return std::find(leaving_.begin(), leaving_.end(), p) != leaving_.end();
}

void Sharing::give_what_is_drained(Time now) {
  if (leaving_.empty()) return;
  std::vector<bool> busy(brain_.share()->partitions());
  if (now < leave_by_) {
    for (const PageId page : brain_.frontier().in_flight()) {
      busy[brain_.share()->partition(page, brain_.host(page))] = true;
    }
  }
  std::vector<std::uint32_t> ready;
  std::erase_if(leaving_, [&](std::uint32_t p) {
    if (busy[p]) return false;
    if (brain_.share()->holds(p)) ready.push_back(p);
    return true;
  });
  if (ready.empty()) return;
  std::sort(ready.begin(), ready.end());
  ready.erase(std::unique(ready.begin(), ready.end()), ready.end());
  brain_.give(ready);
  inbox_.keep([this](std::uint32_t p) { return ours(p); });
  changed_ = true;
}

void Sharing::before_commit(Time now, bool idle) {
  if (!idle && now - last_cut_ < kCutEvery) return;
  last_cut_ = now;
  if (brain_.share()->filling()) brain_.cut();
}

void Sharing::commit_asked() {
  asked_parcels_ = brain_.share()->take_new();
  asked_receipts_ = std::exchange(receipts_, {});
  asked_absorbed_ = std::exchange(absorbed_, {});
  asked_held_ = brain_.share()->tenures();
  asked_ = true;
}

void Sharing::durable() {
  if (!asked_) return;
  asked_ = false;
  held_ = std::move(asked_held_);
  if (!asked_parcels_.empty()) exchange_->send(std::move(asked_parcels_));
  if (!asked_receipts_.empty()) exchange_->received(asked_receipts_);
  for (const std::string& member : asked_absorbed_) exchange_->absorbed(member);
  asked_parcels_.clear();
  asked_receipts_.clear();
  asked_absorbed_.clear();
}

void Sharing::report(const CrawlStatus& status, bool idle) {
  MemberReport report;
  const Share& share = *brain_.share();
  report.status = status;
  report.share = share.counts();
  report.held = held_;
  report.absorbed = share.absorbed();
  report.to_send = share.outbox_size();
  bool all_here = !wanted_.empty() && leaving_.empty();
  for (std::uint32_t p = 0; p < wanted_.size(); ++p) all_here = all_here && (!wanted_[p] || share.holds(p));
  report.quiet = idle && all_here && share.nothing_to_send() && inbox_.empty() && receipts_.empty() &&
                 asked_receipts_.empty();
  const ShareCounts& counts = share.counts();
  report.activity = status.counts.completed + status.counts.retries + counts.parcels_sent +
                    counts.parcels_received + counts.partitions_in + counts.partitions_out;
  exchange_->report(std::move(report));
}

}  // namespace bowerbird
