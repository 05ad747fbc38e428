// Crawl folders for tests: crawls that were stopped after one page.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "crawl/state/restored_crawl.h"

namespace bowerbird {

inline CrawlOptions stopped_crawl_options(const std::string& folder, const std::string& member = "") {
  CrawlOptions options;
  options.out = folder;
  options.order.policy = "opic";
  options.storage.durable = false;
  if (member.empty()) return options;
  options.parallel.mode = Mode::kExchange;
  options.parallel.partitions = 2;
  options.parallel.member = member;
  return options;
}

// A crawl with the seeds http://HOST/0 to http://HOST/N-1. The first one is done and links to `links`; the
// others are queued.
inline void write_stopped_crawl(const CrawlOptions& options, const std::string& host, PageId pages,
                                const std::vector<std::string>& links = {}) {
  const auto crawl = std::move(RestoredCrawl::open(options, OpenPurpose::kResume)).value();
  ASSERT_TRUE(crawl->restore().ok());
  CrawlState& state = crawl->state();
  state.record_to(&crawl->store());
  if (FleetState* const fleet = state.fleet()) {
    for (std::uint32_t p = 0; p < fleet->partitions(); ++p) {
      PartitionTransfer empty;
      empty.epoch = 1;
      empty.first = empty.last = true;
      ASSERT_TRUE(state.adopt({{{"+origin", p, 1}, std::make_shared<const std::string>(pack(empty))}}).ok());
    }
  }
  std::vector<SeedEntry> seeds;
  for (PageId i = 0; i < pages; ++i) {
    seeds.push_back({state.intern(fmt::format("http://{}/{}", host, i)), 1.0 + i, false});
  }
  state.add_seeds(seeds);
  const auto page = state.next(Time(1ms));
  ASSERT_TRUE(page.has_value());
  std::vector<StoredLink> found;
  for (const std::string& link : links) found.push_back({state.intern(link), 0});
  state.complete({*page, found});
  ASSERT_TRUE(crawl->spill().begin_snapshot().ok());
  CrawlCounts counts;
  counts.pages = counts.completed = 1;
  const std::string kept = counts_to_state(counts, CrawlEnd::kNotYet);
  ASSERT_TRUE(crawl->store().commit(kept, [&](ByteWriter& out) { return state.save(out); }).ok());
  ASSERT_TRUE(crawl->store().wait_for_commits().ok());
  crawl->spill().end_snapshot();
}

}  // namespace bowerbird
