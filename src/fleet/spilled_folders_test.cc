// Folders whose queue was partly on disk can be taken over and merged like any other.
#include <gtest/gtest.h>

#include <filesystem>

#include "crawl/state/restored_crawl.h"
#include "crawl/state/stopped_crawl_testing.h"
#include "fleet/identity.h"
#include "fleet/merge.h"
#include "fleet/orphan.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

constexpr PageId kPages = 1000;  // a tenth of them fits into the queue's memory

void write_spilled(CrawlOptions options, const std::string& host) {
  options.memory.queue = 4096;
  write_stopped_crawl(options, host, kPages);
  ASSERT_FALSE(std::filesystem::is_empty(options.out + "/" + crawl_files::kSpill));
}

TEST(SpilledFolders, ALostProcessIsTakenOver) {
  TemporaryFolder folder;
  write_spilled(stopped_crawl_options(folder / "lost", "lost"), "h.test");
  const std::string id = random_id();
  ASSERT_TRUE(write_identity(folder / "lost", {"", id, true}).ok());
  const auto found = read_orphan({"lost", id, folder / "lost", 0});
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
  write_spilled(stopped_crawl_options(folder / "a"), "a.test");
  write_spilled(stopped_crawl_options(folder / "b"), "b.test");
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
