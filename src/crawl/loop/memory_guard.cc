#include "crawl/loop/memory_guard.h"

#include <malloc.h>

#include <algorithm>

#include "crawl/state/state_setup.h"
#include "sys/memory.h"

namespace bowerbird {

namespace {

constexpr Duration kActEvery = 1s;
constexpr Duration kTrimEvery = 10s;
constexpr std::uint64_t kLeastLimit = std::uint64_t{1} << 20;

}  // namespace

MemoryGuard::MemoryGuard(const CrawlOptions& options)
    : watch_(options.memory.budget),
      read_(resident_memory),
      stops_by_bound_(options.budget.stop_at_importance > 0),
      known_limit_(known_urls_of(options).memory),
      queue_limit_(state_options_of(options).queue_bytes),
      graph_limit_(graph_bytes_of(options)) {
  if (options.memory.budget == 0) return;
  bodies_limit_ = memory_shares(options.memory.budget).bodies;
  simhashes_limit_ = memory_shares(options.memory.budget).simhashes;
}

void MemoryGuard::release_caches(CrawlState& state, CrawlStore& store) {
  state.known().shrink();
  store.limit_url_cache(0);
  ::malloc_trim(0);
}

// The bound grows with every page, and only --stop-at-importance needs it.
bool MemoryGuard::may_drop_bound(const CrawlState& state) const {
  return !stops_by_bound_ && state.bound() != nullptr;
}

void MemoryGuard::drop_bound(CrawlState& state) {
  state.drop_bound();
  bound_dropped_ = true;
  ::malloc_trim(0);
}

void MemoryGuard::watch(Time now, CrawlState& state, CrawlStore& store) {
  if (now - last_tidy_ >= kActEvery) {
    state.hosts().tidy(now);
    if (budget() > 0 && now.time_since_epoch() / kTrimEvery != last_tidy_.time_since_epoch() / kTrimEvery)
      ::malloc_trim(0);
    last_tidy_ = now;
  }
  const MemoryShares shares = memory_shares(budget());
  if (budget() > 0 && may_drop_bound(state) && state.bound()->bytes() > shares.bound) drop_bound(state);
  const std::uint64_t resident = read_();
  const MemoryStage stage = watch_.look(resident);
  state.known().limit_blocks(watch_.room(resident, state.known().counts().blocks));
  if (stage == MemoryStage::kEasy || now - last_act_ < kActEvery) return;
  last_act_ = now;
  release_caches(state, store);
  store.limit_url_cache(shares.url_cache / 4);
  if (stage >= MemoryStage::kSpill) shrink(state);
  ::malloc_trim(0);
}

// Drops the RankMass bound first; smaller limits, which make the crawl slower, come after that.
void MemoryGuard::shrink(CrawlState& state) {
  if (may_drop_bound(state)) {
    drop_bound(state);
    return;
  }
  for (std::uint64_t* limit : {&known_limit_, &queue_limit_, &graph_limit_}) {
    *limit = std::max(kLeastLimit, *limit / 2);
  }
  state.known().limit(known_limit_);
  state.limit_queue(queue_limit_);
  state.limit_graph(graph_limit_);
}

MemoryUse MemoryGuard::use() const {
  MemoryUse use;
  use.budget = budget();
  use.resident = read_();
  use.most = std::max(watch_.peak(), use.resident);
  use.stage = watch_.stage();
  use.bound_dropped = bound_dropped_;
  return use;
}

std::uint64_t MemoryGuard::connections_limit() const {
  const std::uint64_t share = memory_shares(budget()).connections;
  return watch_.stage() == MemoryStage::kEasy ? share : share / 8;
}

}  // namespace bowerbird
