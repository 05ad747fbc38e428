// A thread for slow jobs that do not need the crawl's thread: reading the journal, writing the report.
//
// One job runs at a time, and a few may wait. The destructor waits for the current job. Threads: add()
// from any.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <thread>

#include "base/thread_annotations.h"

namespace bowerbird {

class Helper {
 public:
  static constexpr std::size_t kFewWaiting = 4;    // for jobs that take minutes
  static constexpr std::size_t kManyWaiting = 64;  // for quick jobs

  explicit Helper(std::size_t most_waiting = kFewWaiting)
      : most_waiting_(most_waiting), thread_([this] { work(); }) {}
  ~Helper() {
    {
      const MutexLock lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  // False: too many jobs wait.
  bool add(std::function<void()> job) {
    {
      const MutexLock lock(mutex_);
      if (ended_ || jobs_.size() >= most_waiting_) return false;
      jobs_.push_back(std::move(job));
    }
    changed_.notify_all();
    return true;
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> job;
      {
        MutexLock lock(mutex_);
        while (!ended_ && jobs_.empty()) changed_.wait_for(mutex_, std::chrono::seconds(10));
        if (ended_) return;
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      job();
    }
  }

  const std::size_t most_waiting_;
  Mutex mutex_;
  Condition changed_;
  std::deque<std::function<void()>> jobs_ GUARDED_BY(mutex_);
  bool ended_ GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace bowerbird
