#include "fleet/log_keeper.h"

#include <chrono>
#include <utility>

namespace bowerbird {

namespace {

constexpr auto kTryAgain = std::chrono::milliseconds(200);

}  // namespace

LogKeeper::LogKeeper(Bus& bus, const MemberLog& log, const std::string& member, const std::string& folder,
                     std::uint64_t restored, const Clock& clock, Listener listener)
    : clock_(clock),
      listener_(std::move(listener)),
      log_(bus, log, member, folder, [this] { return pause(); }),
      target_(restored) {}

void LogKeeper::begin() {
  {
    const MutexLock lock(mutex_);
    behind_since_us_ = clock_.now_us();
  }
  thread_ = std::thread([this] { run(); });
}

void LogKeeper::run() {
  std::uint64_t target = 0;
  while (wait_for_commit(target)) {
    const Status done = log_.append_until(target);
    if (!done.ok() && done.error().kind != ErrorKind::kRetry) {
      listener_.lost(done.error().text);
      return;
    }
    {
      const MutexLock lock(mutex_);
      if (done.ok()) accepted_ = log_.accepted();
      behind_since_us_ = clock_.now_us();
    }
    changed_.notify_all();
    if (done.ok()) listener_.accepted();
  }
}

// False: the thread ends.
bool LogKeeper::wait_for_commit(std::uint64_t& target) {
  const MutexLock lock(mutex_);
  while (!stopped_ && accepted_ && *accepted_ >= target_) changed_.wait_for(mutex_, std::chrono::seconds(1));
  target = target_;
  return !stopped_;
}

// Before a call of the broker is repeated. False: do not repeat it.
bool LogKeeper::pause() {
  const MutexLock lock(mutex_);
  if (!stopped_) changed_.wait_for(mutex_, kTryAgain);
  return !stopped_;
}

void LogKeeper::committed(std::uint64_t number) {
  {
    const MutexLock lock(mutex_);
    if (accepted_ && *accepted_ >= target_) behind_since_us_ = clock_.now_us();
    target_ = std::max(target_, number);
  }
  changed_.notify_all();
}

std::optional<std::uint64_t> LogKeeper::accepted() const {
  const MutexLock lock(mutex_);
  return accepted_;
}

void LogKeeper::wait(std::int64_t ms) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
  const MutexLock lock(mutex_);
  while (!stopped_ && (!accepted_ || *accepted_ < target_) && std::chrono::steady_clock::now() < until)
    changed_.wait_for(mutex_, kTryAgain);
}

LogLag LogKeeper::lag() const {
  const MutexLock lock(mutex_);
  const std::uint64_t there = accepted_.value_or(0);
  if (there >= target_) return {};
  return {target_ - there, static_cast<double>(clock_.now_us() - behind_since_us_) / 1e6};
}

void LogKeeper::stop() {
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

}  // namespace bowerbird
