// Items produced by several threads and consumed in order by the caller.
//
// Problem: pages can be read in any order, but a file must be the same for any number of threads.
// `make(worker, i)` runs on a worker thread, worker in [0, threads), for at most `window` items that were not
// taken yet, which limits the memory. `take(i, item)` runs on the caller's thread, for i = 0, 1, 2 ...; it
// returns false to stop early. All threads have ended when ordered_work returns.
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
  std::condition_variable changed;
  std::vector<std::optional<Item>> made(window);
  std::uint64_t next = 0, taken = 0;
  bool stopped = false;
  const auto work = [&](unsigned worker) {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return stopped || next >= count || next < taken + window; });
      if (stopped || next >= count) return;
      const std::uint64_t i = next++;
      lock.unlock();
      Item item = make(worker, i);
      lock.lock();
      made[i % window] = std::move(item);
      changed.notify_all();
    }
  };
  const auto take_all = [&]() -> Status {
    for (std::uint64_t i = 0; i < count; ++i) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return made[i % window].has_value(); });
      Item item = std::move(*made[i % window]);
      made[i % window].reset();
      taken = i + 1;
      lock.unlock();
      changed.notify_all();
      BB_TRY(const bool more, take(i, std::move(item)));
      if (!more) break;
    }
    return {};
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < threads; ++i) workers.emplace_back(work, i);
  Status done = take_all();
  {
    const std::lock_guard lock(mutex);
    stopped = true;
  }
  changed.notify_all();
  for (std::thread& worker : workers) worker.join();
  return done;
}

}  // namespace bowerbird
