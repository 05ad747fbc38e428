// How --memory is divided among the parts of a crawl, and the stages as memory gets short.
//
// Problem: what a crawl knows grows without limit; the process must not. Parts that can be on disk have a
// share from the start (memory_shares). The rest, about ten bytes per known page, stays in memory. As the
// resident memory approaches the budget the crawl enters stages, each of which frees more (MemoryGuard acts
// on them). docs/memory.md describes it. Plain data; threads: one owner.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bowerbird {

// Shares of the parts that can spill or shrink; 0: no limit.
struct MemoryShares {
  std::uint64_t known_urls = 0;  // fingerprints; the others are in runs on disk
  std::uint64_t url_cache = 0;   // unpacked texts
  std::uint64_t queue = 0;       // the frontier's best part; the others are in runs on disk
  std::uint64_t graph = 0;       // an ordering's growing one; the older part is on disk
  std::uint64_t store_queue = 0;
  std::uint64_t payloads = 0;     // digests of what is stored
  std::uint64_t prints = 0;       // of pages that others may be nearly the same as
  std::uint64_t account = 0;      // of the importance bound; given up beyond
  std::uint64_t bodies = 0;       // of pages under way, until they wait to be written
  std::uint64_t connections = 0;  // that wait for their host's next page
  std::uint64_t hosts = 0;        // names and those that something happens to; the others are on disk
};
MemoryShares memory_shares(std::uint64_t budget);
// The smallest budget for this many connections.
std::uint64_t least_memory(std::uint64_t connections);

enum class MemoryStage : std::uint8_t {
  kEasy,
  kCaches,  // caches are emptied
  kSpill,   // known URLs, queue and graph get smaller shares, accounts that decide nothing are given up
  kFull,    // no new URLs are taken on, and no page is begun while another is under way
};
std::string_view memory_stage_text(MemoryStage stage);
MemoryStage memory_stage_of(std::string_view text);  // or kEasy

// Computes the stage from the resident memory, with hysteresis.
class MemoryWatch {
 public:
  explicit MemoryWatch(std::uint64_t budget) : budget_(budget) {}

  std::uint64_t budget() const { return budget_; }
  MemoryStage look(std::uint64_t resident);
  MemoryStage stage() const { return stage_; }
  // How large a cache may be that now holds `held` bytes of the resident ones: as large as leaves the process
  // below the first stage, so that it takes only what is idle, and gives way as the others grow.
  std::uint64_t room(std::uint64_t resident, std::uint64_t held) const;
  std::uint64_t most() const { return most_; }

 private:
  std::uint64_t budget_;
  MemoryStage stage_ = MemoryStage::kEasy;
  std::uint64_t most_ = 0;
};

struct MemoryPart {
  std::string name;
  std::uint64_t bytes = 0;
};

// For status and reports.
struct MemoryUse {
  std::uint64_t budget = 0;  // 0: none
  std::uint64_t resident = 0;
  std::uint64_t most = 0;  // in this run
  MemoryStage stage = MemoryStage::kEasy;
  std::vector<MemoryPart> parts;
  std::uint64_t urls_on_disk = 0;    // known URLs whose fingerprints are not in memory
  std::uint64_t hosts_on_disk = 0;   // known hosts of which only a few bytes are in memory
  std::uint64_t disk = 0;            // bytes of both
  std::uint64_t queued_on_disk = 0;  // of the queue
  std::uint64_t queue_disk = 0;      // bytes of those
  std::uint64_t links_on_disk = 0;   // of the ordering's growing graph
  std::uint64_t links_disk = 0;      // bytes of those
  std::uint64_t asked_disk = 0;      // links that had to be looked up there
  std::uint64_t waiting_pages = 0;   // read, but not done before their links are looked up
  std::uint64_t dropped = 0;         // links that a budget or a truncating strategy turned away
  double dropped_worth = 0;          // what the ordering thought of them together
  bool bound_given_up = false;       // the importance bound
};

}  // namespace bowerbird
