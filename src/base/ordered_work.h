// Items produced by several threads and consumed in order by the caller.
//
// Problem: pages can be read in any order, but a file must be the same for any number of threads.
// `make(worker, i)` runs on `threads` threads, worker in [0, threads), for at most `window` items that were
// not taken yet, which limits the memory. `take(i, item)` runs on the caller's thread, for i = 0, 1, 2 ...;
// it returns false to stop early. The caller is worker 0: it makes items whenever there is none to take, so
// that threads rarely wait for each other. All other threads have ended when ordered_work returns.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"

namespace bowerbird {

template <typename Make, typename Take>
Status ordered_work(std::uint64_t count, unsigned threads, std::size_t window, Make make, Take take) {
  using Item = std::invoke_result_t<Make&, unsigned, std::uint64_t>;
  std::mutex mutex;
  std::condition_variable ready;  // for the caller: the item that is taken next is made
  std::condition_variable room;   // for the others: an item may be made, or there is no more to do
  std::vector<std::optional<Item>> made(window);
  std::uint64_t next = 0, taken = 0;
  bool stopped = false, caller_waits = false;
  unsigned waiting = 0;
  // What follows holds `lock` but while an item is made or taken.
  const auto may_make = [&] { return next < count && next < taken + window; };
  const auto make_one = [&](unsigned worker, std::unique_lock<std::mutex>& lock) {
    const std::uint64_t i = next++;
    lock.unlock();
    Item item = make(worker, i);
    lock.lock();
    made[i % window] = std::move(item);
    if (caller_waits && i == taken) ready.notify_one();
  };
  const auto help = [&](unsigned worker) {
    std::unique_lock lock(mutex);
    while (!stopped && next < count) {
      if (may_make()) {
        make_one(worker, lock);
        continue;
      }
      ++waiting;
      room.wait(lock);
      --waiting;
    }
  };
  const auto take_all = [&]() -> Status {
    std::unique_lock lock(mutex);
    for (std::uint64_t i = 0; i < count; ++i) {
      while (!made[i % window]) {
        if (may_make()) {
          make_one(0, lock);
          continue;
        }
        caller_waits = true;
        ready.wait(lock);
        caller_waits = false;
      }
      Item item = std::move(*made[i % window]);
      made[i % window].reset();
      taken = i + 1;
      const bool wake = waiting > 0;
      lock.unlock();
      if (wake) room.notify_one();
      BB_TRY(const bool more, take(i, std::move(item)));
      if (!more) break;
      lock.lock();
    }
    return {};
  };
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < threads; ++i) helpers.emplace_back(help, i);
  Status done = take_all();
  {
    const std::lock_guard lock(mutex);
    stopped = true;
  }
  room.notify_all();
  for (std::thread& helper : helpers) helper.join();
  return done;
}

}  // namespace bowerbird
