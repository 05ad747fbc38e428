// How --memory is divided among the parts of a crawl, and the stages as memory gets short.
//
// Problem: what a crawl knows grows without limit, but the process must not. Parts that can be on disk
// get a share from the start (memory_shares). The rest, about ten bytes per known page, stays in memory.
// As the resident memory approaches the budget, the crawl goes through stages, each of which frees more
// (MemoryGuard does it). docs/memory.md describes it. Plain data; threads: one owner.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bowerbird {

// Limits in bytes for the parts that can spill or shrink; 0: no limit.
struct MemoryShares {
  std::uint64_t known_urls = 0;  // fingerprints in memory; the others are in runs on disk
  std::uint64_t url_cache = 0;   // unpacked texts
  std::uint64_t queue = 0;       // the best entries of the frontier; the others are in runs on disk
  std::uint64_t graph = 0;       // the newer part of an ordering's growing graph; the older part is on disk
  std::uint64_t store_queue = 0;
  std::uint64_t payloads = 0;     // digests of stored bodies
  std::uint64_t simhashes = 0;    // to find near-duplicates
  std::uint64_t bound = 0;        // the RankMass bound; dropped if it needs more
  std::uint64_t bodies = 0;       // bodies of pages in flight, until they are queued for the store
  std::uint64_t connections = 0;  // idle connections
  std::uint64_t hosts = 0;        // host names and active hosts; the others are on disk
};
MemoryShares memory_shares(std::uint64_t budget);
// The smallest budget for this many connections.
std::uint64_t least_memory(std::uint64_t connections);

enum class MemoryStage : std::uint8_t {
  kEasy,
  kCaches,  // caches are emptied
  kSpill,   // known URLs, queue and graph get smaller shares; statistics that decide nothing are dropped
  kFull,    // no new URL is accepted, and no page starts while another is in flight
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
  // How large a cache that now holds `held` of the resident bytes may become: it uses only what keeps the
  // process below the first stage, and shrinks as other parts grow.
  std::uint64_t room(std::uint64_t resident, std::uint64_t held) const;
  std::uint64_t peak() const { return most_; }

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
  std::uint64_t urls_on_disk = 0;    // known URLs with fingerprints on disk
  std::uint64_t hosts_on_disk = 0;   // known hosts on disk; a few bytes of each are in memory
  std::uint64_t disk = 0;            // bytes on disk of both
  std::uint64_t queued_on_disk = 0;  // queue entries on disk
  std::uint64_t queue_disk = 0;      // their bytes
  std::uint64_t links_on_disk = 0;   // links of the ordering's growing graph on disk
  std::uint64_t links_disk = 0;      // their bytes
  std::uint64_t asked_disk = 0;      // lookups of links that needed the disk
  std::uint64_t waiting_pages = 0;   // parsed pages that wait for the lookup of their links
  std::uint64_t dropped = 0;         // links rejected by a budget or a truncating strategy
  double dropped_worth = 0;          // the worth of those links together
  bool bound_dropped = false;        // whether the RankMass bound was dropped
};

}  // namespace bowerbird
