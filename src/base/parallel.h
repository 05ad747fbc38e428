// Divides work into ranges over a few threads, and joins them before it returns.
//
// parallel_ranges splits [0, n) into `parts` contiguous ranges that depend only on n and parts, so that sums
// per range, added in range order, are the same for any number of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace bowerbird {

inline unsigned default_threads() {
  const unsigned n = std::thread::hardware_concurrency();
  return n == 0 ? 1 : n;
}

// Calls body(part, first, last) for each part, on at most `threads` threads including the caller's.
template <typename Body>
void parallel_ranges(std::uint64_t n, unsigned parts, unsigned threads, Body&& body) {
  if (parts == 0) parts = 1;
  std::atomic<unsigned> next{0};
  auto work = [&] {
    for (unsigned part = next++; part < parts; part = next++) {
      const std::uint64_t first = n / parts * part + n % parts * part / parts;
      const std::uint64_t last = n / parts * (part + 1) + n % parts * (part + 1) / parts;
      body(part, first, last);
    }
  };
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < threads && i < parts; ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace bowerbird
