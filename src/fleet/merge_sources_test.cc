#include "fleet/merge_sources.h"

#include <gtest/gtest.h>

#include "fleet/fleet_setup.h"
#include "store/crawl_store.h"
#include "sys/temporary_folder_testing.h"
#include "sys/write_file.h"

namespace bowerbird {
namespace {

void make_crawl(const std::string& folder) {
  StoreOptions options;
  options.durable = false;
  auto store = std::move(CrawlStore::open(folder, options)).value();
  store->commit("");
  ASSERT_TRUE(store->wait_for_commits().ok());
}

TEST(MergeSources, AreCrawlsAndAllCrawlsOfFleets) {
  const TemporaryFolder folder;
  ASSERT_TRUE(make_folder(folder / "fleet").ok());
  ASSERT_TRUE(FleetSetup().save(folder / "fleet").ok());
  make_crawl(folder / "fleet/p0");
  make_crawl(folder / "fleet/p1");
  make_crawl(folder / "alone");
  const auto sources = merge_sources({folder / "fleet", folder / "alone"}, folder / "into");
  ASSERT_TRUE(sources.ok()) << sources.error().text;
  EXPECT_EQ(*sources, (std::vector<std::string>{folder / "fleet/p0", folder / "fleet/p1", folder / "alone"}));
  EXPECT_FALSE(merge_sources({folder / "nowhere"}, folder / "into").ok());
  EXPECT_FALSE(merge_sources({folder / "alone"}, folder / "fleet").ok()) << "a fleet is there";
}

}  // namespace
}  // namespace bowerbird
