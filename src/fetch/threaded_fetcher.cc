#include "fetch/threaded_fetcher.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>
#include <utility>

#include "base/keyed_hash.h"
#include "fetch/http_fetcher.h"

namespace bowerbird {

namespace {

constexpr int kWaitMs = 1000;
// How soon a transfer that waits for room tries again.
constexpr int kRoomWaitMs = 5;
// Requests that are passed on without waiting for poll().
constexpr std::size_t kMostCollected = 64;

// Host and port of a URL.
std::string_view authority_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == url.npos) return url;
  url.remove_prefix(scheme + 3);
  return url.substr(0, url.find('/'));
}

}  // namespace

class ThreadedFetcher::Worker {
 public:
  Worker(ThreadedFetcher& owner, std::unique_ptr<HttpFetcher> fetcher)
      : owner_(owner), fetcher_(std::move(fetcher)) {
    thread_ = std::thread([this] { work(); });
  }
  ~Worker() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    fetcher_->wake();
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void start(FetchRequest request) {
    collected_.push_back(std::move(request));
    if (collected_.size() >= kMostCollected) flush();
  }
  // Passes the collected requests to the thread.
  void flush() {
    if (collected_.empty()) return;
    bool first;
    {
      const std::lock_guard lock(mutex_);
      first = requests_.empty();
      std::ranges::move(collected_, std::back_inserter(requests_));
    }
    collected_.clear();
    if (first) fetcher_->wake();
  }
  void cancel(std::uint64_t id) {
    flush();
    {
      const std::lock_guard lock(mutex_);
      cancelled_.push_back(id);
    }
    fetcher_->wake();
  }
  // Returns when the thread holds no request.
  void cancel_all() {
    collected_.clear();
    std::unique_lock lock(mutex_);
    requests_.clear();
    cancelled_.clear();
    cancel_all_ = true;
    fetcher_->wake();
    cancelled_all_.wait(lock, [this] { return !cancel_all_; });
  }
  void limit_idle(std::uint64_t bytes) { idle_limit_.store(bytes, std::memory_order_relaxed); }
  std::uint64_t body_bytes() const { return body_bytes_.load(std::memory_order_relaxed); }

 private:
  void work() {
    std::vector<FetchOutcome> done;
    while (take_commands()) {
      limit();
      fetcher_->poll(done, fetcher_->waits_for_room() ? kRoomWaitMs : kWaitMs);
      body_bytes_.store(fetcher_->body_bytes(), std::memory_order_relaxed);
      if (!done.empty()) owner_.deliver(done);
    }
  }

  // False: the thread is to end.
  bool take_commands() {
    std::vector<FetchRequest> requests;
    std::vector<std::uint64_t> cancelled;
    {
      const std::lock_guard lock(mutex_);
      if (stop_) return false;
      if (cancel_all_) {
        fetcher_->cancel_all();
        body_bytes_.store(0, std::memory_order_relaxed);
        cancel_all_ = false;
        cancelled_all_.notify_one();
      }
      requests.swap(requests_);
      cancelled.swap(cancelled_);
    }
    for (FetchRequest& request : requests) fetcher_->start(std::move(request));
    for (const std::uint64_t id : cancelled) fetcher_->cancel(id);
    return true;
  }

  void limit() {
    const std::uint64_t idle = idle_limit_.load(std::memory_order_relaxed);
    if (idle != idle_limited_) fetcher_->limit_idle(idle_limited_ = idle);
    const std::uint64_t share = owner_.body_share();
    if (share == 0) {
      fetcher_->limit_bodies(0, true);
      return;
    }
    const Worker* nobody = nullptr;
    bool ahead = owner_.ahead_.load() == this;
    if (ahead && !fetcher_->waits_for_room() && !fetcher_->exceeds_room()) {
      owner_.ahead_.store(nullptr);
      ahead = false;
    } else if (!ahead && fetcher_->waits_for_room()) {
      ahead = owner_.ahead_.compare_exchange_strong(nobody, this);
    }
    fetcher_->limit_bodies(share, ahead && owner_.one_more_.load(std::memory_order_relaxed));
  }

  static constexpr std::uint64_t kUnset = ~std::uint64_t{0};

  ThreadedFetcher& owner_;
  std::unique_ptr<HttpFetcher> fetcher_;
  std::vector<FetchRequest> collected_;  // of the owner's thread
  std::mutex mutex_;
  std::condition_variable cancelled_all_;
  std::vector<FetchRequest> requests_;
  std::vector<std::uint64_t> cancelled_;
  bool cancel_all_ = false;
  bool stop_ = false;
  std::atomic<std::uint64_t> idle_limit_ = kUnset;
  std::uint64_t idle_limited_ = kUnset;
  std::atomic<std::uint64_t> body_bytes_ = 0;
  std::thread thread_;
};

Result<std::unique_ptr<ThreadedFetcher>> ThreadedFetcher::make(const FetcherOptions& options) {
  FetcherOptions part = options;
  part.idle_connections = std::max<std::size_t>(1, options.idle_connections / options.threads);
  part.idle_bytes /= options.threads;
  BB_TRY(const std::shared_ptr<TlsClient> tls, HttpFetcher::make_tls(options));
  std::vector<std::unique_ptr<HttpFetcher>> fetchers(options.threads);
  for (auto& fetcher : fetchers) {
    BB_TRY(fetcher, HttpFetcher::make(part, tls));
  }
  std::unique_ptr<ThreadedFetcher> made(new ThreadedFetcher(options));
  for (auto& fetcher : fetchers)
    made->workers_.push_back(std::make_unique<Worker>(*made, std::move(fetcher)));
  return made;
}

ThreadedFetcher::ThreadedFetcher(const FetcherOptions& options) : text_(options), threads_(options.threads) {}

ThreadedFetcher::~ThreadedFetcher() {
  workers_.clear();
}

void ThreadedFetcher::start(FetchRequest request) {
  ++active_;
  const std::uint64_t hash = keyed_hash(authority_of(request.url));
  workers_[hash % workers_.size()]->start(std::move(request));
}

void ThreadedFetcher::poll(std::vector<FetchOutcome>& done, int wait_ms) {
  for (const auto& worker : workers_) worker->flush();
  std::vector<FetchOutcome> taken;
  {
    std::unique_lock lock(mutex_);
    const auto any = [this] { return woken_ || !outcomes_.empty(); };
    if (wait_ms < 0) {
      changed_.wait(lock, any);
    } else if (wait_ms > 0) {
      changed_.wait_for(lock, std::chrono::milliseconds(wait_ms), any);
    }
    woken_ = false;
    taken.swap(outcomes_);
    outcome_bytes_.store(0, std::memory_order_relaxed);
  }
  active_ -= taken.size();
  if (done.empty()) {
    done.swap(taken);
  } else {
    std::ranges::move(taken, std::back_inserter(done));
  }
}

void ThreadedFetcher::deliver(std::vector<FetchOutcome>& outcomes) {
  bool first;
  {
    const std::lock_guard lock(mutex_);
    first = outcomes_.empty();
    std::uint64_t bytes = 0;
    for (FetchOutcome& outcome : outcomes) {
      bytes += outcome.body.size();
      outcomes_.push_back(std::move(outcome));
    }
    outcome_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }
  outcomes.clear();
  if (first) changed_.notify_one();
}

void ThreadedFetcher::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  changed_.notify_one();
}

void ThreadedFetcher::cancel(std::uint64_t id) {
  for (const auto& worker : workers_) worker->cancel(id);
}

void ThreadedFetcher::cancel_all() {
  for (const auto& worker : workers_) worker->cancel_all();
  const std::lock_guard lock(mutex_);
  outcomes_.clear();
  outcome_bytes_.store(0, std::memory_order_relaxed);
  active_ = 0;
}

// ---- limits

void ThreadedFetcher::limit_bodies(std::uint64_t bytes, bool one_more) {
  body_limit_.store(bytes, std::memory_order_relaxed);
  one_more_.store(one_more, std::memory_order_relaxed);
}

std::uint64_t ThreadedFetcher::body_share() const {
  const std::uint64_t limit = body_limit_.load(std::memory_order_relaxed);
  if (limit == 0) return 0;
  const std::uint64_t used = outcome_bytes_.load(std::memory_order_relaxed);
  return std::max<std::uint64_t>(1, (limit - std::min(limit, used)) / threads_);
}

std::uint64_t ThreadedFetcher::body_bytes() const {
  std::uint64_t bytes = outcome_bytes_.load(std::memory_order_relaxed);
  for (const auto& worker : workers_) bytes += worker->body_bytes();
  return bytes;
}

void ThreadedFetcher::limit_idle(std::uint64_t bytes) {
  for (const auto& worker : workers_) worker->limit_idle(bytes / workers_.size());
}

}  // namespace bowerbird
