// The frontier of the public interface: urlfrontier/url_frontier.h with exceptions.
#include <bowerbird/frontier.h>

#include "library/library.h"
#include "urlfrontier/url_frontier.h"

namespace bowerbird::v1 {

static_assert(Frontier::kNever == milliseconds_of(kForever));

struct Frontier::Impl {
  std::unique_ptr<UrlFrontier> frontier;
};

namespace {

Time time_of(std::int64_t milliseconds) {
  return Time{Duration{milliseconds}};
}
std::optional<std::int64_t> milliseconds_or_none(std::optional<Time> time) {
  return time ? std::optional(milliseconds_of(*time)) : std::nullopt;
}

std::vector<UrlInput> inputs_of(const std::vector<UrlEntry>& entries) {
  std::vector<UrlInput> inputs;
  inputs.reserve(entries.size());
  for (const UrlEntry& entry : entries)
    inputs.push_back({entry.url, entry.queue, entry.payload, entry.weight, entry.priority, entry.follow});
  return inputs;
}

std::vector<Put> puts_of(const std::vector<PutResult>& results) {
  std::vector<Put> puts;
  puts.reserve(results.size());
  for (const PutResult& one : results) {
    puts.push_back(one.outcome == PutOutcome::kNew     ? Put::added
                   : one.outcome == PutOutcome::kKnown ? Put::known
                                                       : Put::rejected);
  }
  return puts;
}

UrlFacts facts_of(const UrlStatus& status) {
  UrlFacts facts;
  facts.url = status.url;
  facts.queue = status.queue;
  facts.payload = status.payload;
  facts.state = std::string(state_name(status.state));
  facts.completed = status.completed;
  facts.score = status.score;
  facts.rank = status.rank;
  facts.priority = status.priority;
  facts.due = milliseconds_or_none(status.due);
  facts.leased_until = milliseconds_or_none(status.leased_until);
  facts.queue_opens = milliseconds_of(status.queue_opens);
  return facts;
}

}  // namespace

Frontier::Frontier(const FrontierOptions& options) : impl_(std::make_unique<Impl>()) {
  UrlFrontierOptions made;
  made.folder = options.folder;
  made.policy = options.policy;
  made.identity = options.canonical ? UrlIdentity::kCanonical : UrlIdentity::kAsGiven;
  made.random_seed = options.random_seed;
  made.expected_pages = options.expected_pages;
  made.memory = options.memory;
  made.durable = options.durable;
  made.delay = Duration{options.delay};
  made.threads = std::max(1u, options.threads);
  impl_->frontier = value_or_throw(UrlFrontier::open(made));
}
Frontier::~Frontier() = default;
Frontier::Frontier(Frontier&&) noexcept = default;
Frontier& Frontier::operator=(Frontier&&) noexcept = default;

std::vector<Put> Frontier::add(const std::vector<UrlEntry>& seeds, std::int64_t now) {
  return puts_of(value_or_throw(impl_->frontier->add(inputs_of(seeds), time_of(now))));
}

std::vector<Put> Frontier::discover(std::string_view parent, const std::vector<UrlEntry>& links,
                                    std::int64_t now) {
  return puts_of(value_or_throw(impl_->frontier->discover(parent, inputs_of(links), time_of(now))));
}

std::vector<NextUrl> Frontier::next_many(std::size_t count, std::int64_t now, std::int64_t lease,
                                         std::size_t per_queue, const Gate& gate) {
  TakeOptions options;
  options.count = count;
  options.lease = Duration{lease};
  options.per_queue = per_queue;
  if (gate) options.gate = [&gate](std::string_view queue) { return time_of(gate(queue)); };
  std::vector<NextUrl> urls;
  for (TakenUrl& one : value_or_throw(impl_->frontier->take(time_of(now), options))) {
    urls.push_back({std::move(one.url), std::move(one.queue), std::move(one.payload), one.score, one.again});
  }
  return urls;
}

std::optional<NextUrl> Frontier::next(std::int64_t now, std::int64_t lease, std::size_t per_queue,
                                      const Gate& gate) {
  std::vector<NextUrl> urls = next_many(1, now, lease, per_queue, gate);
  if (urls.empty()) return std::nullopt;
  return std::move(urls.front());
}

std::optional<std::int64_t> Frontier::next_opening() const {
  return milliseconds_or_none(impl_->frontier->next_opening());
}

std::vector<Put> Frontier::complete(std::string_view url, const std::vector<UrlEntry>& links,
                                    std::int64_t now, std::int64_t due,
                                    std::optional<std::string_view> payload) {
  return puts_of(value_or_throw(
      impl_->frontier->complete(url, {inputs_of(links), time_of(due), payload}, time_of(now))));
}

void Frontier::retry(std::string_view url, std::int64_t due, std::int64_t now) {
  check_or_throw(impl_->frontier->retry(url, time_of(due), time_of(now)));
}
void Frontier::schedule(std::string_view url, std::int64_t due, std::int64_t now) {
  check_or_throw(impl_->frontier->schedule(url, time_of(due), time_of(now)));
}
void Frontier::set_payload(std::string_view url, std::string_view payload, std::int64_t now) {
  check_or_throw(impl_->frontier->set_payload(url, payload, time_of(now)));
}
void Frontier::set_priority(std::string_view url, std::int32_t priority, std::int64_t now) {
  check_or_throw(impl_->frontier->set_priority(url, priority, time_of(now)));
}
bool Frontier::remove(std::string_view url, std::int64_t now) {
  return value_or_throw(impl_->frontier->remove(url, time_of(now)));
}
std::uint64_t Frontier::remove_queue(std::string_view queue, std::int64_t now) {
  return value_or_throw(impl_->frontier->remove_queue(queue, time_of(now)));
}
void Frontier::set_delay(std::string_view queue, std::int64_t delay, std::int64_t now) {
  check_or_throw(impl_->frontier->set_delay(queue, Duration{delay}, time_of(now)));
}
void Frontier::block_until(std::string_view queue, std::int64_t until, std::int64_t now) {
  check_or_throw(impl_->frontier->block_until(queue, time_of(until), time_of(now)));
}
void Frontier::set_limit(std::string_view queue, std::uint64_t urls, std::int64_t now) {
  check_or_throw(impl_->frontier->set_limit(queue, urls, time_of(now)));
}
void Frontier::open_queue(std::string_view queue, std::int64_t now) {
  impl_->frontier->open_queue(queue, time_of(now));
}

std::optional<UrlFacts> Frontier::status(std::string_view url) const {
  const auto status = value_or_throw(impl_->frontier->status(url));
  return status ? std::optional(facts_of(*status)) : std::nullopt;
}

std::optional<std::uint64_t> Frontier::for_each_from(std::uint64_t from,
                                                     const std::function<bool(const UrlFacts&)>& visit,
                                                     std::string_view queue) const {
  return value_or_throw(impl_->frontier->for_each_url(
      from, queue, [&](const UrlStatus& status) { return visit(facts_of(status)); }));
}

FrontierStats Frontier::stats() const {
  const UrlFrontierStats from = impl_->frontier->stats();
  return {from.urls,      from.queues,    from.collected, from.queued, from.in_process,
          from.completed, from.scheduled, from.due,       from.links,  from.links_without_parent,
          from.rejected,  from.expired,   from.deleted,   from.memory, from.journal_bytes,
          from.spilled};
}

std::string Frontier::policy() const {
  return impl_->frontier->policy();
}
std::int64_t Frontier::now() const {
  return milliseconds_of(impl_->frontier->now());
}
void Frontier::commit() {
  check_or_throw(impl_->frontier->commit());
}
void Frontier::close() {
  check_or_throw(impl_->frontier->close());
}

}  // namespace bowerbird::v1
