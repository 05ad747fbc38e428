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
  EXPECT_FALSE(batcher.is_due(Time{}, true, true));
  batcher.add(page_with(1, 3), Time{});
  EXPECT_TRUE(batcher.is_due(Time{}, true, true));
}

TEST(LinkBatcher, WaitsForManyLinksOrAShortTimeOrTheLastPage) {
  LinkBatcher batcher;
  batcher.add(page_with(1, 3), Time(100ms));
  EXPECT_FALSE(batcher.is_due(Time(100ms), false, true));
  EXPECT_TRUE(batcher.is_due(Time(100ms), false, false));
  EXPECT_TRUE(batcher.is_due(Time(100ms) + LinkBatcher::kLongestWait, false, true));
  batcher.add(page_with(2, LinkBatcher::kLinksAtOnce), Time(101ms));
  EXPECT_TRUE(batcher.is_due(Time(101ms), false, true));
}

TEST(LinkBatcher, PagesLeaveInTheirOrder) {
  LinkBatcher batcher;
  for (PageId page = 0; page < 5; ++page) batcher.add(page_with(page, 1), Time{});
  KnownUrls known({});
  const auto pages = batcher.take(known);
  ASSERT_EQ(pages.size(), 5u);
  for (PageId page = 0; page < 5; ++page) EXPECT_EQ(pages[page].page.page, page);
  EXPECT_TRUE(batcher.empty());
  EXPECT_FALSE(batcher.is_due(Time{}, true, false));
}

}  // namespace
}  // namespace bowerbird
