// Waits for many file descriptors and timers at once (epoll), and calls their handlers.
//
// Each Handler has at most one descriptor and one timer. Ownership: the loop owns no handler. A handler that
// is to be destroyed while it is being called passes itself to retire(), which destroys it once no event of
// the current batch can refer to it. Threads: one thread runs the loop and makes all calls, except wake(),
// which any thread may call.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/result.h"

namespace bowerbird {

class EventLoop {
 public:
  class Handler {
   public:
    virtual ~Handler() = default;
    // events: of epoll (EPOLLIN, EPOLLOUT, EPOLLHUP ...).
    virtual void on_ready(std::uint32_t events) = 0;
    virtual void on_timer() {}

   private:
    friend class EventLoop;
    static constexpr std::int64_t kNoTimer = -1;
    std::int64_t timer_us_ = kNoTimer;
    bool retired_ = false;
  };

  static Result<std::unique_ptr<EventLoop>> create();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  Status watch(int fd, std::uint32_t events, Handler& handler);
  void change(int fd, std::uint32_t events, Handler& handler);
  void forget(int fd);

  // Calls handler.on_timer() once, at or soon after `us` of the monotonic clock; replaces an earlier timer. A
  // time in the past means the next batch, so that a handler may always set its timer again.
  void set_timer(Handler& handler, std::int64_t us);
  void clear_timer(Handler& handler);

  // Destroys the handler after the current batch of events. Its descriptor must have been removed.
  void retire(std::unique_ptr<Handler> handler);

  // The monotonic time at which the current batch began.
  std::int64_t now_us() const { return now_us_; }

  // Runs until a handler calls finish().
  void run();
  // Handles one batch of events, after waiting at most `most_ms` for it (-1: no limit).
  void step(int most_ms);
  void finish() { finished_ = true; }
  // From any thread or a signal handler: calls on_wake in the loop's thread, once for any number of calls.
  void wake();
  void on_wake(std::function<void()> call) { on_wake_ = std::move(call); }

 private:
  EventLoop(int epoll_fd, int wake_fd);
  int wait_ms() const;
  void fire_timers();
  void take_wake();

  int epoll_fd_;
  int wake_fd_;
  bool finished_ = false;
  std::function<void()> on_wake_;
  std::int64_t now_us_ = 0;
  std::set<std::pair<std::int64_t, Handler*>> timers_;
  std::vector<std::unique_ptr<Handler>> retired_;
};

}  // namespace bowerbird
