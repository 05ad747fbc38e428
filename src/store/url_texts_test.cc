#include "store/url_texts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/rng.h"
#include "store/crawl_store.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

std::string nth_url(PageId page) {
  return fmt::format("https://www.example.org/{}/{}.html", draw(1, page / 30) % 1000, draw(2, page));
}

void expect_all(CrawlStore& store, PageId pages) {
  Rng rng(5);
  for (PageId i = 0; i < pages; ++i) {
    const auto page = static_cast<PageId>(rng.below(pages));
    ASSERT_EQ(store.url(page).value(), nth_url(page));
  }
  ASSERT_EQ(store.url(0).value(), nth_url(0));
  ASSERT_EQ(store.url(pages - 1).value(), nth_url(pages - 1));
}

// Texts that are not yet in a block, in a block that waits for the writer, and in the file.
TEST(UrlTexts, CanBeReadAtOnceAndAfterEachCommit) {
  const TemporaryFolder folder;
  auto store = CrawlStore::open(folder / "crawl", {}).value();
  PageId pages = 0;
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 700; ++i, ++pages) ASSERT_EQ(store->add_url(nth_url(pages)), pages);
    expect_all(*store, pages);
    store->commit("");
    if (round % 2 == 0) {
      ASSERT_TRUE(store->wait_for_commits().ok());
    }
    expect_all(*store, pages);
  }
  ASSERT_TRUE(store->wait_for_commits().ok());
  store->commit("");
  EXPECT_LT(store->counts().urls_memory, 1'500'000u);
  store->limit_url_cache(1);
  expect_all(*store, pages);
}

TEST(UrlTexts, CanBeReadAfterAResume) {
  const TemporaryFolder folder;
  {
    auto store = CrawlStore::open(folder / "crawl", {}).value();
    for (PageId page = 0; page < 2000; ++page) store->add_url(nth_url(page));
    store->commit("");
    ASSERT_TRUE(store->wait_for_commits().ok());
  }
  auto store = CrawlStore::open(folder / "crawl", {}).value();
  ASSERT_EQ(store->pages(), 2000u);
  expect_all(*store, 2000);
  for (PageId page = 2000; page < 2500; ++page) store->add_url(nth_url(page));
  expect_all(*store, 2500);
}

TEST(UrlTexts, ADamagedBlockIsAnErrorThatNamesItsPosition) {
  const TemporaryFolder folder;
  {
    auto store = CrawlStore::open(folder / "crawl", {}).value();
    for (PageId page = 0; page < 2000; ++page) store->add_url(nth_url(page));
    ASSERT_TRUE(store->close("").ok());
  }
  {
    std::fstream file(folder / "crawl/urls.log", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(100);
    file.put('!');
  }
  const auto reader = CrawlReader::open(folder / "crawl").value();
  const auto url = reader->url(3);
  ASSERT_FALSE(url.ok());
  EXPECT_NE(url.error().text.find("byte 0: the block is damaged"), std::string::npos) << url.error().text;
  EXPECT_EQ(reader->url(1999).value(), nth_url(1999));
}

}  // namespace
}  // namespace bowerbird
