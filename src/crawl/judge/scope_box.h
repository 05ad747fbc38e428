// The current scope, shared by threads that judge links while a command may replace it.
//
// A reader compares version() with the last one it has seen, which is one atomic load, and calls get()
// only if it differs. Threads: any.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/thread_annotations.h"
#include "crawl/judge/scope.h"

namespace bowerbird {

class ScopeBox {
 public:
  // Counts from 1; 0: no scope was set.
  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }
  std::shared_ptr<const Scope> get() const {
    const MutexLock lock(mutex_);
    return scope_;
  }
  void set(const Scope& scope) {
    const MutexLock lock(mutex_);
    scope_ = std::make_shared<const Scope>(scope);
    version_.fetch_add(1, std::memory_order_release);
  }

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const Scope> scope_ GUARDED_BY(mutex_);
  std::atomic<std::uint64_t> version_{0};
};

}  // namespace bowerbird
