#include "crawl/loop/link_batcher.h"

#include <gtest/gtest.h>

namespace bowerbird {
namespace {

ParsedPage page_with(PageId page, std::size_t links) {
  ParsedPage parsed;
  parsed.page.page = page;
  parsed.links.resize(links);
  return parsed;
}

TEST(LinkBatcher, PagesDoNotWaitWhileEverythingIsInMemory) {
  LinkBatcher batcher;
  EXPECT_FALSE(batcher.is_due(0, true, true));
  batcher.add(page_with(1, 3), 0);
  EXPECT_TRUE(batcher.is_due(0, true, true));
}

TEST(LinkBatcher, WaitsForManyLinksOrAShortTimeOrTheLastPage) {
  LinkBatcher batcher;
  batcher.add(page_with(1, 3), 100);
  EXPECT_FALSE(batcher.is_due(100, false, true));
  EXPECT_TRUE(batcher.is_due(100, false, false));
  EXPECT_TRUE(batcher.is_due(100 + LinkBatcher::kLongestWait, false, true));
  batcher.add(page_with(2, LinkBatcher::kLinksAtOnce), 101);
  EXPECT_TRUE(batcher.is_due(101, false, true));
}

TEST(LinkBatcher, PagesLeaveInTheirOrder) {
  LinkBatcher batcher;
  for (PageId page = 0; page < 5; ++page) batcher.add(page_with(page, 1), 0);
  KnownUrls known({});
  const auto pages = batcher.take(known);
  ASSERT_EQ(pages.size(), 5u);
  for (PageId page = 0; page < 5; ++page) EXPECT_EQ(pages[page].page.page, page);
  EXPECT_TRUE(batcher.empty());
  EXPECT_FALSE(batcher.is_due(0, true, false));
}

}  // namespace
}  // namespace bowerbird
