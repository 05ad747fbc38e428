#include "frontier/frontier.h"

#include <algorithm>

#include "base/check.h"

namespace bowerbird {

namespace {

using Mark = ScoreQueue::Mark;

// Links whose marks are prefetched.
constexpr std::size_t kAhead = 16;

}  // namespace

Result<std::unique_ptr<Frontier>> Frontier::make(const FrontierOptions& options,
                                                 std::unique_ptr<Policy> policy, HintSource hints,
                                                 HostSource hosts) {
  CHECK(policy != nullptr);
  BB_TRY(Strategy strategy, Strategy::make(options.strategy, options.expected_pages, options.seed));
  if (strategy.wants_depth() && !hints) {
    return error("the strategy '{}' needs the URLs of the pages, which this graph does not have",
                 options.strategy);
  }
  return std::unique_ptr<Frontier>(
      new Frontier(options, std::move(strategy), std::move(policy), std::move(hints), std::move(hosts)));
}

Frontier::Frontier(const FrontierOptions& options, Strategy strategy, std::unique_ptr<Policy> policy,
                   HintSource hints, HostSource hosts)
    : options_(options),
      policy_(std::move(policy)),
      hints_(std::move(hints)),
      hosts_(std::move(hosts)),
      emit_([this](PageId page, Score score) { set_score(page, queue_.mark(page), score); }),
      gates_(off_queue_),
      shared_gates_(off_queue_),
      strategy_(std::move(strategy)) {
  if (options.page_capacity > 0) queue_.reserve(options.page_capacity);
  if (options.queue_bytes > 0) limit_queue(options.queue_bytes);
}

void Frontier::limit_queue(std::uint64_t bytes) {
  CHECK(options_.spill != nullptr);
  constexpr std::uint64_t kParked = sizeof(OffQueuePage) + 2 * sizeof(OffQueue::Slot);
  most_parked_ = std::max<std::uint64_t>(16, bytes / 4 / kParked);
  queue_.limit_to(bytes - bytes / 4, *options_.spill);
}

Status Frontier::status() const {
  return queue_.status().ok() ? policy_->status() : queue_.status();
}

std::vector<std::string> Frontier::take_troubles() {
  std::vector<std::string> all = queue_.take_troubles();
  for (std::string& text : policy_->take_troubles()) all.push_back(std::move(text));
  return all;
}

void Frontier::seed(std::span<const SeedPage> seeds, double total) {
  if (total == 0) {
    for (const SeedPage& seed : seeds) total += seed.weight;
  }
  for (const SeedPage& seed : seeds) {
    if (queue_.mark(seed.page) != ScoreQueue::kUndiscovered) continue;
    if (strategy_.room(budget_used()) == 0) {
      ++counts_.dropped;
      continue;
    }
    Seed entry;
    entry.page = seed.page;
    entry.discovered = static_cast<std::uint32_t>(counts_.discovered);
    entry.share = total > 0 ? seed.weight / total : 1 / static_cast<double>(seeds.size());
    entry.light = seed.light;
    if (policy_->wants_hints() && hints_) entry.hints = hints_(seed.page);
    enqueue({seed.page, entry.discovered, policy_->seed(entry)});
    ++counts_.discovered;
  }
  if (policy_->wants_rescore()) rescore_all();
  note_lengths();
}

// ---- returning to the queue

void Frontier::retry(PageId page, Time due) {
  const Mark mark = queue_.mark(page);
  CHECK(ScoreQueue::is_off_queue(mark));
  OffQueuePage& entry = off_queue_[mark & ~ScoreQueue::kOffQueue];
  CHECK(entry.state == PageState::kInFlight);
  entry.state = PageState::kWaiting;
  entry.due = due;
  waiting_.emplace(due, page);
  --counts_.in_flight;
  note_lengths();
}

void Frontier::end_wait(PageId page) {
  const Mark mark = queue_.mark(page);
  CHECK(ScoreQueue::is_off_queue(mark));
  const OffQueue::Slot slot = mark & ~ScoreQueue::kOffQueue;
  CHECK(off_queue_[slot].state == PageState::kWaiting);
  waiting_.erase({off_queue_[slot].due, page});
  enqueue(off_queue_.remove(slot));
  note_lengths();
}

void Frontier::set_gate(HostId host, Time opens, SharedGateId gate) {
  CHECK(hosts_ != nullptr);
  CHECK(gate == kOwnGate || !grouped_);
  table_of(gate).set(gate == kOwnGate ? host : gate, opens, now_);
  if (gate == kOwnGate) return;
  const auto behind = behind_.find(host);
  if (behind != behind_.end() && behind->second == gate) return;
  leave_shared_gate(host);
  behind_[host] = gate;
}

Visit Frontier::complete(PageId page, std::span<const Link> links, bool on_topic) {
  Visit visit;
  if (queue_.mark(page) == ScoreQueue::kDone) {
    const auto held = strategy_.finish_visit(page);
    CHECK(held.has_value());
    ++counts_.links_only;
    visit = held->visit;
    collect_open(links);
    skip_given(held->given_below);
    enter(visit, &*held);
  } else {
    visit = take_visit(page, links);
    visit.on_topic = on_topic;
    collect_open(links);
    policy_->crawled(visit, all_);
    enter(visit, nullptr);
  }
  finish_links();
  visit.score = policy_->plain(page, visit.score);
  return visit;
}

void Frontier::receive(const Visit& sent, std::span<const Link> links) {
  Visit visit = sent;
  visit.received = true;
  collect_open(links);
  Shares shares;
  shares.first = false;
  shares.closed = static_cast<std::uint32_t>(links.size() - open_count_);
  const std::uint32_t new_links = number_new();
  const auto enters =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(new_links, strategy_.room(budget_used())));
  const bool judges = policy_->judges();
  if (judges) policy_->give(visit, open());
  if (enters < new_links) {
    const double all = judges ? worth_of_new() : 0;
    open_count_ = strategy_.sample(open(), enters, judges, counts_.crawled + counts_.links_only);
    number_new();
    shares.closed += new_links - enters;
    counts_.dropped += new_links - enters;
    if (judges) counts_.dropped_worth += all - worth_of_new();
  }
  if (!judges) policy_->give(visit, open());
  counts_.discovered += enters;
  CHECK(counts_.discovered < kMaxPages);
  shares.queued = primary() + enters;
  policy_->given(visit, open(), shares);
  finish_links();
}

// The last step of every change of links.
void Frontier::finish_links() {
  apply();
  if (policy_->wants_rescore()) rescore_all();
  note_lengths();
}

// The page in flight becomes crawled.
Visit Frontier::take_visit(PageId page, std::span<const Link> links) {
  const Mark mark = queue_.mark(page);
  CHECK(ScoreQueue::is_off_queue(mark));
  const OffQueue::Slot slot = mark & ~ScoreQueue::kOffQueue;
  CHECK(off_queue_[slot].state == PageState::kInFlight);
  const QueueItem item = off_queue_.remove(slot);
  queue_.set_mark(page, ScoreQueue::kDone);
  --counts_.in_flight;
  ++counts_.crawled;

  Visit visit;
  visit.page = page;
  visit.discovered = item.discovered();
  visit.score = item.score();
  visit.links = static_cast<std::uint32_t>(links.size());
  for (const Link& link : links) visit.other_host += link.other_host ? 1 : 0;
  visit.crawled = counts_.crawled;
  visit.known = counts_.discovered;
  all_.clear();
  if (policy_->wants_links()) {
    for (const Link& link : links) all_.push_back(link.page);
  }
  return visit;
}

// Collects the links to uncrawled pages. Several passes, so that marks and items are prefetched before they
// are needed.
void Frontier::collect_open(std::span<const Link> links) {
  if (open_.size() < links.size()) open_.resize(links.size());
  OpenLink* const open = open_.data();
  std::size_t count = 0;
  away_ = 0;
  for (std::size_t i = 0; i < std::min(kAhead, links.size()); ++i) queue_.prefetch_mark(links[i].page);
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (i + kAhead < links.size()) queue_.prefetch_mark(links[i + kAhead].page);
    const Mark mark = queue_.mark(links[i].page);
    if (ScoreQueue::is_queued(mark)) queue_.prefetch_item(mark);
    open[count] = {links[i].page,
                   mark,
                   mark == ScoreQueue::kUndiscovered,
                   links[i].other_host,
                   links[i].on_topic,
                   {},
                   0};
    count += mark != ScoreQueue::kDone && links[i].route == LinkRoute::kLocal ? 1 : 0;
    away_ += links[i].route == LinkRoute::kRemote ? 1 : 0;
  }
  open_count_ = count;
  const bool hints = policy_->wants_hints() && hints_;
  for (OpenLink& link : this->open()) {
    if (!link.is_new) {
      const QueueItem item = item_of(link.page, link.discovered);
      link.discovered = item.discovered();
      link.score = item.score();
    } else if (hints) {
      link.hints = hints_(link.page);
    }
  }
}

// Removes the links that got their share at a page's first visit from open().
void Frontier::skip_given(std::uint32_t given_below) {
  const auto end = std::remove_if(open().begin(), open().end(), [=](const OpenLink& link) {
    return !link.is_new && link.discovered < given_below;
  });
  open_count_ = static_cast<std::size_t>(end - open().begin());
}

// Gives the new links the discovery numbers that they will have if they enter. Returns how many there are.
std::uint32_t Frontier::number_new() {
  std::uint32_t new_links = 0;
  for (OpenLink& link : open()) {
    if (link.is_new) link.discovered = static_cast<std::uint32_t>(counts_.discovered + new_links++);
  }
  return new_links;
}

// Lets the strategy choose among the new links, and the ordering score those that enter. `held` is the page
// as it was in S, if it is visited again.
void Frontier::enter(const Visit& visit, const SecondaryPage* held) {
  std::uint32_t new_links = number_new();
  Shares shares;
  shares.first = held == nullptr;
  if (strategy_.admits_all() || new_links == 0) {
    policy_->give(visit, open());
  } else {
    const Admission admission = choose(visit, held == nullptr, new_links);
    new_links = admission.enter;
    shares.held = admission.held;
    counts_.dropped += admission.lost;
  }
  counts_.discovered += new_links;
  CHECK(counts_.discovered < kMaxPages);
  if (held == nullptr) shares.away = away_;
  const std::uint64_t accounted = open_count_ + shares.held + shares.away;
  const std::uint64_t owed = held == nullptr ? visit.links : held->held;
  shares.closed = static_cast<std::uint32_t>(owed > accounted ? owed - accounted : 0);
  shares.queued = primary() + new_links;
  policy_->given(visit, open(), shares);
  if (shares.held > 0) {
    strategy_.hold({visit, static_cast<std::uint32_t>(counts_.discovered), shares.held});
  }
}

// Removes the new links that do not enter from open(), and scores the others.
Admission Frontier::choose(const Visit& visit, bool first, std::uint32_t new_links) {
  const bool judges = policy_->judges();
  const std::uint16_t depth = strategy_.wants_depth() ? hints_(visit.page).depth : std::uint16_t{0};
  const bool too_many = new_links > strategy_.sample_size(depth);
  const bool postpone = too_many && first && judges && below_median(visit.score);
  const Admission admission = strategy_.admit(new_links, depth, budget_used(), postpone);
  if (judges) policy_->give(visit, open());
  if (admission.enter < new_links) {
    const bool judged_loss = judges && admission.lost > 0;
    const double all = judged_loss ? worth_of_new() : 0;
    open_count_ = strategy_.sample(open(), admission.enter, judges, counts_.crawled + counts_.links_only);
    number_new();
    if (judged_loss) counts_.dropped_worth += all - worth_of_new();
  }
  if (!judges) policy_->give(visit, open());
  return admission;
}

// The worth of the new links together, according to the ordering.
double Frontier::worth_of_new() {
  double sum = 0;
  for (const OpenLink& link : open()) {
    if (link.is_new) sum += policy_->merit(link.score);
  }
  return sum;
}

// True if more than half of P has a larger score. The page came from the top of P, so this is rare.
bool Frontier::below_median(Score score) const {
  if (queue_.empty() || !(score < queue_.top().score())) return false;
  std::uint64_t larger = queue_.count_above(score), all = queue_.size();
  off_queue_.for_each([&](const OffQueuePage& entry) {
    if (entry.state == PageState::kInFlight) return;
    larger += entry.item.score() > score ? 1 : 0;
    ++all;
  });
  return larger > all / 2;
}

void Frontier::apply() {
  for (const OpenLink& link : open()) {
    if (link.is_new) {
      CHECK(queue_.mark(link.page) == ScoreQueue::kUndiscovered);
      enqueue({link.page, link.discovered, link.score});
    } else {
      set_score(link.page, queue_.mark(link.page), link.score);
    }
  }
}

// ---- scores and states

QueueItem Frontier::item_of(PageId page, Mark mark) const {
  return ScoreQueue::is_off_queue(mark) ? off_queue_[mark & ~ScoreQueue::kOffQueue].item
                                        : queue_.item(page, mark);
}

void Frontier::set_score(PageId page, Mark mark, Score score) {
  if (ScoreQueue::is_queued(mark)) {
    const Score old = queue_.item(page, mark).score();
    if (score == old) return;
    queue_.update(page, mark, score);
    if (score < old) replace_representative(page);
  } else if (ScoreQueue::is_off_queue(mark)) {
    const OffQueue::Slot slot = mark & ~ScoreQueue::kOffQueue;
    off_queue_[slot].item = off_queue_[slot].item.with(score);
    if (off_queue_[slot].state != PageState::kQueued) return;
    const SharedGateId gate = off_queue_[slot].parked.gate;
    const std::uint32_t id = gate == kOwnGate ? hosts_(page) : gate;
    table_of(gate).moved(id, slot);
    if (!table_of(gate).closed(id, now_)) release_better(table_of(gate), id);
    if (gate != kOwnGate) replace_representative(page);
  }
}

// The score of a representative has fallen: another page may be the best behind its gates now.
void Frontier::replace_representative(PageId page) {
  if (gates_.in_use()) {
    const HostId host = hosts_(page);
    if (gates_.representative(host) == page && !gates_.closed(host, now_)) release_better(gates_, host);
  }
  if (const auto leads = representatives_.find(page); leads != representatives_.end()) {
    const SharedGateId gate = leads->second;
    if (!shared_gates_.closed(gate, now_)) release_better(shared_gates_, gate);
  }
}

void Frontier::change_score(PageId page, Score score) {
  const Mark mark = queue_.mark(page);
  CHECK(state(page) == PageState::kQueued);
  set_score(page, mark, score);
}

// Parked pages return to the queue first, unless nearly all are parked: the heap of every host would have to
// be rebuilt.
void Frontier::rescore_all() {
  ++recomputations_;
  if (!grouped_) release_all();
  queue_.rescore_all([this](const QueueItem& item) { return policy_->rescore(item.page(), item.score()); });
  off_queue_.for_each([this](OffQueuePage& entry) {
    entry.item = entry.item.with(policy_->rescore(entry.item.page(), entry.item.score()));
  });
  if (!grouped_) return;
  for (const HostId host : gates_.reorder()) {
    if (!gates_.closed(host, now_)) release_better(gates_, host);
  }
}

void Frontier::recompute_ranks() {
  if (policy_->recompute_ranks() && policy_->wants_rescore()) rescore_all();
}

PageState Frontier::state(PageId page) const {
  const Mark mark = queue_.mark(page);
  if (mark == ScoreQueue::kUndiscovered) return PageState::kUndiscovered;
  if (mark == ScoreQueue::kDone) return PageState::kDone;
  return ScoreQueue::is_off_queue(mark) ? off_queue_[mark & ~ScoreQueue::kOffQueue].state
                                        : PageState::kQueued;
}

std::optional<QueueItem> Frontier::item(PageId page) const {
  const Mark mark = queue_.mark(page);
  if (mark == ScoreQueue::kUndiscovered || mark == ScoreQueue::kDone) return {};
  return item_of(page, mark);
}

std::optional<Score> Frontier::score(PageId page) const {
  const auto found = item(page);
  return found ? std::optional(found->score()) : std::nullopt;
}

std::optional<Time> Frontier::due(PageId page) const {
  if (state(page) != PageState::kWaiting) return std::nullopt;
  return off_queue_[queue_.mark(page) & ~ScoreQueue::kOffQueue].due;
}

std::vector<PageId> Frontier::in_flight() const {
  std::vector<PageId> pages;
  off_queue_.for_each([&](const OffQueuePage& entry) {
    if (entry.state == PageState::kInFlight) pages.push_back(entry.item.page());
  });
  std::sort(pages.begin(), pages.end());
  return pages;
}

std::uint64_t Frontier::primary() const {
  return queue_.size() + parked() + waiting_.size() + strategy_.left_in_round();
}

// Without the pages of S. A page in flight may have to wait for a retry.
std::uint64_t Frontier::budget_used() const {
  return primary() + counts_.in_flight;
}

void Frontier::note_lengths() {
  counts_.primary = primary();
  counts_.secondary = strategy_.secondary();
  counts_.waiting = waiting_.size();
  counts_.peak = std::max(counts_.peak, counts_.primary + counts_.secondary);
}

std::uint64_t Frontier::bytes() const {
  constexpr std::uint64_t kSetNode = 6 * sizeof(void*);
  return queue_.bytes() + off_queue_.bytes() + gates_.bytes() + shared_gates_.bytes() +
         (behind_.size() + representatives_.size()) * kSetNode + waiting_.size() * kSetNode +
         strategy_.bytes() + policy_->bytes() + open_.capacity() * sizeof(OpenLink) +
         all_.capacity() * sizeof(PageId);
}

}  // namespace bowerbird
