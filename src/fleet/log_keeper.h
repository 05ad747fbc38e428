// Appends our commits to our log, in a thread of its own.
//
// The crawl says which commit is on disk and asks which one is in the log; it never waits for the broker. The
// first commits are those that were in the folder at the start. Threads: any.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "base/thread_annotations.h"
#include "fleet/names.h"
#include "fleet/state_log.h"
#include "sys/clock.h"

namespace bowerbird {

class LogKeeper {
 public:
  struct Listener {
    std::function<void()> accepted;
    std::function<void(const std::string& why)> lost;  // the log is no longer ours
  };
  // restored: the last commit in the folder at the start.
  LogKeeper(Bus& bus, const MemberLog& log, const std::string& member, const std::string& folder,
            std::uint64_t restored, const Clock& clock, Listener listener);
  ~LogKeeper() { stop(); }
  LogKeeper(const LogKeeper&) = delete;
  LogKeeper& operator=(const LogKeeper&) = delete;

  // The folder is ours, and has the restored commit.
  void begin();
  void committed(std::uint64_t number);
  // None: the log does not have the restored commit yet.
  std::optional<std::uint64_t> accepted() const;
  // Waits until all commits are in the log, or this time is over.
  void wait(std::int64_t ms);
  LogLag lag() const;
  void stop();

 private:
  void run();
  bool pause();
  bool wait_for_commit(std::uint64_t& target);

  const Clock& clock_;
  const Listener listener_;
  StateLog log_;
  mutable Mutex mutex_;
  mutable Condition changed_;
  std::uint64_t target_ GUARDED_BY(mutex_);
  std::optional<std::uint64_t> accepted_ GUARDED_BY(mutex_);
  std::int64_t behind_since_us_ GUARDED_BY(mutex_) = 0;
  bool stopped_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace bowerbird
