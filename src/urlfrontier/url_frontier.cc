#include "urlfrontier/url_frontier.h"

#include <algorithm>
#include <cmath>

#include "urlfrontier/call_limits.h"
#include "urlfrontier/url_frontier_impl.h"

namespace bowerbird {

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
  BB_TRY_VOID(check_call_size(done.links));
  BB_TRY_VOID(check_call_size(done.payload ? done.payload->size() : 0));
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
  BB_TRY_VOID(check_call_size(done.links));
  BB_TRY_VOID(check_call_size(url.payload ? url.payload->size() : 0));
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
  BB_TRY_VOID(check_call_size(payload.size()));
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

Status UrlFrontier::set_delay(std::string_view queue, Duration delay, Time now) {
  BB_TRY_VOID(check_queue_name(queue));
  if (delay >= kLatestTime.time_since_epoch()) return error("{} ms is not a valid delay", delay.count());
  BB_TRY_VOID(impl_->begin(now));
  if (queue.empty()) {
    impl_->decide(SettingsChanged{impl_->active_, std::max<Duration>(delay, 0ms)});
  } else {
    QueueChanged event = impl_->settings_of(impl_->queue_named(queue));
    event.delay = std::max<Duration>(delay, -1ms);
    impl_->decide(event);
  }
  return impl_->finish();
}

Status UrlFrontier::block_until(std::string_view queue, Time until, Time now) {
  BB_TRY_VOID(check_queue_name(queue));
  BB_TRY_VOID(impl_->begin(now));
  QueueChanged event = impl_->settings_of(impl_->queue_named(queue));
  event.blocked_until = clamp_due(until);
  impl_->decide(event);
  return impl_->finish();
}

Status UrlFrontier::set_limit(std::string_view queue, std::uint64_t urls, Time now) {
  BB_TRY_VOID(check_queue_name(queue));
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
Duration UrlFrontier::default_delay() const {
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
    const bool has_settings = queue.delay >= 0ms || queue.blocked_until > impl_->now_ || queue.limit > 0;
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
