// Folders whose queue was partly on disk can be taken over and merged like any other.
#include <gtest/gtest.h>

#include "crawl/state/restored_crawl.h"
#include "fleet/merge.h"
#include "fleet/takeover.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

constexpr PageId kPages = 4000;

CrawlOptions small_queue(const std::string& folder) {
  CrawlOptions options;
  options.out = folder;
  options.order.policy = "opic";
  options.storage.durable = false;
  options.memory.queue = 4096;
  return options;
}

// A crawl with kPages queued pages, most of them on disk, one of them done.
void write_crawl(const CrawlOptions& options, const std::string& host) {
  const auto crawl = std::move(RestoredCrawl::open(options, OpenPurpose::kResume)).value();
  ASSERT_TRUE(crawl->restore().ok());
  CrawlState& state = crawl->state();
  state.record_to(&crawl->store());
  if (FleetState* const fleet = state.fleet()) {
    for (std::uint32_t p = 0; p < fleet->partitions(); ++p) {
      PartitionTransfer empty;
      empty.epoch = 1;
      empty.first = empty.last = true;
      ASSERT_TRUE(state.adopt({{{"+origin", p, 1}, std::make_shared<const std::string>(pack(empty))}}));
    }
  }
  std::vector<SeedEntry> seeds;
  for (PageId i = 0; i < kPages; ++i) {
    seeds.push_back({state.intern(fmt::format("http://{}/{}", host, i)), 1.0 + i, false});
  }
  state.add_seeds(seeds);
  const auto page = state.next(1);
  ASSERT_TRUE(page.has_value());
  state.complete({*page, {}});
  ASSERT_GT(state.frontier().spilled().now, 0u);
  ASSERT_TRUE(crawl->spill().begin_snapshot().ok());
  ASSERT_TRUE(crawl->store().commit("", [&](ByteWriter& out) { state.save(out); }).ok());
  ASSERT_TRUE(crawl->store().wait_for_commits().ok());
  crawl->spill().end_snapshot();
}

TEST(SpilledFolders, ALostProcessIsTakenOver) {
  TemporaryFolder folder;
  CrawlOptions options = small_queue(folder / "lost");
  options.parallel.mode = Mode::kExchange;
  options.parallel.partitions = 2;
  options.parallel.member = "lost";
  write_crawl(options, "h.test");
  const auto found = read_orphan(options.out, "lost");
  ASSERT_TRUE(found.ok()) << found.error().text;
  std::size_t pages = 0, done = 0;
  for (const Message& message : found->orphan.messages) {
    const auto body = unpack(*message.content);
    ASSERT_TRUE(body.ok());
    for (const PartitionTransfer::Page& page : std::get<PartitionTransfer>(*body).pages) {
      ++pages;
      done += page.done ? 1 : 0;
    }
  }
  EXPECT_EQ(pages, kPages);
  EXPECT_EQ(done, 1u);
}

TEST(SpilledFolders, AreMerged) {
  TemporaryFolder folder;
  write_crawl(small_queue(folder / "a"), "a.test");
  write_crawl(small_queue(folder / "b"), "b.test");
  const auto merged = merge_crawls({folder / "a", folder / "b"}, folder / "both", Progress());
  ASSERT_TRUE(merged.ok()) << merged.error().text;
  EXPECT_EQ(merged->urls, 2 * kPages);
  EXPECT_EQ(merged->pages, 2u);
  const auto both = std::move(RestoredCrawl::open_to_read(folder / "both")).value();
  ASSERT_TRUE(both->restore().ok());
  EXPECT_EQ(both->state().frontier().counts().primary, 2 * kPages - 2);
}

}  // namespace
}  // namespace bowerbird
