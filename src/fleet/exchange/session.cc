#include "fleet/exchange/session.h"

#include <algorithm>
#include <iterator>

namespace bowerbird {

namespace {

constexpr Duration kFlushEvery = 2s;
constexpr Duration kDrain = 10s;
constexpr std::size_t kMessagesAtOnce = 100;

template <typename T>
void append(std::vector<T>& to, std::vector<T> more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

}  // namespace

FleetSession::FleetSession(CrawlState& state, std::unique_ptr<Exchange> exchange,
                           std::vector<CrawlSeed> seeds, std::function<void()> wake)
    : state_(state), exchange_(std::move(exchange)), seeds_(std::move(seeds)) {
  for (const CrawlSeed& seed : seeds_) seed_weight_ += seed.weight;
  // The outbox of a resumed crawl is already committed.
  state_.fleet()->take_new();
  held_ = state_.fleet()->epochs();
  exchange_->begin(std::move(wake));
  exchange_->send(state_.fleet()->outbox());
}

bool FleetSession::step(Time now, const std::set<PageId>& requisites) {
  changed_ = false;
  news_.messages.clear();
  news_.confirmed.clear();
  news_.orphans.clear();
  news_.warnings.clear();
  news_.plan.reset();
  exchange_->take(news_);
  for (std::string& text : news_.warnings) state_.add_warning(std::move(text));
  const auto known = [this](const MessageId& id) { return id.partition < state_.fleet()->partitions(); };
  for (const MessageId& id : news_.confirmed) {
    if (known(id)) state_.confirm(id);
  }
  // Before the messages: those of a new partition arrive right after the plan that makes it ours.
  if (news_.plan) {
    wanted_ = std::move(news_.plan->ours);
    inbox_.expect(std::move(news_.plan->epochs));
    std::vector<std::uint32_t> leaving;
    for (const std::uint32_t p : state_.fleet()->held()) {
      if (!wanted_[p]) leaving.push_back(p);
    }
    // A plan may be repeated, which does not extend the time to drain.
    if (leaving != leaving_) leave_by_ = now + kDrain;
    leaving_ = std::move(leaving);
    inbox_.keep([this](std::uint32_t p) { return ours(p); });
  }
  for (Message& message : news_.messages) {
    if (known(message.id) && ours(message.id.partition)) inbox_.add(std::move(message));
  }
  for (Orphan& orphan : news_.orphans) {
    std::erase_if(orphan.messages, [&](const Message& message) { return !known(message.id); });
    // Split to fit into the journal; all pieces are in one commit.
    std::span<const Message> rest(orphan.messages);
    do {
      const auto piece = rest.first(std::min(kMessagesAtOnce, rest.size()));
      state_.absorb(orphan.member, {piece.begin(), piece.end()});
      rest = rest.subspan(piece.size());
    } while (!rest.empty());
    absorbed_.push_back(orphan.member);
  }
  // Without a plan we do not know which partitions are ours. After a restart the queue of a partition that we
  // gave away may still deliver here, even the message that moves it.
  if (exchange_->may_work() && !wanted_.empty()) {
    take_turns(now);
    give_what_is_drained(now, requisites);
  }
  return changed_;
}

void FleetSession::warn_of_rejected(const MessageId& id, std::string_view why) {
  state_.add_warning(fmt::format("partition {}, sent by {}, was rejected: {}", id.partition, id.sender, why));
}

// Owned, or planned. Messages for other partitions, whose queue still delivers here, are ignored, so that
// they are delivered to the new owner. A partition that we gave away must not return that way.
bool FleetSession::ours(std::uint32_t partition) const {
  return state_.fleet()->holds(partition) || wanted_.empty() || wanted_[partition];
}

void FleetSession::take_turns(Time now) {
  while (auto turn = inbox_.next(*state_.fleet())) {
    receipts_.insert(receipts_.end(), turn->repeats.begin(), turn->repeats.end());
    if (!turn->strays.empty()) exchange_->dropped(turn->strays);
    // Confirmed too, so that it is not delivered again.
    for (const MessageId& id : turn->damaged) {
      receipts_.push_back(id);
      warn_of_rejected(id, "its message is damaged");
    }
    for (const Message& links : turn->links) {
      state_.receive(links);
      receipts_.push_back(links.id);
      changed_ = true;
    }
    if (turn->pieces.empty()) continue;
    const MessageId last = turn->pieces.back().id;
    const std::uint32_t p = last.partition;
    for (const Message& piece : turn->pieces) receipts_.push_back(piece.id);
    if (const Status adopted = state_.adopt(std::move(turn->pieces)); !adopted.ok()) {
      warn_of_rejected(last, adopted.error().text);
      continue;
    }
    state_.delay_adopted_hosts(now);
    changed_ = true;
    if (state_.fleet()->epoch(p) == 1) enqueue_seeds(p);
    if (!wanted_.empty() && !wanted_[p]) leaving_.push_back(p);
  }
}

// The seeds of a partition that nobody has owned before.
void FleetSession::enqueue_seeds(std::uint32_t partition) {
  std::vector<SeedEntry> entries;
  for (const CrawlSeed& seed : seeds_) {
    const PageId page = state_.intern(seed.url);
    if (state_.fleet()->partition(page, state_.host(page)) != partition) continue;
    if (state_.frontier().state(page) == PageState::kUndiscovered) {
      entries.push_back({page, seed.weight, seed.sitemap});
    }
  }
  if (!entries.empty()) state_.add_seeds(std::move(entries), seed_weight_);
}

bool FleetSession::leaving(PageId page) {
  if (leaving_.empty()) return false;
  const std::uint32_t p = state_.fleet()->partition(page, state_.host(page));
  return std::find(leaving_.begin(), leaving_.end(), p) != leaving_.end();
}

void FleetSession::give_what_is_drained(Time now, const std::set<PageId>& requisites) {
  if (leaving_.empty()) return;
  std::vector<bool> busy(state_.fleet()->partitions());
  if (now < leave_by_) {
    const auto mark = [&](PageId page) { busy[state_.fleet()->partition(page, state_.host(page))] = true; };
    for (const PageId page : state_.frontier().in_flight()) mark(page);
    for (const PageId page : requisites) mark(page);
  }
  std::vector<std::uint32_t> ready;
  std::erase_if(leaving_, [&](std::uint32_t p) {
    if (busy[p]) return false;
    if (state_.fleet()->holds(p)) ready.push_back(p);
    return true;
  });
  if (ready.empty()) return;
  std::sort(ready.begin(), ready.end());
  ready.erase(std::unique(ready.begin(), ready.end()), ready.end());
  state_.give(ready);
  inbox_.keep([this](std::uint32_t p) { return ours(p); });
  changed_ = true;
}

void FleetSession::before_commit(Time now, bool idle) {
  if (!idle && now - last_flush_ < kFlushEvery) return;
  last_flush_ = now;
  if (state_.fleet()->filling()) state_.flush_batches();
}

// The previous commit may not be confirmed as durable yet. Once this one is durable, so is that.
void FleetSession::commit_asked() {
  exchange_->committing();
  append(requested_messages_, state_.fleet()->take_new());
  append(requested_receipts_, std::exchange(receipts_, {}));
  append(asked_absorbed_, std::exchange(absorbed_, {}));
  asked_held_ = state_.fleet()->epochs();
  asked_ = true;
}

void FleetSession::durable(std::uint64_t number) {
  if (!asked_) return;
  asked_ = false;
  exchange_->committed(number);
  held_ = std::move(asked_held_);
  if (!requested_messages_.empty()) exchange_->send(std::move(requested_messages_));
  if (!requested_receipts_.empty()) exchange_->received(requested_receipts_);
  for (const std::string& member : asked_absorbed_) exchange_->absorbed(member);
  requested_messages_.clear();  // moved from
  requested_receipts_.clear();
  asked_absorbed_.clear();
}

void FleetSession::report(const CrawlStatus& status, bool idle) {
  MemberReport report;
  const FleetState& fleet = *state_.fleet();
  report.status = status;
  report.budgets = status.budgets;
  report.exchange = fleet.counts();
  report.held = held_;
  report.absorbed = fleet.absorbed();
  report.to_send = fleet.outbox_size();
  report.requisites = status.requisites_pending + fleet.requisite_batches();
  bool all_here = !wanted_.empty() && leaving_.empty();
  for (std::uint32_t p = 0; p < wanted_.size(); ++p) all_here = all_here && (!wanted_[p] || fleet.holds(p));
  // A message that waits for an earlier one keeps its sender from being quiet. One that nobody has sent must
  // not keep us.
  report.quiet =
      idle && all_here && fleet.nothing_to_send() && receipts_.empty() && requested_receipts_.empty();
  const ExchangeCounts& counts = fleet.counts();
  report.activity = status.counts.completed + status.counts.requisites.done() + status.counts.retries +
                    counts.messages_sent + counts.messages_received + counts.partitions_in +
                    counts.partitions_out;
  exchange_->report(std::move(report));
}

}  // namespace bowerbird
