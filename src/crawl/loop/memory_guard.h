// Keeps a crawl within its --memory budget.
//
// Problem: some parts of a crawl grow without limit. Those that can be on disk have a share of the budget
// from the start (memory_budget.h). The guard reads the resident memory about four times a second. As it
// nears the budget, the guard empties caches, halves the shares, drops statistics, and finally returns
// is_full(): no new URL is accepted. Without a budget it only measures. Ownership: state and store
// outlive the call. Threads: one, the crawl's.
#pragma once

#include <cstdint>
#include <functional>

#include "base/time.h"
#include "crawl/config/memory_budget.h"
#include "crawl/config/options.h"
#include "crawl/state/crawl_state.h"
#include "store/crawl_store.h"

namespace bowerbird {

class MemoryGuard {
 public:
  explicit MemoryGuard(const CrawlOptions& options);

  // For tests: replaces how the resident memory is read.
  void read_from(std::function<std::uint64_t()> read) { read_ = std::move(read); }

  void watch(Time now, CrawlState& state, CrawlStore& store);
  // Frees memory that is not needed, or that can be read from disk again.
  static void release_caches(CrawlState& state, CrawlStore& store);

  bool is_full() const { return watch_.stage() == MemoryStage::kFull; }
  std::uint64_t budget() const { return watch_.budget(); }
  // Limits for bodies in flight (0: none) and for simhashes.
  std::uint64_t bodies_limit() const { return bodies_limit_; }
  std::uint64_t simhashes_limit() const { return simhashes_limit_; }
  // Limit for idle connections; lower when memory is short.
  std::uint64_t connections_limit() const;
  // Whether the RankMass bound was dropped, to save memory or because the scope changed.
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
  std::uint64_t simhashes_limit_ = ~std::uint64_t{0};
  std::uint64_t known_limit_;
  std::uint64_t queue_limit_;
  std::uint64_t graph_limit_;
  bool bound_dropped_ = false;
  Time last_act_{};
  Time last_tidy_{};
};

}  // namespace bowerbird
