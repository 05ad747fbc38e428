#include "fleet/page_check.h"

#include <gtest/gtest.h>

#include "crawl/state/stopped_crawl_testing.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(PageCheck, CountsPagesDoneTwiceAndLinksThatNobodyFollowed) {
  TemporaryFolder folder;
  write_stopped_crawl(stopped_crawl_options(folder / "a"), "h.test", 1,
                      {"http://i.test/0", "http://left.test/"});
  write_stopped_crawl(stopped_crawl_options(folder / "b"), "i.test", 1, {"http://h.test/0"});
  PageCheck check = std::move(check_pages({folder / "a", folder / "b"})).value();
  EXPECT_EQ(check.pages, 2u);
  EXPECT_EQ(check.repeats, 0u);
  EXPECT_EQ(check.left, 1u);
  write_stopped_crawl(stopped_crawl_options(folder / "c"), "h.test", 1);
  check = std::move(check_pages({folder / "a", folder / "b", folder / "c"})).value();
  EXPECT_EQ(check.pages, 2u);
  EXPECT_EQ(check.repeats, 1u);
  EXPECT_FALSE(check_pages({folder / "missing"}).ok());
}

TEST(PageCheck, SaysItInASentence) {
  EXPECT_EQ(text_of({120, 0, 0}, true), "120 pages, no duplicates; every URL found was fetched");
  EXPECT_EQ(
      text_of({120, 3, 4}, false),
      "120 pages, 3 duplicates; 4 URLs found but not fetched (processes do not communicate in this mode)");
  EXPECT_EQ(text_of({1, 1, 1}, true), "1 page, 1 duplicate; 1 URL found but not fetched");
}

}  // namespace
}  // namespace bowerbird
