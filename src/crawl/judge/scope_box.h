// The scope that is in force, for threads that judge links while it may be replaced.
//
// A reader compares version() with the one it has seen, which costs nothing while nothing changes, and gets
// the scope only then. Threads: any.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/thread_annotations.h"
#include "crawl/judge/scope.h"

namespace bowerbird {

class ScopeBox {
 public:
  // From 1 on; 0: there is none.
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
