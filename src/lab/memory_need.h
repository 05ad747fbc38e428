// What a budget of memory must hold whatever happens, and what it leaves for the queue.
//
// Of every known page the frontier keeps 8 bytes where its queue may be spilled, and an ordering what it says
// in the registry, its growing graph on disk beyond a share; the rest of the budget is for queued pages.
// Counted are frontier and ordering, which a live crawl has too, not the graph and the measurements, which
// are the lab's own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "lab/setting.h"

namespace bowerbird {

struct MemoryNeed {
  std::uint64_t fixed = 0;  // bytes that cannot be spilled, and the graph's
  std::uint64_t graph = 0;  // of those, what an ordering's growing graph may take; the rest of it is on disk

  // At least so much must be left for the queue.
  static constexpr std::uint64_t kLeastQueue = 64 << 10;
  bool fits(std::uint64_t budget) const { return budget >= fixed + slack(budget) + kLeastQueue; }
  std::uint64_t queue_bytes(std::uint64_t budget) const {
    return fits(budget) ? budget - fixed - slack(budget) : kLeastQueue;
  }
  // For the links of the page being crawled, and what allocators add.
  static std::uint64_t slack(std::uint64_t budget) { return budget / 32; }
};

Result<MemoryNeed> memory_need(const Setting& setting, std::string_view policy, std::uint64_t budget);
// An error that says what is missing, and names an ordering that fits, if there is one.
Status check_budget(const Setting& setting, std::string_view policy, std::uint64_t budget);

}  // namespace bowerbird
