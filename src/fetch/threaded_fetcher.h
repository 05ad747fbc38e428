// Several fetchers as one, each in a thread of its own: TLS takes more CPU time than the rest of a crawl.
//
// A host always belongs to the same thread, which keeps its connections, TLS sessions and addresses.
// Requests and outcomes are passed in batches, so that a wake-up of a thread covers many of them: start()
// only collects, poll() passes on. Limits are divided evenly among the threads; only one of them at a time
// may exceed the limit of bodies (one_more). Ownership: owns the fetchers and threads. Invariant: as for
// every Fetcher; after cancel_all() the threads have no requests left. Threads: as for every Fetcher.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "fetch/fetcher.h"
#include "fetch/fetcher_options.h"
#include "fetch/request_text.h"

namespace bowerbird {

class ThreadedFetcher final : public Fetcher {
 public:
  // options.threads: at least 1.
  static Result<std::unique_ptr<ThreadedFetcher>> make(const FetcherOptions& options);
  ~ThreadedFetcher() override;
  ThreadedFetcher(const ThreadedFetcher&) = delete;
  ThreadedFetcher& operator=(const ThreadedFetcher&) = delete;

  void start(FetchRequest request) override;
  void poll(std::vector<FetchOutcome>& done, int wait_ms) override;
  std::size_t active() const override { return active_; }
  void cancel(std::uint64_t id) override;
  void cancel_all() override;
  void limit_bodies(std::uint64_t bytes, bool one_more) override;
  std::uint64_t body_bytes() const override;
  void limit_idle(std::uint64_t bytes) override;
  void wake() override;
  std::string request_text(const FetchRequest& request) const override { return text_.of(request); }

 private:
  class Worker;

  explicit ThreadedFetcher(const FetcherOptions& options);
  // Called by the threads.
  void deliver(std::vector<FetchOutcome>& outcomes);
  // What bodies may take in one thread; 0: no limit.
  std::uint64_t body_share() const;

  RequestText text_;
  unsigned threads_;
  std::size_t active_ = 0;  // started, and not returned by poll()
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<FetchOutcome> outcomes_;
  bool woken_ = false;
  std::atomic<std::uint64_t> outcome_bytes_ = 0;  // bodies in outcomes_
  std::atomic<std::uint64_t> body_limit_ = 0;
  std::atomic<bool> one_more_ = true;
  std::atomic<const Worker*> ahead_ = nullptr;  // the one that may exceed its share
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace bowerbird
