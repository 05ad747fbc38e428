// Keeps a crawl within its --memory budget.
//
// Problem: some parts of a crawl grow without end. Those that can live on disk have a share of the budget
// from the start (memory_budget.h). The guard reads the resident memory about four times a second and, as it
// nears the budget, empties caches, halves the shares, gives up what decides nothing, and at last says
// is_full(): then no new URL is taken on. Without a budget it only measures. Ownership: state and store
// outlive the call they are passed to. Threads: one, the crawl's.
#pragma once

#include <cstdint>
#include <functional>

#include "crawl/config/memory_budget.h"
#include "crawl/config/options.h"
#include "crawl/state/crawl_state.h"
#include "store/crawl_store.h"

namespace bowerbird {

class MemoryGuard {
 public:
  explicit MemoryGuard(const CrawlOptions& options);

  // For tests: where the resident memory is read from.
  void read_from(std::function<std::uint64_t()> read) { read_ = std::move(read); }

  void watch(Time now, CrawlState& state, CrawlStore& store);
  // Gives back what nothing depends on, or what can be read from disk again.
  static void release_caches(CrawlState& state, CrawlStore& store);

  bool is_full() const { return watch_.stage() == MemoryStage::kFull; }
  std::uint64_t budget() const { return watch_.budget(); }
  // Limits for bodies under way (0: none) and for fingerprints of near-duplicates.
  std::uint64_t bodies_limit() const { return bodies_limit_; }
  std::uint64_t prints_limit() const { return prints_limit_; }
  // For idle connections: less when memory is short.
  std::uint64_t connections_limit() const;
  // The RankMass bound was dropped to save memory or because the scope changed.
  bool bound_dropped() const { return bound_dropped_; }
  void set_bound_dropped(bool dropped) { bound_dropped_ = dropped; }

  // Budget, resident memory and stage; the caller adds the parts.
  MemoryUse use() const;

 private:
  bool may_drop_bound(const CrawlState& state) const;
  void drop_bound(CrawlState& state);
  void shrink(CrawlState& state);

  MemoryWatch watch_;
  std::function<std::uint64_t()> read_;
  bool stops_by_bound_;
  std::uint64_t bodies_limit_ = 0;
  std::uint64_t prints_limit_ = ~std::uint64_t{0};
  std::uint64_t known_limit_;
  std::uint64_t queue_limit_;
  std::uint64_t graph_limit_;
  bool bound_dropped_ = false;
  Time last_act_ = 0;
  Time last_tidy_ = 0;
};

}  // namespace bowerbird
