// How a crawl keeps to its memory: pages wait until their links are looked up, and what is done when memory
// is short.
#include <malloc.h>

#include <algorithm>

#include "crawl/loop/crawler.h"
#include "sys/memory.h"

namespace bowerbird {

namespace {

// Pages wait for so many links, or so long, before the disk is asked about all of them at once.
constexpr std::size_t kLinksAtOnce = 4096;
constexpr Time kLongestWait = 50;
constexpr Time kActEvery = 1000;
constexpr Time kTrimEvery = 10'000;
constexpr std::uint64_t kLeastKnown = std::uint64_t{1} << 20;

}  // namespace

// While all that is known is in memory there is nothing to wait for.
bool Crawler::settle_due(Time now) const {
  if (unsettled_.empty()) return false;
  return state().known().all_in_memory() || unsettled_links_ >= kLinksAtOnce ||
         now - unsettled_since_ >= kLongestWait || fetching_.empty();
}

void Crawler::wait_for_links(ParsedPage parsed, Time now) {
  if (unsettled_.empty()) unsettled_since_ = now;
  unsettled_links_ += parsed.links.size();
  unsettled_.push_back(std::move(parsed));
}

// Looks up the links of all pages that wait, and finishes the pages in their order.
void Crawler::settle_links(Time now) {
  if (!state().known().all_in_memory()) {
    fingerprints_.clear();
    for (const ParsedPage& parsed : unsettled_) {
      for (const FoundLink& link : parsed.links) fingerprints_.push_back(link.fingerprint);
    }
    state().known().settle(fingerprints_);
  }
  std::vector<ParsedPage> pages;
  pages.swap(unsettled_);
  unsettled_links_ = 0;
  for (ParsedPage& parsed : pages) {
    read_bytes_ -= parsed.page.fetch.body.size();
    finish_page(std::move(parsed), now);
  }
}

// What has come in and is not done leaves less room for what comes in.
void Crawler::limit_bodies() {
  if (bodies_limit_ == 0) return;
  fetcher_->limit_bodies(bodies_limit_ > read_bytes_ ? bodies_limit_ - read_bytes_ : 1);
}

// What a link of the page gives its target, by the merit that the ordering sees in the page; 0 where it
// judges none.
double Crawler::worth_of_link(PageId page, std::size_t links) const {
  const Frontier& frontier = state().frontier();
  const auto score = frontier.score(page);
  if (links == 0 || !score || !frontier.policy().judges()) return 0;
  return kDamping * frontier.policy().merit(*score) / static_cast<double>(links);
}

// A new URL that there is no room for.
bool Crawler::turn_away(std::uint64_t fingerprint, double worth) {
  if (memory_.stage() != MemoryStage::kFull) return false;
  if (state().find(fingerprint) != kNoPage) return false;
  ++counts_.turned_away;
  counts_.turned_away_worth += worth;
  return true;
}

// What nothing depends on any more, or can be had again from the disk.
void Crawler::give_back_memory() {
  state().known().shrink();
  store().limit_url_cache(0);
  ::malloc_trim(0);
}

// The bound grows with every page; nothing but a stop by it depends on it.
bool Crawler::may_give_up_account() const {
  return options_.budget.stop_at_importance == 0 && state().bound() != nullptr;
}

bool Crawler::account_too_large() const {
  return options_.memory.budget > 0 && may_give_up_account() &&
         state().bound()->bytes() > memory_shares(options_.memory.budget).account;
}

void Crawler::give_up_account() {
  state().drop_bound();
  bound_given_up_ = true;
  ::malloc_trim(0);
}

void Crawler::watch_memory(Time now) {
  if (now - last_tidy_ >= kActEvery) {
    hosts().tidy(now);
    if (options_.memory.budget > 0 && now / kTrimEvery != last_tidy_ / kTrimEvery) ::malloc_trim(0);
    last_tidy_ = now;
  }
  if (account_too_large()) give_up_account();
  const std::uint64_t resident = read_memory_();
  const MemoryStage stage = memory_.look(resident);
  state().known().limit_blocks(memory_.room(resident, state().known().counts().blocks));
  if (stage == MemoryStage::kEasy || now - last_memory_act_ < kActEvery) return;
  last_memory_act_ = now;
  give_back_memory();
  store().limit_url_cache(memory_shares(options_.memory.budget).url_cache / 4);
  if (stage >= MemoryStage::kSpill) {
    if (may_give_up_account()) {
      // What decides nothing goes before what makes the crawl slower.
      give_up_account();
    } else {
      known_limit_ = std::max(kLeastKnown, known_limit_ / 2);
      state().known().limit(known_limit_);
      queue_limit_ = std::max(kLeastKnown, queue_limit_ / 2);
      state().limit_queue(queue_limit_);
      graph_limit_ = std::max(kLeastKnown, graph_limit_ / 2);
      state().limit_graph(graph_limit_);
    }
  }
  ::malloc_trim(0);
}

MemoryUse Crawler::memory_use() const {
  MemoryUse use;
  use.budget = options_.memory.budget;
  use.resident = read_memory_();
  use.most = std::max(memory_.most(), use.resident);
  use.stage = memory_.stage();
  const KnownUrlsCounts known = state().known().counts();
  const CrawlState::Bytes bytes = state().bytes();
  const StoreCounts stored = store().counts();
  use.parts = {{"known URLs", known.memory},
               {"URL texts", stored.urls_memory},
               {"pages", bytes.pages},
               {"frontier", bytes.frontier - bytes.ordering},
               {"ordering", bytes.ordering},
               {"importance covered", bytes.bound},
               {"hosts", hosts().bytes()},
               {"waiting to be written", stored.queued_bytes},
               {"payload digests", stored.payload_memory},
               {"near-duplicates", prints_.bytes()},
               {"bodies of pages under way", bodies()}};
  std::uint64_t sum = 0;
  for (const MemoryPart& part : use.parts) sum += part.bytes;
  use.parts.push_back({"the program", use.resident > sum ? use.resident - sum : 0});
  use.urls_on_disk = known.spilled;
  use.hosts_on_disk = hosts().size() - hosts().awake();
  use.disk = known.disk + hosts().disk();
  use.queued_on_disk = state().frontier().spilled().now;
  const GraphUse graph = state().frontier().policy().graph_use();
  use.links_on_disk = graph.links_on_disk;
  use.links_disk = graph.disk;
  use.queue_disk = crawl_->spill().bytes() - graph.disk;
  use.dropped = state().frontier().counts().dropped;
  use.dropped_worth = state().frontier().counts().dropped_worth;
  use.asked_disk = known.asked_disk;
  use.waiting_pages = unsettled_.size();
  use.bound_given_up = bound_given_up_;
  return use;
}

}  // namespace bowerbird
