#include "fleet/commit_fence.h"

#include <chrono>

namespace bowerbird {

namespace {

constexpr auto kLookAgain = std::chrono::milliseconds(500);

}  // namespace

void CommitFence::hold_until(std::int64_t ms) {
  {
    const MutexLock lock(mutex_);
    if (until_ms_ != 0 && !is_held()) ++lapses_;
    until_ms_ = ms;
  }
  changed_.notify_all();
}

bool CommitFence::held() const {
  const MutexLock lock(mutex_);
  return is_held();
}

std::uint64_t CommitFence::lapses() const {
  const MutexLock lock(mutex_);
  return lapses_;
}

void CommitFence::lose(const std::string& why) {
  {
    const MutexLock lock(mutex_);
    if (lost_.empty()) lost_ = why;
  }
  changed_.notify_all();
}

void CommitFence::end_waiting() {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
}

Status CommitFence::wait() const {
  const MutexLock lock(mutex_);
  while (lost_.empty() && !is_held() && !ending_) changed_.wait_for(mutex_, kLookAgain);
  if (!lost_.empty()) return error("{}", lost_);
  if (is_held()) return {};
  return error("the NATS server cannot be reached, so this process may have lost its partitions");
}

}  // namespace bowerbird
