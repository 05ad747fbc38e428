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
  exchange_->begin(std::move(wake));
  waiting_.push_back({0, state_.fleet()->outbox(), {}, {}, state_.fleet()->epochs(), progress()});
  release();
}

bool FleetSession::step(Time now, const std::set<PageId>& requisites) {
  changed_ = false;
  news_.messages.clear();
  news_.confirmed.clear();
  news_.orphans.clear();
  news_.warnings.clear();
  news_.plan.reset();
  exchange_->take(news_);
  release();
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
  if (!requested_) requested_.emplace();
  append(requested_->messages, state_.fleet()->take_new());
  append(requested_->receipts, std::exchange(receipts_, {}));
  append(requested_->absorbed, std::exchange(absorbed_, {}));
  requested_->held = state_.fleet()->epochs();
  requested_->progress = progress();
}

void FleetSession::durable(std::uint64_t number) {
  if (!requested_) return;
  requested_->commit = number;
  waiting_.push_back(std::move(*requested_));
  requested_.reset();
  exchange_->committed(number);
  release();
}

// What the log has may leave the process.
void FleetSession::release() {
  const auto logged = exchange_->logged();
  while (logged && !waiting_.empty() && waiting_.front().commit <= *logged) {
    ReleasedByCommit& one = waiting_.front();
    held_ = std::move(one.held);
    progress_ = one.progress;
    if (!one.messages.empty()) exchange_->send(std::move(one.messages));
    if (!one.receipts.empty()) exchange_->received(one.receipts);
    for (const std::string& member : one.absorbed) exchange_->absorbed(member);
    waiting_.pop_front();
  }
}

void FleetSession::finish() {
  exchange_->wait_for_log();
  release();
  exchange_->finish();
}

// Whether receipts are to be sent.
bool FleetSession::has_receipts() const {
  return !receipts_.empty() || (requested_ && !requested_->receipts.empty()) ||
         std::ranges::any_of(waiting_, [](const ReleasedByCommit& one) { return !one.receipts.empty(); });
}

// Grows with every page that is done, and with everything that is sent or received.
std::uint64_t FleetSession::progress() const {
  const ExchangeCounts& counts = state_.fleet()->counts();
  return state_.frontier().counts().crawled + counts.messages_sent + counts.messages_received +
         counts.partitions_in + counts.partitions_out;
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
  // The fleet ends when the last commits are in the logs. A message that waits for an earlier one keeps its
  // sender from being quiet. One that nobody has sent must not keep us.
  report.quiet = idle && all_here && fleet.nothing_to_send() && !has_receipts() && progress() == progress_;
  const ExchangeCounts& counts = fleet.counts();
  report.activity = status.counts.completed + status.counts.requisites.done() + status.counts.retries +
                    counts.messages_sent + counts.messages_received + counts.partitions_in +
                    counts.partitions_out;
  exchange_->report(std::move(report));
}

}  // namespace bowerbird
