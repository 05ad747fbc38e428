#include "service.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <unordered_set>

#include "base/ascii.h"
#include "messages.h"
#include "urlfrontier/put_urls.h"

namespace bowerbird {

namespace {

using namespace urlfrontier;  // its messages

constexpr std::uint32_t kDefaultList = 100;
constexpr std::uint32_t kDefaultLease = 30;  // seconds
constexpr std::size_t kMostUrls = 100'000;   // per GetURLs
constexpr std::size_t kPiece = 1000;         // number of URLs read while the lock is held
constexpr std::uint64_t kDay = 24 * 60 * 60;

grpc::Status wrong(const std::string& text) {
  return {grpc::StatusCode::INVALID_ARGUMENT, text};
}

// For calls that change the settings of a queue, which are kept.
grpc::Status check_key(const std::string& key) {
  if (key.empty()) return wrong("give the key of the queue");
  if (key.size() > kLongestKey)
    return wrong(fmt::format("a key of {} bytes is too long: at most {}", key.size(), kLongestKey));
  return grpc::Status::OK;
}

// Selects URLs that contain a substring.
class Filter {
 public:
  Filter(std::string text, bool ignore_case) : text_(std::move(text)), ignore_case_(ignore_case) {
    if (ignore_case_) lower(text_);
  }
  bool matches(const std::string& url) const {
    if (text_.empty()) return true;
    if (!ignore_case_) return url.find(text_) != std::string::npos;
    std::string small = url;
    lower(small);
    return small.find(text_) != std::string::npos;
  }
  bool empty() const { return text_.empty(); }

 private:
  static void lower(std::string& text) {
    for (char& c : text) c = ascii_lower(c);
  }
  std::string text_;
  bool ignore_case_;
};

}  // namespace

void FrontierService::log(LogLevelParams::Level level, std::string_view text) const {
  if (level < level_.load(std::memory_order_relaxed)) return;
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char time[32];
  std::strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%SZ", &parts);
  const std::string name = LogLevelParams::Level_Name(level);
  std::fprintf(stderr, "%s %s %.*s\n", time, name.c_str(), static_cast<int>(text.size()), text.data());
}

grpc::Status FrontierService::failed(const Error& error) const {
  log(LogLevelParams::ERROR, error.text);
  return {grpc::StatusCode::INTERNAL, error.text};
}

grpc::Status FrontierService::change(const std::string& name, const Change& change) {
  if (!is_crawl_name(crawl_name(name)))
    return wrong(fmt::format("a crawl ID of {} bytes is too long", name.size()));
  const Time now = wall_time();
  const auto crawl = crawls_.find_or_make(crawl_name(name), now);
  if (!crawl.ok()) return {grpc::StatusCode::RESOURCE_EXHAUSTED, crawl.error().text};
  const MutexLock lock((*crawl)->mutex);
  UrlFrontier* const frontier = (*crawl)->frontier.get();
  if (frontier == nullptr) return {grpc::StatusCode::ABORTED, "the crawl was deleted meanwhile"};
  if (const Status done = change(*frontier, now); !done.ok()) return failed(done.error());
  if (const Status done = frontier->commit(); !done.ok()) return failed(done.error());
  for (const std::string& warning : frontier->take_warnings()) log(LogLevelParams::WARN, warning);
  return Done::OK;
}

grpc::Status FrontierService::each_url(Context& context, ServedCrawl& crawl, const std::string& queue,
                                       const std::function<bool(const UrlStatus&)>& visit) {
  std::uint64_t from = 0;
  bool more = true;
  while (more) {
    if (context.IsCancelled()) return {grpc::StatusCode::CANCELLED, "the client is gone"};
    const MutexLock lock(crawl.mutex);
    if (crawl.frontier == nullptr) break;
    std::size_t seen = 0;
    const auto next = crawl.frontier->for_each_url(from, queue, [&](const UrlStatus& status) {
      more = visit(status);
      return more && ++seen < kPiece;
    });
    if (!next.ok()) return failed(next.error());
    if (!*next) break;
    from = **next;
  }
  return Done::OK;
}

// ---- The service and its crawls

grpc::Status FrontierService::ListNodes(Context*, const Empty*, StringList* answer) {
  const MutexLock lock(mutex_);
  answer->add_values(address_);
  return Done::OK;
}

grpc::Status FrontierService::ListCrawls(Context*, const Local*, StringList* answer) {
  for (const auto& crawl : crawls_.all()) answer->add_values(crawl->name);
  return Done::OK;
}

grpc::Status FrontierService::DeleteCrawl(Context*, const DeleteCrawlMessage* asked, Long* answer) {
  const auto removed = crawls_.remove(crawl_name(asked->value()));
  if (!removed.ok()) return failed(removed.error());
  log(LogLevelParams::INFO, fmt::format("crawl {} deleted, {} URLs", crawl_name(asked->value()), *removed));
  answer->set_value(*removed);
  return Done::OK;
}

grpc::Status FrontierService::SetActive(Context*, const Active* asked, urlfrontier::Empty*) {
  const Status done = crawls_.set_active(asked->state(), wall_time());
  return done.ok() ? Done::OK : failed(done.error());
}

grpc::Status FrontierService::GetActive(Context*, const Local*, Boolean* answer) {
  answer->set_state(crawls_.active());
  return Done::OK;
}

grpc::Status FrontierService::SetLogLevel(Context*, const LogLevelParams* asked, urlfrontier::Empty*) {
  if (!LogLevelParams::Level_IsValid(asked->level()))
    return wrong(fmt::format("{} is no level: 0 to 4", static_cast<int>(asked->level())));
  level_ = asked->level();
  return Done::OK;
}

// ---- Queues

grpc::Status FrontierService::ListQueues(Context*, const Pagination* asked, QueueList* answer) {
  answer->set_start(asked->start());
  answer->set_crawlid(crawl_name(asked->crawlid()));
  const auto crawl = crawls_.find(answer->crawlid());
  if (crawl == nullptr) return Done::OK;
  const std::uint64_t size = asked->size() == 0 ? kDefaultList : asked->size();
  const Time now = wall_time();
  std::uint64_t total = 0;
  const MutexLock lock(crawl->mutex);
  if (crawl->frontier == nullptr) return Done::OK;
  crawl->frontier->for_each_queue([&](const UrlQueue& queue) {
    if (!asked->include_inactive() && (queue.open() == 0 || queue.blocked_until > now)) return true;
    if (total >= asked->start() && total - asked->start() < size) answer->add_values(queue.name);
    ++total;
    return true;
  });
  answer->set_total(total);
  answer->set_size(static_cast<std::uint32_t>(answer->values_size()));
  return Done::OK;
}

grpc::Status FrontierService::DeleteQueue(Context*, const QueueWithinCrawlParams* asked, Long* answer) {
  if (asked->key().empty()) return wrong("give the key of the queue");
  if (crawls_.find(crawl_name(asked->crawlid())) == nullptr) return Done::OK;
  return change(asked->crawlid(), [&](UrlFrontier& frontier, Time now) -> Status {
    BB_TRY(const std::uint64_t removed, frontier.remove_queue(asked->key(), now));
    answer->set_value(removed);
    return {};
  });
}

grpc::Status FrontierService::BlockQueueUntil(Context*, const BlockQueueParams* asked, urlfrontier::Empty*) {
  if (Done key = check_key(asked->key()); !key.ok()) return key;
  return change(asked->crawlid(), [&](UrlFrontier& frontier, Time now) {
    return frontier.block_until(asked->key(), time_of_seconds(asked->time()), now);
  });
}

grpc::Status FrontierService::SetDelay(Context*, const QueueDelayParams* asked, urlfrontier::Empty*) {
  const Duration delay = std::chrono::seconds{asked->delay_requestable()};
  if (asked->key().empty()) {
    const Status done = crawls_.set_delay(delay, wall_time());
    return done.ok() ? Done::OK : failed(done.error());
  }
  if (Done key = check_key(asked->key()); !key.ok()) return key;
  return change(asked->crawlid(), [&](UrlFrontier& frontier, Time now) {
    return frontier.set_delay(asked->key(), delay, now);
  });
}

grpc::Status FrontierService::SetCrawlLimit(Context*, const CrawlLimitParams* asked, urlfrontier::Empty*) {
  if (Done key = check_key(asked->key()); !key.ok()) return key;
  return change(asked->crawlid(), [&](UrlFrontier& frontier, Time now) {
    return frontier.set_limit(asked->key(), asked->limit(), now);
  });
}

grpc::Status FrontierService::GetStats(Context*, const QueueWithinCrawlParams* asked, Stats* answer) {
  answer->set_crawlid(crawl_name(asked->crawlid()));
  const auto crawl = crawls_.find(answer->crawlid());
  if (crawl == nullptr) return Done::OK;
  const MutexLock lock(crawl->mutex);
  if (crawl->frontier == nullptr) return Done::OK;
  std::uint64_t size = 0, in_process = 0, queues = 0, active = 0, completed = 0;
  const auto add = [&](const UrlQueue& queue) {
    size += queue.open();
    in_process += queue.in_process;
    completed += queue.completed;
    ++queues;
    active += queue.open() > 0 ? 1 : 0;
    return true;
  };
  if (asked->key().empty()) {
    crawl->frontier->for_each_queue(add);
  } else if (const UrlQueue* const queue = crawl->frontier->find_queue(asked->key())) {
    add(*queue);
  }
  answer->set_size(size);
  answer->set_inprocess(static_cast<std::uint32_t>(in_process));
  answer->set_numberofqueues(queues);
  auto& counts = *answer->mutable_counts();
  counts["completed"] = completed;
  counts["active_queues"] = active;
  if (!asked->key().empty()) return Done::OK;
  const UrlFrontierStats stats = crawl->frontier->stats();
  counts["urls"] = stats.urls;
  counts["collected"] = stats.collected;
  counts["scheduled"] = stats.scheduled;
  counts["due"] = stats.due;
  counts["links"] = stats.links;
  counts["links_without_parent"] = stats.links_without_parent;
  counts["links_without_parent_percent"] =
      stats.links == 0 ? 0 : std::min<std::uint64_t>(100, stats.links_without_parent * 100 / stats.links);
  counts["rejected"] = stats.rejected;
  counts["expired"] = stats.expired;
  counts["deleted"] = stats.deleted;
  counts["memory_bytes"] = stats.memory;
  counts["disk_bytes"] = stats.journal_bytes;
  counts["spilled"] = stats.spilled;
  return Done::OK;
}

// ---- Taking and listing URLs

std::vector<TakenUrl> FrontierService::take(ServedCrawl& crawl, const TakeOptions& options, Time now,
                                            Done& done) {
  const MutexLock lock(crawl.mutex);
  if (crawl.frontier == nullptr) return {};
  auto taken = crawl.frontier->take(now, options);
  if (!taken.ok()) {
    done = failed(taken.error());
    return {};
  }
  if (const Status committed = crawl.frontier->commit(); !committed.ok()) done = failed(committed.error());
  for (const std::string& warning : crawl.frontier->take_warnings()) log(LogLevelParams::WARN, warning);
  return std::move(*taken);
}

grpc::Status FrontierService::GetURLs(Context* context, const GetParams* asked,
                                      grpc::ServerWriter<URLInfo>* writer) {
  const std::size_t per_queue = asked->max_urls_per_queue() == 0 ? kMostUrls : asked->max_urls_per_queue();
  std::size_t queues = asked->max_queues();
  std::size_t left = queues == 0 || queues > kMostUrls
                         ? kMostUrls
                         : std::min(kMostUrls, queues * std::min(per_queue, kMostUrls));
  std::vector<std::shared_ptr<ServedCrawl>> from;
  if (asked->has_anycrawlid()) {
    from = crawls_.all();
    if (!from.empty())
      std::rotate(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(turn_++ % from.size()),
                  from.end());
  } else if (const auto crawl = crawls_.find(crawl_name(asked->crawlid()))) {
    from.push_back(crawl);
  }
  TakeOptions options;
  options.per_queue = per_queue;
  options.lease =
      std::chrono::seconds{asked->delay_requestable() == 0 ? kDefaultLease : asked->delay_requestable()};
  options.queue = asked->key();
  for (const auto& crawl : from) {
    options.count = left;
    options.queues = queues;
    Done done = Done::OK;
    const std::vector<TakenUrl> urls = take(*crawl, options, wall_time(), done);
    if (!done.ok()) return done;
    std::unordered_set<std::string_view> seen;
    for (const TakenUrl& url : urls) {
      URLInfo info;
      fill_info(url.url, url.queue, url.payload, crawl->name, info);
      if (!writer->Write(info)) return {grpc::StatusCode::CANCELLED, "the client is gone"};
      seen.insert(url.queue);
    }
    left -= urls.size();
    if (left == 0 || context->IsCancelled()) break;
    if (queues > 0) {
      if (seen.size() >= queues) break;
      queues -= seen.size();
    }
  }
  return Done::OK;
}

grpc::Status FrontierService::GetURLStatus(Context*, const URLStatusRequest* asked, URLItem* answer) {
  if (default_key(asked->url()).empty()) return wrong("this is no URL");
  const grpc::Status unknown(grpc::StatusCode::NOT_FOUND, "this URL is not known");
  const std::string& name = crawl_name(asked->crawlid());
  const auto crawl = crawls_.find(name);
  if (crawl == nullptr) return unknown;
  const MutexLock lock(crawl->mutex);
  if (crawl->frontier == nullptr) return unknown;
  const auto status = crawl->frontier->status(asked->url());
  if (!status.ok()) return failed(status.error());
  if (!*status || (!asked->key().empty() && (*status)->queue != asked->key())) return unknown;
  fill_item(**status, name, *answer);
  return Done::OK;
}

grpc::Status FrontierService::ListURLs(Context* context, const ListUrlParams* asked,
                                       grpc::ServerWriter<URLItem>* writer) {
  const std::string& name = crawl_name(asked->crawlid());
  const auto crawl = crawls_.find(name);
  if (crawl == nullptr) return Done::OK;
  const Filter filter(asked->filter(), asked->ignorecase());
  const std::uint64_t size = asked->size() == 0 ? kDefaultList : asked->size();
  std::uint64_t found = 0, sent = 0;
  // Sent without holding the lock: a slow client must not block others.
  std::vector<URLItem> items;
  bool gone = false;
  const auto send = [&] {
    for (const URLItem& item : items) gone = gone || !writer->Write(item);
    items.clear();
  };
  std::uint64_t from = 0;
  bool more = true;
  while (more && !gone && !context->IsCancelled()) {
    {
      const MutexLock lock(crawl->mutex);
      if (crawl->frontier == nullptr) break;
      std::size_t seen = 0;
      const auto next = crawl->frontier->for_each_url(from, asked->key(), [&](const UrlStatus& status) {
        if (filter.matches(status.url) && found++ >= asked->start()) {
          fill_item(status, name, items.emplace_back());
          more = ++sent < size;
        }
        return more && ++seen < kPiece;
      });
      if (!next.ok()) return failed(next.error());
      more = more && next->has_value();
      if (*next) from = **next;
    }
    send();
  }
  return Done::OK;
}

grpc::Status FrontierService::CountURLs(Context* context, const CountUrlParams* asked, Long* answer) {
  const auto crawl = crawls_.find(crawl_name(asked->crawlid()));
  if (crawl == nullptr) return Done::OK;
  const Filter filter(asked->filter(), asked->ignorecase());
  if (filter.empty()) {
    const MutexLock lock(crawl->mutex);
    if (crawl->frontier == nullptr) return Done::OK;
    const UrlQueue* const queue = crawl->frontier->find_queue(asked->key());
    answer->set_value(asked->key().empty() ? crawl->frontier->stats().urls
                      : queue == nullptr   ? 0
                                           : queue->urls);
    return Done::OK;
  }
  std::uint64_t count = 0;
  const Done done = each_url(*context, *crawl, asked->key(), [&](const UrlStatus& status) {
    count += filter.matches(status.url) ? 1 : 0;
    return true;
  });
  answer->set_value(count);
  return done;
}

grpc::Status FrontierService::PurgeURLs(Context* context, const PurgeUrlParams* asked, Long* answer) {
  const auto crawl = crawls_.find(crawl_name(asked->crawlid()));
  if (crawl == nullptr) return Done::OK;
  const auto now = static_cast<std::uint64_t>(milliseconds_of(wall_time()) / 1000);
  const std::uint64_t age = asked->days() * kDay;
  std::vector<std::string> old;
  const Done done = each_url(*context, *crawl, asked->key(), [&](const UrlStatus& status) {
    const std::uint64_t created = created_of(status.payload);
    if (created > 0 && created + age < now) old.push_back(status.url);
    return true;
  });
  if (!done.ok()) return done;
  std::uint64_t removed = 0;
  for (std::size_t i = 0; i < old.size(); i += kPiece) {
    const Done piece = change(asked->crawlid(), [&](UrlFrontier& frontier, Time time) -> Status {
      for (std::size_t j = i; j < std::min(old.size(), i + kPiece); ++j) {
        BB_TRY(const bool gone, frontier.remove(old[j], time));
        removed += gone ? 1 : 0;
      }
      return {};
    });
    if (!piece.ok()) return piece;
  }
  answer->set_value(removed);
  return Done::OK;
}

}  // namespace bowerbird
