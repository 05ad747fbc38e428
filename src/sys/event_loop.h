// Waits for many file descriptors and timers at once (epoll), and calls whoever waits for them.
//
// Each Handler has at most one descriptor and one timer. Ownership: the loop owns no handler; a handler that
// wants to go away while it is being called hands itself to retire(), which destroys it once no event of the
// current batch can still name it. Threads: one thread runs the loop and calls everything; only wake() may
// come from elsewhere.
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

  // Calls handler.on_timer() once, at or soon after `us` of the monotonic clock; replaces an earlier one. A
  // time that has passed means the next batch, so that a handler may always set its timer again.
  void set_timer(Handler& handler, std::int64_t us);
  void clear_timer(Handler& handler);

  // Destroys the handler when the current batch of events is over. Its descriptor has been forgotten.
  void retire(std::unique_ptr<Handler> handler);

  // The monotonic time at which the current batch began.
  std::int64_t now_us() const { return now_us_; }

  // Until finish(), which some handler calls.
  void run();
  // One batch of what has happened, waiting for it no longer than `most_ms` (-1: as long as it takes).
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
