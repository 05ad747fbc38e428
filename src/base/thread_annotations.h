// A mutex whose use clang checks when it compiles (-Wthread-safety); other compilers ignore the annotations.
//
//   mutable Mutex mutex_;
//   int count_ GUARDED_BY(mutex_) = 0;   // touched only by who holds mutex_
//   void grow() REQUIRES(mutex_);        // its caller holds mutex_
//
// See https://releases.llvm.org/14.0.0/tools/clang/docs/ThreadSafetyAnalysis.html. Threads: any.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define BB_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define BB_THREAD_ATTRIBUTE(x)
#endif

#define CAPABILITY(x) BB_THREAD_ATTRIBUTE(capability(x))
#define SCOPED_CAPABILITY BB_THREAD_ATTRIBUTE(scoped_lockable)
#define GUARDED_BY(x) BB_THREAD_ATTRIBUTE(guarded_by(x))
#define REQUIRES(...) BB_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) BB_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) BB_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define RELEASE(...) BB_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))

namespace bowerbird {

class CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() ACQUIRE() { mutex_.lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

// Holds the mutex during its lifetime.
class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() RELEASE() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// Waiting releases the mutex and acquires it again on return. May return early: test the condition again.
class Condition {
 public:
  void wait_for(Mutex& mutex, std::chrono::milliseconds most) REQUIRES(mutex) {
    changed_.wait_for(mutex, most);
  }
  void notify_all() { changed_.notify_all(); }

 private:
  std::condition_variable_any changed_;
};

}  // namespace bowerbird
