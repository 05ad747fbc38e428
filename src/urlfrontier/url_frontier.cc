#include "urlfrontier/url_frontier.h"

#include <algorithm>
#include <cmath>

#include "store/known_urls.h"
#include "url/canonical.h"
#include "urlfrontier/url_frontier_impl.h"

namespace bowerbird {

namespace {

constexpr std::size_t kLongestGivenUrl = 8 << 10;
constexpr std::size_t kLongestQueueName = 1 << 10;
// A frame of the journal holds at most 64 MiB; what a call may bring stays well below.
constexpr std::size_t kMostInput = std::size_t{24} << 20;
constexpr Time kLatestTime = Time{1} << 50;
constexpr double kMostWeight = 1e18;

Status check_time(Time time) {
  if (time >= 0 && time < kLatestTime) return {};
  return error("{} is not a valid time in milliseconds", time);
}

Time clamp_due(Time due) {
  return due >= kLatestTime ? kForever : std::max<Time>(due, 0);
}

Status check_size(std::size_t bytes) {
  if (bytes <= kMostInput) return {};
  return error("{} bytes of URLs and payloads in one call are too many: at most {}", bytes, kMostInput);
}

Status check_size(std::span<const UrlInput> inputs) {
  std::size_t sum = 0;
  for (const UrlInput& input : inputs) {
    sum += std::min(input.url.size(), kLongestGivenUrl) + input.queue.size() + 16;
    if (input.payload) sum += input.payload->size() + 64;
  }
  return check_size(sum);
}

}  // namespace

std::string_view state_name(UrlState state) {
  switch (state) {
    case UrlState::kCollected:
      return "collected";
    case UrlState::kQueued:
      return "queued";
    case UrlState::kLeased:
      return "leased";
    case UrlState::kWaiting:
      return "waiting";
    case UrlState::kCompleted:
      return "completed";
    case UrlState::kScheduled:
      return "scheduled";
    case UrlState::kDue:
      return "due";
  }
  return "";
}

// ---- The parts of every call

Status UrlFrontier::Impl::begin(Time now) {
  BB_TRY_VOID(status_);
  BB_TRY_VOID(check_time(now));
  frame_.clear();
  written_.clear();
  touched_.clear();
  changed_ = advance(now);
  if (!options_.folder.empty()) put_signed(frame_, now_);
  return {};
}

Status UrlFrontier::Impl::finish() {
  update_gates();
  BB_TRY_VOID(status_);
  if (options_.folder.empty()) {
    for (const Written& one : written_) set_location(one.page, journal_.keep(one.record));
    return {};
  }
  status_ = urls_->status();
  BB_TRY_VOID(status_);
  if (!changed_) return {};
  const auto at = journal_.append(frame_);
  if (!at.ok()) {
    status_ = at.error();
    return status_;
  }
  for (const Written& one : written_) set_location(one.page, *at + one.position);
  const std::uint64_t grown = std::max(options_.snapshot_bytes, disk_.snapshot_bytes / 2);
  if (journal_.segment_bytes() > grown) BB_TRY_VOID(snapshot());
  return {};
}

// The page of a URL, which becomes known. None: it is rejected.
std::optional<PageId> UrlFrontier::Impl::intern(const UrlInput& input, PutResult& result) {
  const bool canonical = options_.identity == UrlIdentity::kCanonical;
  UrlFault fault = canonical ? canonical_url(input.url, nullptr, url_) : parse_url(input.url, nullptr, url_);
  if (!canonical && fault == UrlFault::kNone && input.url.size() > kLongestGivenUrl)
    fault = UrlFault::kTooLong;
  if (fault != UrlFault::kNone || input.queue.size() > kLongestQueueName) {
    result = {PutOutcome::kRejected,
              fault != UrlFault::kNone ? fault_text(fault) : "the queue's name is too long"};
    ++counts_.rejected;
    return {};
  }
  const std::string_view text = canonical ? std::string_view(url_.text()) : input.url;
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
  decide(UrlAdded{queue_named(input.queue.empty() ? url_.host() : input.queue), std::string(text)});
  if (input.priority != 0) decide(PriorityGiven{page, input.priority});
  return page;
}

QueueId UrlFrontier::Impl::queue_named(std::string_view name) {
  if (const auto id = queues_.find(name)) return *id;
  decide(QueueAdded{std::string(name)});
  return queues_.size() - 1;
}

// kNoPage: not known, or no URL.
PageId UrlFrontier::Impl::find(std::string_view url) {
  std::string_view text = url;
  if (options_.identity == UrlIdentity::kCanonical) {
    if (canonical_url(url, nullptr, url_) != UrlFault::kNone) return kNoPage;
    text = url_.text();
  }
  const PageId page = urls_->find(KnownUrls::fingerprint(text));
  return is_known(page) ? page : kNoPage;
}

void UrlFrontier::Impl::write_record(PageId page, const UrlRecord& record) {
  std::string bytes = record.encode();
  changed_ = true;
  if (options_.folder.empty()) {
    written_.push_back({page, 0, std::move(bytes)});
    return;
  }
  frame_.push_back(static_cast<char>(url_events::number_of<RecordWritten>()));
  put_varint(frame_, page);
  written_.push_back({page, frame_.size(), {}});
  put_string(frame_, bytes);
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
  BB_TRY_VOID(check_size(seeds));
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
        BB_TRY(record, record_of(*page));
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
  BB_TRY_VOID(check_size(links));
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

// begin() has been called; the page is known to the table.
Result<std::vector<PutResult>> UrlFrontier::Impl::complete(PageId page, const Completion& done) {
  // Read first: an error must not leave half of a call.
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
  if (visit_) record.visit = visit_;
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

// ---- The interface

UrlFrontier::UrlFrontier(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
UrlFrontier::~UrlFrontier() = default;

Result<std::unique_ptr<UrlFrontier>> UrlFrontier::open(const UrlFrontierOptions& options) {
  auto impl = std::make_unique<Impl>(options);
  BB_TRY_VOID(impl->open());
  return std::unique_ptr<UrlFrontier>(new UrlFrontier(std::move(impl)));
}

Status UrlFrontier::close() {
  return impl_->close();
}
Status UrlFrontier::commit() {
  return impl_->commit();
}

Result<std::vector<PutResult>> UrlFrontier::add(std::span<const UrlInput> seeds, Time now) {
  return impl_->add(seeds, now);
}
Result<std::vector<PutResult>> UrlFrontier::discover(std::string_view parent, std::span<const UrlInput> links,
                                                     Time now) {
  return impl_->discover(parent, links, now);
}
Result<std::vector<TakenUrl>> UrlFrontier::take(Time now, const TakeOptions& options) {
  return impl_->take(now, options);
}
std::optional<Time> UrlFrontier::next_opening() const {
  return impl_->next_opening();
}

Result<std::vector<PutResult>> UrlFrontier::complete(std::string_view url, const Completion& done, Time now) {
  BB_TRY_VOID(check_size(done.links));
  BB_TRY_VOID(check_size(done.payload ? done.payload->size() : 0));
  BB_TRY_VOID(impl_->begin(now));
  const PageId page = impl_->find(url);
  if (page == kNoPage || !impl_->is_leased(page)) {
    BB_TRY_VOID(impl_->finish());
    if (page == kNoPage) return error("{}: this URL is not known", url);
    return error("{}: this URL is {}; only a URL that was handed out and is not completed can be completed",
                 url, state_name(impl_->state(page)));
  }
  return impl_->complete(page, done);
}

Result<std::vector<PutResult>> UrlFrontier::put_completed(const UrlInput& url, const Completion& done,
                                                          Time now) {
  BB_TRY_VOID(check_size(done.links));
  BB_TRY_VOID(check_size(url.payload ? url.payload->size() : 0));
  BB_TRY_VOID(impl_->begin(now));
  PutResult result;
  const auto page = impl_->intern(url, result);
  if (!page) {
    BB_TRY_VOID(impl_->finish());
    return error("{}: {}", url.url, result.reason);
  }
  Completion with = done;
  if (!with.payload) with.payload = url.payload;
  return impl_->complete(*page, with);
}

Status UrlFrontier::retry(std::string_view url, Time due, Time now) {
  BB_TRY_VOID(check_time(due));
  BB_TRY_VOID(impl_->begin(now));
  const PageId page = impl_->find(url);
  const bool leased = page != kNoPage && impl_->is_leased(page);
  if (leased) impl_->decide(UrlRetried{page, due});
  BB_TRY_VOID(impl_->finish());
  if (leased) return {};
  if (page == kNoPage) return error("{}: this URL is not known", url);
  return error("{}: this URL is {}; only a URL that was handed out can be retried", url,
               state_name(impl_->state(page)));
}

Status UrlFrontier::schedule(std::string_view url, Time due, Time now) {
  BB_TRY_VOID(impl_->begin(now));
  const PageId page = impl_->find(url);
  Status result;
  if (page == kNoPage) {
    result = error("{}: this URL is not known", url);
  } else if (impl_->is_leased(page) || impl_->main_->state(page) != PageState::kDone) {
    result = error("{}: this URL is {}; only a completed URL can be scheduled", url,
                   state_name(impl_->state(page)));
  } else {
    auto record = impl_->record_of(page);
    if (!record.ok()) return record.error();
    record->due = clamp_due(due);
    impl_->write_record(page, *record);
    impl_->decide(UrlScheduled{page, record->due});
  }
  BB_TRY_VOID(impl_->finish());
  return result;
}

Status UrlFrontier::set_priority(std::string_view url, std::int32_t priority, Time now) {
  BB_TRY_VOID(impl_->begin(now));
  const PageId page = impl_->find(url);
  if (page != kNoPage) impl_->decide(PriorityGiven{page, priority});
  BB_TRY_VOID(impl_->finish());
  if (page == kNoPage) return error("{}: this URL is not known", url);
  return {};
}

Status UrlFrontier::set_payload(std::string_view url, std::string_view payload, Time now) {
  BB_TRY_VOID(check_size(payload.size()));
  BB_TRY_VOID(impl_->begin(now));
  const PageId page = impl_->find(url);
  Status result;
  if (page == kNoPage) {
    result = error("{}: this URL is not known", url);
  } else {
    auto record = impl_->record_of(page);
    if (!record.ok()) return record.error();
    record->payload = payload;
    impl_->write_record(page, *record);
  }
  BB_TRY_VOID(impl_->finish());
  return result;
}

Result<bool> UrlFrontier::remove(std::string_view url, Time now) {
  BB_TRY_VOID(impl_->begin(now));
  const PageId page = impl_->find(url);
  if (page != kNoPage) impl_->decide(UrlsRemoved{{page}});
  BB_TRY_VOID(impl_->finish());
  return page != kNoPage;
}

Result<std::uint64_t> UrlFrontier::remove_queue(std::string_view name, Time now) {
  BB_TRY_VOID(impl_->begin(now));
  UrlsRemoved event;
  if (const auto id = impl_->queues_.find(name)) {
    for (PageId page = 0; page < impl_->urls_->size(); ++page) {
      if (impl_->urls_->queue(page) == *id && !impl_->is_removed(page)) event.pages.push_back(page);
    }
  }
  // In pieces that fit into frames. A crash in between leaves the rest of the queue.
  constexpr std::size_t kPiece = 1 << 20;
  for (std::size_t i = 0; i < event.pages.size(); i += kPiece) {
    if (i > 0) {
      BB_TRY_VOID(impl_->finish());
      BB_TRY_VOID(impl_->begin(now));
    }
    const auto first = event.pages.begin() + static_cast<std::ptrdiff_t>(i);
    impl_->decide(
        UrlsRemoved{{first, first + static_cast<std::ptrdiff_t>(std::min(kPiece, event.pages.size() - i))}});
  }
  BB_TRY_VOID(impl_->finish());
  return std::uint64_t{event.pages.size()};
}

Result<bool> UrlFrontier::extend_lease(std::string_view url, Time until, Time now) {
  BB_TRY_VOID(impl_->begin(now));
  const PageId page = impl_->find(url);
  const bool leased = page != kNoPage && impl_->is_leased(page);
  if (leased) impl_->decide(LeaseChanged{page, clamp_due(until)});
  BB_TRY_VOID(impl_->finish());
  return leased;
}

Status UrlFrontier::set_delay(std::string_view queue, Time delay, Time now) {
  if (delay >= kLatestTime) return error("{} ms is not a valid delay", delay);
  BB_TRY_VOID(impl_->begin(now));
  if (queue.empty()) {
    impl_->decide(SettingsChanged{impl_->active_, std::max<Time>(delay, 0)});
  } else {
    QueueChanged event = impl_->settings_of(impl_->queue_named(queue));
    event.delay = std::max<Time>(delay, -1);
    impl_->decide(event);
  }
  return impl_->finish();
}

Status UrlFrontier::block_until(std::string_view queue, Time until, Time now) {
  BB_TRY_VOID(impl_->begin(now));
  QueueChanged event = impl_->settings_of(impl_->queue_named(queue));
  event.blocked_until = clamp_due(until);
  impl_->decide(event);
  return impl_->finish();
}

Status UrlFrontier::set_limit(std::string_view queue, std::uint64_t urls, Time now) {
  BB_TRY_VOID(impl_->begin(now));
  QueueChanged event = impl_->settings_of(impl_->queue_named(queue));
  event.limit = urls;
  impl_->decide(event);
  return impl_->finish();
}

void UrlFrontier::open_queue(std::string_view queue, Time now) {
  const auto id = impl_->queues_.find(queue);
  if (!id || impl_->closed_.held.erase(*id) == 0) return;
  impl_->now_ = std::max(impl_->now_, now);
  impl_->update_gate(*id);
}

Status UrlFrontier::set_active(bool active, Time now) {
  BB_TRY_VOID(impl_->begin(now));
  impl_->decide(SettingsChanged{active, impl_->delay_});
  return impl_->finish();
}

bool UrlFrontier::active() const {
  return impl_->active_;
}
Time UrlFrontier::default_delay() const {
  return impl_->delay_;
}
UrlFrontierStats UrlFrontier::stats() const {
  return impl_->stats();
}
const std::string& UrlFrontier::policy() const {
  return impl_->options_.policy;
}
Time UrlFrontier::now() const {
  return impl_->now_;
}

Result<std::optional<UrlStatus>> UrlFrontier::status(std::string_view url) {
  const PageId page = impl_->find(url);
  if (page == kNoPage) return std::optional<UrlStatus>();
  BB_TRY(UrlStatus made, impl_->describe(page));
  return std::optional<UrlStatus>(std::move(made));
}

Result<std::optional<std::uint64_t>> UrlFrontier::for_each_url(
    std::uint64_t from, std::string_view queue, const std::function<bool(const UrlStatus&)>& visit) {
  std::optional<QueueId> only;
  if (!queue.empty()) {
    only = impl_->queues_.find(queue);
    if (!only) return std::optional<std::uint64_t>();
  }
  for (std::uint64_t i = from; i < impl_->urls_->size(); ++i) {
    const auto page = static_cast<PageId>(i);
    if (impl_->is_removed(page) || (only && impl_->urls_->queue(page) != *only)) continue;
    BB_TRY(const UrlStatus made, impl_->describe(page));
    if (!visit(made)) return std::optional<std::uint64_t>(i + 1);
  }
  return std::optional<std::uint64_t>();
}

void UrlFrontier::for_each_queue(const std::function<bool(const UrlQueue&)>& visit) const {
  for (QueueId id = 0; id < impl_->queues_.size(); ++id) {
    const UrlQueue& queue = impl_->queues_[id];
    const bool has_settings = queue.delay >= 0 || queue.blocked_until > impl_->now_ || queue.limit > 0;
    if (queue.urls == 0 && !has_settings) continue;
    if (!visit(queue)) return;
  }
}

const UrlQueue* UrlFrontier::find_queue(std::string_view queue) const {
  const auto id = impl_->queues_.find(queue);
  return id ? &impl_->queues_[*id] : nullptr;
}

std::vector<std::string> UrlFrontier::take_warnings() {
  std::vector<std::string> all = std::move(impl_->warnings_);
  impl_->warnings_.clear();
  for (std::string& text : impl_->main_->take_troubles()) all.push_back(std::move(text));
  for (std::string& text : impl_->revisits_->due().take_troubles()) all.push_back(std::move(text));
  return all;
}

}  // namespace bowerbird
