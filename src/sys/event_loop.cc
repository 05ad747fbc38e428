#include "sys/event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "sys/clock.h"

namespace bowerbird {

Result<std::unique_ptr<EventLoop>> EventLoop::create() {
  const int epoll_fd = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll_fd < 0) return error("cannot create an epoll descriptor: {}", std::strerror(errno));
  const int wake_fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake_fd < 0) {
    const int reason = errno;
    ::close(epoll_fd);
    return error("cannot create an event descriptor: {}", std::strerror(reason));
  }
  std::unique_ptr<EventLoop> loop(new EventLoop(epoll_fd, wake_fd));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = nullptr;  // the wake-up event has no handler
  if (::epoll_ctl(epoll_fd, EPOLL_CTL_ADD, wake_fd, &event) != 0) {
    return error("cannot watch an event descriptor: {}", std::strerror(errno));
  }
  return loop;
}

EventLoop::EventLoop(int epoll_fd, int wake_fd)
    : epoll_fd_(epoll_fd), wake_fd_(wake_fd), now_us_(MonotonicClock().now_us()) {}

EventLoop::~EventLoop() {
  ::close(wake_fd_);
  ::close(epoll_fd_);
}

Status EventLoop::watch(int fd, std::uint32_t events, Handler& handler) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &handler;
  if (::epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, fd, &event) != 0) {
    return error("cannot watch a descriptor: {}", std::strerror(errno));
  }
  return {};
}

void EventLoop::change(int fd, std::uint32_t events, Handler& handler) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &handler;
  CHECK(::epoll_ctl(epoll_fd_, EPOLL_CTL_MOD, fd, &event) == 0);
}

void EventLoop::forget(int fd) {
  ::epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, fd, nullptr);
}

void EventLoop::set_timer(Handler& handler, std::int64_t us) {
  us = std::max(us, now_us_ + 1);
  if (handler.timer_us_ == us) return;
  clear_timer(handler);
  handler.timer_us_ = us;
  timers_.emplace(us, &handler);
}

void EventLoop::clear_timer(Handler& handler) {
  if (handler.timer_us_ == Handler::kNoTimer) return;
  timers_.erase({handler.timer_us_, &handler});
  handler.timer_us_ = Handler::kNoTimer;
}

void EventLoop::retire(std::unique_ptr<Handler> handler) {
  clear_timer(*handler);
  handler->retired_ = true;
  retired_.push_back(std::move(handler));
}

int EventLoop::wait_ms() const {
  if (timers_.empty()) return -1;
  const std::int64_t us = timers_.begin()->first - MonotonicClock().now_us();
  if (us <= 0) return 0;
  return static_cast<int>(std::min<std::int64_t>((us + 999) / 1000, 60'000));
}

void EventLoop::fire_timers() {
  while (!timers_.empty() && timers_.begin()->first <= now_us_) {
    Handler& handler = *timers_.begin()->second;
    clear_timer(handler);
    handler.on_timer();
  }
}

void EventLoop::run() {
  while (!finished_) step(-1);
}

void EventLoop::step(int most_ms) {
  std::array<epoll_event, 256> events;
  const int due_ms = most_ms == 0 ? 0 : wait_ms();
  const int wait = most_ms < 0 ? due_ms : due_ms < 0 ? most_ms : std::min(due_ms, most_ms);
  const int n = ::epoll_wait(epoll_fd_, events.data(), static_cast<int>(events.size()), wait);
  now_us_ = MonotonicClock().now_us();
  for (int i = 0; i < n; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    auto* handler = static_cast<Handler*>(event.data.ptr);
    if (handler == nullptr) {
      take_wake();
    } else if (!handler->retired_) {
      handler->on_ready(event.events);
    }
  }
  fire_timers();
  retired_.clear();
}

void EventLoop::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(wake_fd_, &one, sizeof one);
}

void EventLoop::take_wake() {
  std::uint64_t calls = 0;
  [[maybe_unused]] const auto got = ::read(wake_fd_, &calls, sizeof calls);
  if (on_wake_) on_wake_();
}

}  // namespace bowerbird
