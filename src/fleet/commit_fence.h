// Keeps a process from committing when it may have lost its partitions.
//
// Problem: between the decision to commit and the commit itself a process may be suspended, or its disk may
// hang, for longer than its lease. Meanwhile another process has read its folder as of the last commit. What
// is committed later is lost or fetched twice. Therefore the writer of the crawl calls wait() right before it
// writes a commit: it returns when the lease is held, with an error when it is lost for good. Ownership:
// shared by the lease and the writer, whichever ends first. Threads: any; wait() blocks.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "sys/clock.h"

namespace bowerbird {

class CommitFence {
 public:
  explicit CommitFence(const Clock& clock) : clock_(clock) {}

  // The lease is held until then, by our clock.
  void hold_until(std::int64_t ms);
  bool held() const;
  // How often the lease has expired and was acquired again.
  std::uint64_t lapses() const;
  // The lease is lost for good; the first reason counts.
  void lose(const std::string& why);
  // From now on wait() fails at once if the lease is not held: the process ends.
  void end_waiting();
  Status wait() const;

 private:
  bool is_held() const REQUIRES(mutex_) { return lost_.empty() && clock_.now_us() / 1000 < until_ms_; }

  const Clock& clock_;
  mutable Mutex mutex_;
  mutable Condition changed_;
  std::int64_t until_ms_ GUARDED_BY(mutex_) = 0;
  std::uint64_t lapses_ GUARDED_BY(mutex_) = 0;
  bool ending_ GUARDED_BY(mutex_) = false;
  std::string lost_ GUARDED_BY(mutex_);
};

}  // namespace bowerbird
