// Whether a process still works: its commits reach the disk, and its crawl's thread runs.
//
// Problem: the lease is renewed by a thread of its own. If the disk hangs, that thread would keep the
// partitions of a process that can do nothing with them. So the lease is renewed only while this says that
// the process works. The limits are far above what a slow disk or a long step takes, because a process that
// loses its lease cannot return. Times are in ms. Threads: any.
#pragma once

#include <cstdint>

#include "base/thread_annotations.h"

namespace bowerbird {

class StallWatch {
 public:
  static constexpr std::int64_t kCommitMs = 120'000;
  static constexpr std::int64_t kStepMs = 600'000;

  void commit_requested(std::int64_t now) {
    const MutexLock lock(mutex_);
    if (requested_ == kNone) requested_ = now;
  }
  void commit_durable() {
    const MutexLock lock(mutex_);
    requested_ = kNone;
  }
  // The crawl's thread has done a step.
  void stepped(std::int64_t now) {
    const MutexLock lock(mutex_);
    stepped_ = now;
  }
  bool is_stalled(std::int64_t now) const {
    const MutexLock lock(mutex_);
    return (requested_ != kNone && now - requested_ > kCommitMs) ||
           (stepped_ != kNone && now - stepped_ > kStepMs);
  }

 private:
  static constexpr std::int64_t kNone = -1;
  mutable Mutex mutex_;
  std::int64_t requested_ GUARDED_BY(mutex_) = kNone;  // the oldest commit that is not durable
  std::int64_t stepped_ GUARDED_BY(mutex_) = kNone;    // not before the first step: restoring may take long
};

}  // namespace bowerbird
