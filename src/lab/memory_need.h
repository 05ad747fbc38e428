// The fixed part of a memory budget, and what it leaves for the queue.
//
// The frontier needs 8 bytes per known page if its queue may be spilled, and an ordering what the registry
// says, with its growing graph on disk beyond a share; the rest of the budget is for queued pages. It counts
// frontier and ordering, which a live crawl has too, but not the graph and the measurements, which only the
// lab has.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "lab/setting.h"

namespace bowerbird {

struct MemoryNeed {
  std::uint64_t fixed = 0;  // bytes that cannot be spilled, including the graph's
  std::uint64_t graph = 0;  // of those, memory for an ordering's growing graph; the rest of it is on disk

  // The minimum for the queue.
  static constexpr std::uint64_t kLeastQueue = 64 << 10;
  bool fits(std::uint64_t budget) const { return budget >= fixed + slack(budget) + kLeastQueue; }
  std::uint64_t queue_bytes(std::uint64_t budget) const {
    return fits(budget) ? budget - fixed - slack(budget) : kLeastQueue;
  }
  // For the links of the page being crawled, and allocator overhead.
  static std::uint64_t slack(std::uint64_t budget) { return budget / 32; }
};

Result<MemoryNeed> memory_need(const Setting& setting, std::string_view policy, std::uint64_t budget);
// The error says how much is missing, and names an ordering that fits, if there is one.
Status check_budget(const Setting& setting, std::string_view policy, std::uint64_t budget);

}  // namespace bowerbird
