// The calls of a UrlFrontier that change or describe its URLs.
#include <algorithm>

#include "store/known_urls.h"
#include "url/canonical.h"
#include "urlfrontier/call_limits.h"
#include "urlfrontier/url_frontier_impl.h"

namespace bowerbird {

namespace {

constexpr double kMostWeight = 1e18;

}  // namespace

// ---- Parts of every call

Status UrlFrontier::Impl::begin(Time now) {
  BB_TRY_VOID(status_);
  BB_TRY_VOID(check_time(now));
  call_.frame.clear();
  call_.written.clear();
  call_.touched.clear();
  call_.changed = advance(now);
  if (!options_.folder.empty()) put_signed(call_.frame, milliseconds_of(now_));
  return {};
}

Status UrlFrontier::Impl::finish() {
  update_gates();
  BB_TRY_VOID(status_);
  // Before anything is written: the folder must not keep what a failed ordering has decided.
  status_ = main_->status();
  BB_TRY_VOID(status_);
  if (options_.folder.empty()) {
    for (const Written& one : call_.written) set_location(one.page, journal_.keep(one.record));
    return {};
  }
  status_ = urls_->status();
  BB_TRY_VOID(status_);
  if (!call_.changed) return {};
  const auto at = journal_.append(call_.frame);
  if (!at.ok()) {
    status_ = at.error();
    return status_;
  }
  for (const Written& one : call_.written) set_location(one.page, *at + one.position);
  const std::uint64_t grown = std::max(options_.snapshot_bytes, disk_.snapshot_bytes / 2);
  if (journal_.segment_bytes() > grown) BB_TRY_VOID(snapshot());
  return {};
}

// The page of a URL, which becomes known if it is not. None: the URL was rejected.
std::optional<PageId> UrlFrontier::Impl::intern(const UrlInput& input, PutResult& result) {
  const bool canonical = options_.identity == UrlIdentity::kCanonical;
  UrlFault fault =
      canonical ? canonical_url(input.url, nullptr, call_.url) : parse_url(input.url, nullptr, call_.url);
  if (!canonical && fault == UrlFault::kNone && input.url.size() > kLongestGivenUrl)
    fault = UrlFault::kTooLong;
  if (fault != UrlFault::kNone || input.queue.size() > kLongestQueueName) {
    result = {PutOutcome::kRejected,
              fault != UrlFault::kNone ? fault_text(fault) : "the queue's name is too long"};
    ++counts_.rejected;
    return {};
  }
  const std::string_view text = canonical ? std::string_view(call_.url.text()) : input.url;
  PageId page = urls_->find(KnownUrls::fingerprint(text));
  result = {page != kNoPage && !is_removed(page) ? PutOutcome::kKnown : PutOutcome::kNew, {}};
  if (page != kNoPage) {
    if (input.priority != 0 && is_removed(page)) decide(PriorityGiven{page, input.priority});
    return page;
  }
  if (urls_->size() >= kMaxPages - 1) {
    result = {PutOutcome::kRejected, "the frontier is full"};
    return {};
  }
  page = urls_->size();
  decide(UrlAdded{queue_named(input.queue.empty() ? call_.url.host() : input.queue), std::string(text)});
  if (input.priority != 0) decide(PriorityGiven{page, input.priority});
  return page;
}

QueueId UrlFrontier::Impl::queue_named(std::string_view name) {
  if (const auto id = queues_.find(name)) return *id;
  decide(QueueAdded{std::string(name)});
  return queues_.size() - 1;
}

// kNoPage: unknown, or not a URL.
PageId UrlFrontier::Impl::find(std::string_view url) {
  std::string_view text = url;
  if (options_.identity == UrlIdentity::kCanonical) {
    if (canonical_url(url, nullptr, call_.url) != UrlFault::kNone) return kNoPage;
    text = call_.url.text();
  }
  const PageId page = urls_->find(KnownUrls::fingerprint(text));
  return is_known(page) ? page : kNoPage;
}

void UrlFrontier::Impl::write_record(PageId page, const UrlRecord& record) {
  std::string bytes = record.encode();
  call_.changed = true;
  if (options_.folder.empty()) {
    call_.written.push_back({page, 0, std::move(bytes)});
    return;
  }
  call_.frame.push_back(url_event_number<RecordWritten>());
  put_varint(call_.frame, page);
  call_.written.push_back({page, call_.frame.size(), {}});
  put_string(call_.frame, bytes);
}

Result<UrlRecord> UrlFrontier::Impl::record_of(PageId page) const {
  if (page >= records_.size() || records_[page] == 0) return UrlRecord{};
  BB_TRY(const std::string bytes, journal_.read(records_[page]));
  auto record = UrlRecord::decode(bytes);
  if (!record) return error("{}: the record of URL {} is damaged", options_.folder, page);
  return std::move(*record);
}

// ---- Calls

Result<std::vector<PutResult>> UrlFrontier::Impl::add(std::span<const UrlInput> seeds, Time now) {
  BB_TRY_VOID(check_call_size(seeds));
  double total = 0;
  for (const UrlInput& seed : seeds) {
    if (!(seed.weight >= 0 && seed.weight <= kMostWeight)) {
      return error("{} is not a valid seed weight: use a number from 0 to {:g}", seed.weight, kMostWeight);
    }
    total += seed.weight;
  }
  BB_TRY_VOID(begin(now));
  std::vector<PutResult> results(seeds.size());
  SeedsEntered entered;
  entered.total = total;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const auto page = intern(seeds[i], results[i]);
    if (!page) continue;
    if (seeds[i].payload) {
      UrlRecord record;
      if (results[i].outcome == PutOutcome::kKnown) {
        auto known = record_of(*page);
        if (!known.ok()) {
          status_ = known.error();  // half of the call has happened
          return status_.error();
        }
        record = std::move(*known);
      }
      record.payload = *seeds[i].payload;
      write_record(*page, record);
    }
    entered.pages.push_back(*page);
    entered.weights.push_back(seeds[i].weight);
  }
  if (!entered.pages.empty()) decide(std::move(entered));
  BB_TRY_VOID(finish());
  return results;
}

Result<std::vector<PutResult>> UrlFrontier::Impl::discover(std::string_view parent,
                                                           std::span<const UrlInput> links, Time now) {
  BB_TRY_VOID(check_call_size(links));
  BB_TRY_VOID(begin(now));
  std::vector<PutResult> results(links.size());
  LinksFound found;
  found.parent = parent.empty() ? kNoPage : find(parent);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto page = intern(links[i], results[i]);
    if (!page) continue;
    if (links[i].payload && results[i].outcome == PutOutcome::kNew) {
      UrlRecord record;
      record.payload = *links[i].payload;
      write_record(*page, record);
    }
    found.links.push_back(*page);
  }
  distinct(found.links);
  if (!found.links.empty()) decide(std::move(found));
  BB_TRY_VOID(finish());
  return results;
}

// begin() was called, and the page is in the table.
Result<std::vector<PutResult>> UrlFrontier::Impl::complete(PageId page, const Completion& done) {
  // First read, so that an error leaves nothing half done.
  auto old = record_of(page);
  if (!old.ok()) {
    status_ = old.error();
    return status_.error();
  }
  std::vector<PutResult> results(done.links.size());
  UrlCompleted event;
  event.page = page;
  event.due = clamp_due(done.due);
  event.links.reserve(done.links.size());
  for (std::size_t i = 0; i < done.links.size(); ++i) {
    const auto link = intern(done.links[i], results[i]);
    if (!link) continue;
    if (!done.links[i].follow) {
      event.unfollowed.push_back(*link);
      if (results[i].outcome == PutOutcome::kNew && !is_removed(*link)) event.hidden.push_back(*link);
      continue;
    }
    if (done.links[i].payload && results[i].outcome == PutOutcome::kNew && *link != page) {
      UrlRecord record;
      record.payload = *done.links[i].payload;
      write_record(*link, record);
    }
    event.links.push_back(*link);
  }
  distinct(event.links);
  distinct(event.unfollowed);
  UrlRecord record = std::move(*old);
  record.due = event.due;
  decide(std::move(event));
  if (call_.visit) record.visit = call_.visit;
  if (done.payload) record.payload = *done.payload;
  write_record(page, record);
  BB_TRY_VOID(finish());
  return results;
}

// ---- Reading

UrlState UrlFrontier::Impl::state(PageId page) const {
  switch (main_->state(page)) {
    case PageState::kUndiscovered:
      return UrlState::kCollected;
    case PageState::kQueued:
      return UrlState::kQueued;
    case PageState::kInFlight:
      return UrlState::kLeased;
    case PageState::kWaiting:
      return UrlState::kWaiting;
    case PageState::kDone:
      break;
  }
  if (revisits_->is_scheduled(page)) return UrlState::kScheduled;
  switch (revisits_->state(page)) {
    case PageState::kQueued:
      return UrlState::kDue;
    case PageState::kInFlight:
      return UrlState::kLeased;
    case PageState::kWaiting:
      return UrlState::kWaiting;
    default:
      return UrlState::kCompleted;
  }
}

Result<UrlStatus> UrlFrontier::Impl::describe(PageId page) {
  UrlStatus made;
  BB_TRY(made.url, urls_->url(page));
  BB_TRY(UrlRecord record, record_of(page));
  made.payload = std::move(record.payload);
  const UrlQueue& queue = queues_[urls_->queue(page)];
  made.queue = queue.name;
  made.queue_opens = opening_of(urls_->queue(page));
  made.state = state(page);
  made.completed = main_->state(page) == PageState::kDone;
  made.score = made.completed ? revisits_->due().score(page) : main_->score(page);
  made.priority = priorities_->priority(page);
  if (made.priority != 0 && made.score) made.score = priorities_->own_score(page, *made.score);
  if (main_->policy().has_ranks()) made.rank = main_->policy().rank(page);
  if (made.state == UrlState::kWaiting)
    made.due = made.completed ? revisits_->due().due(page) : main_->due(page);
  if ((made.state == UrlState::kScheduled || made.state == UrlState::kDue) && record.due < kForever)
    made.due = record.due;
  if (const auto lease = leases_.find(page); lease != leases_.end()) made.leased_until = lease->second;
  return made;
}

UrlFrontierStats UrlFrontier::Impl::stats() const {
  UrlFrontierStats stats = counts_;
  stats.queued = main_->counts().primary;
  stats.scheduled = revisits_->scheduled();
  stats.due = revisits_->due().counts().primary;
  stats.spilled = main_->spilled().now;
  stats.journal_bytes = options_.folder.empty() ? 0 : journal_.disk_bytes();
  stats.memory = urls_->bytes() + queues_.bytes() + directories_.bytes() + main_->bytes() +
                 revisits_->bytes() + records_.size() * sizeof(RecordAt) + journal_.bytes() +
                 removed_.size() * 8 + leases_.size() * 96 + collected_.size() * 64 +
                 counts_.collected * sizeof(PageId);
  return stats;
}

QueueChanged UrlFrontier::Impl::settings_of(QueueId id) const {
  const UrlQueue& queue = queues_[id];
  return {id, queue.delay, queue.blocked_until, queue.limit};
}

}  // namespace bowerbird
